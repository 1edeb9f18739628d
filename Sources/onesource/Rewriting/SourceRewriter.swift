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
        if !path.hasSuffix("/main.swift") { edits += StaticRewriter.edits(for: tokens, in: source) }
        let quoted = path.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined()
        func place(_ line: Int) -> String { "#sourceLocation(file: \"\(quoted)\", line: \(line))\n" }
        // The compiler then gives these warnings at the lines that they are about.
        let warnings = ConditionChecker.unknownSystems(tokens, in: source).map { "\(place($0.line))#warning(\"\($0.message)\")\n" }
        return warnings.joined() + place(1) + edits.applied(to: source)
    }
}
