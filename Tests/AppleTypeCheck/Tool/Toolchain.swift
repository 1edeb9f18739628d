import Foundation

/// The compiler that runs this check, as processes.
struct Toolchain {
    /// Where the compiler's plugins lie: macros such as `@TaskLocal`.
    let plugins: String

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// What a process wrote, and how it ended.
    struct Output {
        var text: Data
        var status: Int32

        var string: String { String(decoding: text, as: UTF8.self) }
    }

    private struct TargetInfo: Decodable {
        struct Target: Decodable { let triple: String }
        struct Paths: Decodable { let runtimeResourcePath: String }
        let target: Target
        let paths: Paths
    }

    init() throws {
        plugins = try Self.targetInfo().paths.runtimeResourcePath + "/host/plugins"
    }

    /// The host, such as `x86_64-unknown-linux-gnu`.
    static func target() throws -> String { try targetInfo().target.triple }

    private static func targetInfo() throws -> TargetInfo {
        let output = try run(["swiftc", "-print-target-info"])
        guard output.status == 0 else { throw Failure(description: "`swiftc -print-target-info` failed:\n\(output.string)") }
        return try JSONDecoder().decode(TargetInfo.self, from: output.text)
    }

    /// Compiles for judging only: nothing of it runs.
    func frontend(_ arguments: [String]) throws -> Output {
        try Self.run(["swiftc", "-frontend"] + arguments + ["-plugin-path", plugins])
    }

    /// Runs a program of the search path; its output and its errors come in one text.
    static func run(_ command: [String]) throws -> Output {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("apple-typecheck-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
            throw Failure(description: "no file can be made in \(FileManager.default.temporaryDirectory.path)")
        }
        // A file instead of a pipe: a syntax tree is some thirty megabytes, and nobody reads while the process writes.
        let handle = try FileHandle(forWritingTo: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        try handle.close()
        return Output(text: try Data(contentsOf: file), status: process.terminationStatus)
    }
}
