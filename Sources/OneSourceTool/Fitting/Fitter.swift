import Foundation

/// Fits the recipes of a package to what its host has: builds each target, and leaves out what the compiler refuses, until it takes the rest.
///
/// What is left out stands in `LeftOut.swift`, beside the target's recipe, line by line; the app's files are only read.
struct Fitter {
    let package: URL
    /// Builds a target, and gives what the build wrote.
    let build: (String) throws -> String
    /// How often a target is built at most.
    var rounds = 40

    struct Outcome: Equatable {
        var leftOut: LeftOut
        /// Errors that nothing could be left out for.
        var remaining: [Diagnostic]
    }

    func fit(_ target: String, report: (String) -> Void) throws -> Outcome {
        let folder = package.appendingPathComponent("Sources/\(target)", isDirectory: true)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" && $0.lastPathComponent != "LeftOut.swift" }.sorted { $0.path < $1.path }
        let recipe = try Recipe(module: target, files: files)
        let file = Recipe.leftOutFile(beside: recipe.file)
        var fitting = Fitting(LeftOut(recipe))
        var errors: [Diagnostic] = []
        for round in 1...rounds {
            errors = Diagnostic.errors(in: try build(target))
            report("\(target), build \(round): \(errors.count) errors, \(fitting.leftOut.count) left out")
            guard !errors.isEmpty, fitting.take(errors) else { break }
            try Self.text(of: fitting.leftOut).write(to: file, atomically: true, encoding: .utf8)
        }
        for name in fitting.leftOut.dropping.sorted() where fitting.isSessionDelegate(name) {
            report("\(target): the session's delegate \(name) is left out: \(fitting.reasons[name] ?? "the recipe says so")")
        }
        return Outcome(leftOut: fitting.leftOut, remaining: errors)
    }

    static func text(of leftOut: LeftOut) -> String {
        """
        // Written by `fit`: what hosts do not have. Take a line out, and the next `fit` looks whether it is still needed.
        //
        // lacking: modules and attributes that are not there. naming, promising: types and protocols that are there by name only.
        // emptying: what the app can call, and then is told in the run. dropping: what is not there at all.
        \(leftOut.lines.joined(separator: "\n"))

        """
    }
}
