import Foundation

/// The package manager, as a person would call it.
enum SwiftBuild {
    /// What a build of a target writes. `ONE_SOURCE_BUILD` is another command, which gets the target's name.
    static func run(_ package: String, _ target: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let other = ProcessInfo.processInfo.environment["ONE_SOURCE_BUILD"]
        process.arguments = other.map { [$0, target] } ?? ["swift", "build", "--package-path", package, "--target", target]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        if process.terminationStatus != 0, Diagnostic.errors(in: text).isEmpty {
            throw OneSourceError("the build of \(target) fails, and names no place: \(text.suffix(2000))")
        }
        return text
    }
}
