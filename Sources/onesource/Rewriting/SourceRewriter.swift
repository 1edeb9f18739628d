/// Makes the source of one side out of a file that both share.
enum SourceRewriter {
    /// The source of `side`, whose lines are those of `source`: messages of the compiler, and `#fileID`, name the file at `path` and its own lines.
    static func rewrite(_ source: String, path: String, side: Side) -> String {
        let source = source.hasPrefix("\u{FEFF}") ? String(source.dropFirst()) : source
        let tokens = Tokenizer.tokens(of: source)
        var edits = ConditionRewriter.edits(for: tokens, on: side)
        if !path.hasSuffix("/main.swift") { edits += StaticRewriter.edits(for: tokens, in: source) }
        let quoted = path.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined()
        return "#sourceLocation(file: \"\(quoted)\", line: 1)\n" + edits.applied(to: source)
    }
}
