import Foundation

// Called by the plugin:
// OneSourceTool make PACKAGE OUTPUT MODULES RECIPE NAME…
// OneSourceTool again MARK END
//
// Called by a person: OneSourceTool fit PACKAGE TARGET…

func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch (arguments.first, arguments.count) {
    case ("make", 5...):
        let maker = ModuleMaker(
            package: URL(fileURLWithPath: arguments[1], isDirectory: true), output: URL(fileURLWithPath: arguments[2], isDirectory: true),
            modules: arguments[3].split(separator: ",").map(String.init), recipeFile: URL(fileURLWithPath: arguments[4]),
            names: Array(arguments[5...]))
        let report = try maker.make()
        // In the compiler's form, so that editors show them at the file.
        if !report.lines.isEmpty { print(report.lines.joined(separator: "\n")) }
        if report.hasErrors { exit(1) }
    case ("again", 3):
        try ModuleMaker.lookAgain(mark: URL(fileURLWithPath: arguments[1]), end: URL(fileURLWithPath: arguments[2]))
    case ("fit", 3...):
        let fitter = Fitter(package: URL(fileURLWithPath: arguments[1], isDirectory: true)) { try SwiftBuild.run(arguments[1], $0) }
        for target in arguments.dropFirst(2) {
            let outcome = try fitter.fit(target) { print($0) }
            for error in outcome.remaining.prefix(10) { print("\(error.path):\(error.line):\(error.column): error: \(error.message)") }
            if !outcome.remaining.isEmpty { exit(1) }
        }
    default:
        fail(
            "usage: OneSourceTool fit PACKAGE TARGET…, OneSourceTool make PACKAGE OUTPUT MODULES RECIPE NAME…, OneSourceTool again MARK END",
            status: 64)
    }
} catch let error as OneSourceError {
    fail("error: OneSource: \(error)", status: 1)
} catch {
    fail("error: OneSource: \(error.localizedDescription)", status: 1)
}
