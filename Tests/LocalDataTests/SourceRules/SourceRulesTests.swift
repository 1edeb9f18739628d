import Foundation
import Testing

/// The rules of CONTRIBUTING.md that can be read off the sources. Each message names the replacement.
@Suite struct SourceRulesTests {
    struct Rule: Sendable, CustomTestStringConvertible {
        let pattern: String
        let replacement: String
        /// Folders that are there for it, and files.
        var allowedIn: [String] = ["/Platform/"]
        /// Single files that have to, and why.
        var exceptions: [String: String] = [:]

        var testDescription: String { pattern }
    }

    private static let begins = "the scheduler's loop, which is no asynchronous function, begins what it then runs"

    static let rules = [
        Rule(pattern: #"\bDate\(\)|\bDate\.now\b"#, replacement: "read environment.clock.now"),
        Rule(pattern: #"\bUUID\(\)"#, replacement: "draw bytes from environment.entropy"),
        Rule(
            pattern: #"SystemRandomNumberGenerator|\.random\(in:|\.randomElement\(\)|\.shuffled\(\)"#,
            replacement: "draw from environment.entropy, in DeviceSim from a SeededGenerator"),
        Rule(
            pattern: #"Task\.sleep|Thread\.sleep|\b(u|nano)sleep\("#, replacement: "schedule on the virtual clock",
            // What app code gets for the system's own.
            allowedIn: ["/Platform/", "/SystemShims/"],
            exceptions: [
                "Core/Watchdog/HostThread.swift": "a thread of the host is waited for, which a run that hangs has no part in any more"
            ]),
        Rule(pattern: #"Task\.yield\(\)"#, replacement: "wait for the thing itself"),
        Rule(
            pattern: #"\bTask\s*(<[^({]*>)?\s*[({]|Task\.detached"#,
            replacement: "use structured concurrency: async let or a task group",
            // An app's callbacks are no asynchronous functions.
            allowedIn: ["/ReferenceApp/"],
            exceptions: [
                "Core/Device/Device.swift": begins, "Core/Device/DeviceLook.swift": begins, "Core/Device/DeviceProcess.swift": begins,
                "Runner/Audit/StoredDevice+Audit.swift": begins,
                "Core/Watchdog/OwnThread.swift": "a run has a thread of its own, which is left alone where it hangs",
            ]),
        Rule(pattern: #"\btry!"#, replacement: "throw a typed error", allowedIn: []),
        // Such types are no better: each use is one. `x != y` is written with a space.
        Rule(pattern: #"[\w)\]>?}]!(?!=)"#, replacement: "unwrap it with guard, or throw a typed error", allowedIn: []),
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
        var unused = rule.exceptions
        for file in try Self.sourceFiles() where !rule.allowedIn.contains(where: file.path.contains) {
            let exception = rule.exceptions.keys.first { file.path.hasSuffix("/DeviceSim/\($0)") }
            let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            for (index, line) in lines.enumerated() {
                let code = Self.withoutCommentsAndStrings(line)
                guard expression.firstMatch(in: code, range: NSRange(code.startIndex..., in: code)) != nil else { continue }
                if let exception {
                    unused[exception] = nil
                } else {
                    breaches.append("\(file.lastPathComponent):\(index + 1): \(rule.replacement)")
                }
            }
        }
        #expect(breaches.isEmpty, "\(breaches.joined(separator: "\n"))")
        #expect(unused.isEmpty, "these are no exceptions any more")
    }

    @Test func theRulesCatchWhatTheyAreFor() throws {
        let specimens = [
            "let now = Date()", "let id = UUID()", "Int.random(in: 0..<3)", "try await Task.sleep(for: .seconds(1))", "await Task.yield()",
            "Task { await run() }", "let x = try! decode()", #"fatalError("never")"#, #"print("\(UUID())")"#,
            #"throw "at \(name("\(Date())"))""#,
            ##"print(#"\#(try! read())"#)"##, "nanosleep(&pause, nil)", "usleep(3)", "Task(executorPreference: executor) {",
            "Task(priority: .low) {", "Task<Void, Never>(executorPreference: Executor()) {", "Task<[Int], any Error> {", "Task.detached {",
            "let first = list.first!", "call()!.name", "values[0]!", "var session: WCSession!", "(x as? Int)!",
        ]
        for specimen in specimens {
            let code = Self.withoutCommentsAndStrings(specimen)
            let isCaught = try Self.rules.contains {
                try NSRegularExpression(pattern: $0.pattern).firstMatch(in: code, range: NSRange(code.startIndex..., in: code)) != nil
            }
            #expect(isCaught, "\(specimen)")
        }
        let harmless = [
            "// Date() and UUID()", #"print("Date() and \(now) // try! it")"#, #"print("stop!") // x!"#, "if a != b, !c, x() != nil {",
            "let task: Task<Void, Never>?", ##"let text = #"Task { \(UUID()) }"#"##, #"a "quotation" of UUID and Date"#, "assert(!isOver)",
        ]
        for text in harmless {
            let code = Self.withoutCommentsAndStrings(text)
            for rule in Self.rules {
                let match = try NSRegularExpression(pattern: rule.pattern)
                    .firstMatch(in: code, range: NSRange(code.startIndex..., in: code))
                #expect(match == nil, "\(text): \(rule.pattern)")
            }
        }
        #expect(try Self.sourceFiles().count > 30)
    }

    /// The line without its line comment and what its string literals say, as far as one line tells. What is interpolated is code, and stays.
    static func withoutCommentsAndStrings(_ line: String) -> String {
        guard line.contains("\"") else { return line.firstRange(of: "//").map { String(line[..<$0.lowerBound]) } ?? line }
        var rest = line[...]
        return code(in: &rest, isInterpolated: false)
    }

    /// Code up to the line's end, or up to the parenthesis that ends an interpolation.
    private static func code(in rest: inout Substring, isInterpolated: Bool) -> String {
        var (code, depth) = ("", 0)
        while let character = rest.first {
            if rest.hasPrefix("//"), !isInterpolated { break }
            if character == "\"" || character == "#", let quote = rest.prefixMatch(of: #/#*"(?:"")?/#)?.output {
                rest.removeFirst(quote.count)
                // Where a text of several lines begins or ends; those between are looked at as if they were code.
                code += quote.hasSuffix("\"\"\"") ? "\"" : string(&rest, hashes: quote.dropLast())
                continue
            }
            if isInterpolated, character == "(" { depth += 1 }
            if isInterpolated, character == ")" {
                if depth == 0 { return code }
                depth -= 1
            }
            code.append(rest.removeFirst())
        }
        return code
    }

    /// What is interpolated in a literal, of which the first quotation mark was read.
    private static func string(_ rest: inout Substring, hashes: Substring) -> String {
        let (whole, escape, end) = (rest, "\\" + hashes, "\"" + hashes)
        var code = "\""
        while !rest.isEmpty {
            if rest.hasPrefix(end) {
                rest.removeFirst(end.count)
                return code + "\""
            }
            guard rest.hasPrefix(escape) else {
                rest.removeFirst()
                continue
            }
            rest.removeFirst(escape.count)
            let next = rest.popFirst()
            guard next == "(" else { continue }
            code += "(" + Self.code(in: &rest, isInterpolated: true) + ")"
            if rest.first == ")" { rest.removeFirst() }
        }
        // No literal that ends on this line: the quotation mark is part of a text.
        rest = ""
        return "\"" + whole
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
