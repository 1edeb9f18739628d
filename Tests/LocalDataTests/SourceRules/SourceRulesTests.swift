import Foundation
import Testing

/// The rules of CONTRIBUTING.md that can be read off the sources. Each message names the replacement.
@Suite struct SourceRulesTests {
    struct Rule: Sendable, CustomTestStringConvertible {
        let pattern: String
        let replacement: String
        var allowedIn: [String] = ["/Platform/"]

        var testDescription: String { pattern }
    }

    static let rules = [
        Rule(pattern: #"\bDate\(\)|\bDate\.now\b"#, replacement: "read environment.clock.now"),
        Rule(pattern: #"\bUUID\(\)"#, replacement: "draw bytes from environment.entropy"),
        Rule(
            pattern: #"SystemRandomNumberGenerator|\.random\(in:|\.randomElement\(\)|\.shuffled\(\)"#,
            replacement: "draw from environment.entropy, in DeviceSim from a SeededGenerator"),
        Rule(
            pattern: #"Task\.sleep|Thread\.sleep|\busleep\("#, replacement: "schedule on the virtual clock",
            // What app code gets for the system's own.
            allowedIn: ["/Platform/", "/SystemShims/"]),
        Rule(pattern: #"Task\.yield\(\)"#, replacement: "wait for the thing itself"),
        Rule(
            pattern: #"\bTask\s*(\(priority:[^)]*\))?\s*\{|Task\.detached"#,
            replacement: "use structured concurrency: async let or a task group",
            allowedIn: ["/ReferenceApp/"]),
        Rule(pattern: #"\btry!"#, replacement: "throw a typed error", allowedIn: []),
        Rule(
            pattern: #"\bfatalError\("#, replacement: "throw a typed error",
            // Code that a person left out, and that must give what nobody can make up.
            allowedIn: ["/SystemShims/SystemShims+LeftOut.swift"]),
        Rule(
            pattern: #"WCSession\.default.*\bDispatchQueue"#, replacement: "call the session from the code's own isolation", allowedIn: []),
    ]

    @Test(arguments: rules) func sourcesKeep(_ rule: Rule) throws {
        let expression = try NSRegularExpression(pattern: rule.pattern)
        var breaches: [String] = []
        for file in try Self.sourceFiles() where !rule.allowedIn.contains(where: file.path.contains) {
            let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            for (index, line) in lines.enumerated() {
                let code = Self.withoutCommentsAndStrings(line)
                if expression.firstMatch(in: code, range: NSRange(code.startIndex..., in: code)) != nil {
                    breaches.append("\(file.lastPathComponent):\(index + 1): \(rule.replacement)")
                }
            }
        }
        #expect(breaches.isEmpty, "\(breaches.joined(separator: "\n"))")
    }

    @Test func theRulesCatchWhatTheyAreFor() throws {
        let specimens = [
            "let now = Date()", "let id = UUID()", "Int.random(in: 0..<3)", "try await Task.sleep(for: .seconds(1))", "await Task.yield()",
            "Task { await run() }", "let x = try! decode()", #"fatalError("never")"#,
        ]
        for specimen in specimens {
            let code = Self.withoutCommentsAndStrings(specimen)
            let isCaught = try Self.rules.contains {
                try NSRegularExpression(pattern: $0.pattern).firstMatch(in: code, range: NSRange(code.startIndex..., in: code)) != nil
            }
            #expect(isCaught, "\(specimen)")
        }
        #expect(try Self.sourceFiles().count > 30)
    }

    /// The line without its line comment and the contents of its string literals, as far as one line tells.
    static func withoutCommentsAndStrings(_ line: String) -> String {
        let strings = line.replacingOccurrences(of: #""(\\.|[^"\\])*""#, with: "\"\"", options: .regularExpression)
        guard let comment = strings.range(of: "//") else { return strings }
        return String(strings[..<comment.lowerBound])
    }

    static func sourceFiles() throws -> [URL] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try ["LocalData", "DeviceSim"].flatMap { target in
            let folder = root.appendingPathComponent("Sources/\(target)")
            return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
                .filter { $0.hasSuffix(".swift") }
                .map { folder.appendingPathComponent($0) }
        }
    }
}
