/// Makes the source of one side out of a file that both share.
enum SourceRewriter {
    /// The source of `side`, whose lines are those of `source`: messages of the compiler, and `#fileID`, name the file at `path` and its own lines.
    ///
    /// - Throws: ``SourceProblem`` for a source whose errors the compiler would show at a wrong place.
    static func rewrite(_ source: String, path: String, side: Side) throws(SourceProblem) -> String {
        let source = source.hasPrefix("\u{FEFF}") ? String(source.dropFirst()) : source
        let tokens = Tokenizer.tokens(of: source)
        if let problem = ConditionChecker.unclosed(tokens, in: source) { throw problem }
        var edits = ConditionRewriter.edits(for: tokens, on: side)
        edits += ImportRewriter.edits(for: tokens)
        edits += try ObjectiveCRewriter.edits(for: tokens, in: source)
        if !path.hasSuffix("/main.swift") { edits += StaticRewriter.edits(for: tokens, in: source) }
        let quoted = path.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined()
        func place(_ line: Int) -> String { "#sourceLocation(file: \"\(quoted)\", line: \(line))\n" }
        // The compiler then gives these warnings at the lines that they are about.
        let warnings = ConditionChecker.unknownSystems(tokens, in: source).map { "\(place($0.line))#warning(\"\($0.message)\")\n" }
        return warnings.joined() + place(1) + edits.applied(to: source)
    }
}

/// Leaves out the imports of what is on a device and not on a host: `import WatchKit` in code of the watch. A name of such a module that the code then
/// uses is an error of the compiler, at its place.
///
/// Conditions about these modules are answered no (``Side``), and code that asks before it imports is not affected.
enum ImportRewriter {
    static let modules: Set<Substring> = ["UIKit", "WatchKit", "ClockKit", "Security"]

    static func edits(for tokens: [Token]) -> [SourceEdit] {
        tokens.indices.compactMap { index in
            guard tokens[index].isWord("import"), index + 1 < tokens.count, modules.contains(tokens[index + 1].text),
                index + 2 == tokens.count || tokens[index + 2].startsLine || tokens[index + 2].isSign(";")
            else { return nil }
            var start = index
            // Attributes and access in front of it, such as `@preconcurrency`.
            while start > 0, !tokens[start].startsLine, tokens[start - 1].isSign("@") || tokens[start - 1].kind == .word {
                start -= 1
            }
            guard tokens[start].startsLine else { return nil }
            return SourceEdit(range: tokens[start].range.lowerBound..<tokens[index + 1].range.upperBound, text: "")
        }
    }
}

/// Which of the two devices a module is made for, and what conditions of compilation say there.
enum Side: String, CaseIterable {
    case phone, watch

    /// Whether a condition such as `os(iOS)` holds on this side; `nil` where the compiler knows better: versions, the app's own flags, modules that are
    /// the same everywhere. `os(Linux)` stays with it too: it is true, and code that asks means the host.
    func holds(_ function: Substring, _ argument: Substring) -> Bool? {
        switch (function, argument) {
        case ("os", "iOS"): self == .phone
        case ("os", "watchOS"): self == .watch
        case ("os", "macOS"), ("os", "OSX"), ("os", "tvOS"), ("os", "visionOS"): false
        case ("canImport", "WatchConnectivity"), ("canImport", "Security"): true
        // What exists on a device and not on the host: code that asks has an answer for hosts.
        case ("canImport", "UIKit"), ("canImport", "WatchKit"), ("canImport", "ClockKit"), ("canImport", "AppKit"): false
        case ("targetEnvironment", "simulator"), ("targetEnvironment", "macCatalyst"): false
        default: nil
        }
    }
}
