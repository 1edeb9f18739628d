import Foundation
import Testing

@testable import OneSourceTool

/// What the compiler makes of rewritten files: it evaluates the conditions that are left, and its messages name the original file and line.
@Suite(.enabled(if: Compiler.isThere, "there is no swiftc in the PATH")) struct CompilerTests {
    @Test func conditionsComeOutAsOnTheirSide() throws {
        let source = """
            func which() -> [String] {
                var found: [String] = []
                #if os(macOS)
                    found.append("mac")
                #elseif os(iOS) && canImport(WatchConnectivity) && !os(watchOS)
                    found.append("phone")
                    #if DEBUG || targetEnvironment(simulator)
                        found.append("debug")
                    #elseif swift(>=5.9) && !canImport(UIKit) && (os(watchOS) || FLAG)
                        found.append("flag")
                    #else
                        found.append("plain")
                    #endif
                #elseif (os(watchOS) || os(visionOS)) && !(canImport(WatchKit) || canImport(ClockKit))
                    found.append("watch")
                    #if os(iOS)
                        #if os(watchOS)
                            #error("nobody")
                        #endif
                    #elseif compiler(>=99) || !swift(<4)
                        found.append("nested")
                    #endif
                #else
                    #error("no side")
                #endif
                return found
            }
            print(which())
            """
        #expect(
            try Compiler.run(try SourceRewriter.rewrite(source, path: "/App/main.swift", side: .phone), "-D", "FLAG")
                == "[\"phone\", \"flag\"]\n")
        #expect(
            try Compiler.run(try SourceRewriter.rewrite(source, path: "/App/main.swift", side: .phone), "-D", "DEBUG")
                == "[\"phone\", \"debug\"]\n")
        #expect(try Compiler.run(try SourceRewriter.rewrite(source, path: "/App/main.swift", side: .watch)) == "[\"watch\", \"nested\"]\n")
    }

    @Test(arguments: [
        ("let a = 1\n#endif\n", "/App/My File.swift:2:1: error: unexpected conditional compilation block terminator"),
        ("let a = 1\n\n#elseif os(iOS)\n", "/App/My File.swift:3:1: error: unexpected conditional compilation block terminator"),
        ("#if os(watchos)\n#endif\n", "/App/My File.swift:1:10: warning: there is no operating system 'watchos'; did you mean 'watchOS'?"),
        ("\n#if os(iOS)\nlet a: Int = \"x\"\n#endif\n", "/App/My File.swift:3:14: error: cannot convert value of type 'String'"),
        ("static let a = 1\n", "/App/My File.swift:1:8: error: static properties may only be declared on a type"),
        ("import WatchKit\nfunc f() { WKExtension.shared() }\n", "/App/My File.swift:2:12: error: cannot find 'WKExtension' in scope"),
    ])
    func messagesNameTheOriginal(_ source: String, _ message: String) throws {
        let found = try Compiler.check(try SourceRewriter.rewrite(source, path: "/App/My File.swift", side: .phone))
        #expect(found.contains(message), "\(found)")
    }
}

/// The compiler that builds these tests.
private enum Compiler {
    static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/swiftc" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    static var isThere: Bool { path != nil }

    /// What a program prints.
    static func run(_ source: String, _ options: String...) throws -> String {
        try withFile(source) { file in
            let program = file.deletingPathExtension()
            let messages = try launch(path ?? "", options + [file.path, "-o", program.path])
            return messages.contains("error:") ? messages : try launch(program.path, [])
        }
    }

    static func check(_ source: String) throws -> String {
        try withFile(source) { try launch(path ?? "", ["-typecheck", "-parse-as-library", $0.path]) }
    }

    private static func withFile(_ source: String, _ body: (URL) throws -> String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("compiled-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("main.swift")
        try Data(source.utf8).write(to: file)
        return try body(file)
    }

    private static func launch(_ path: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
