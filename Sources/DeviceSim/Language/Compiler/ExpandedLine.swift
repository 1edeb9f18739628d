/// A line of a scenario after inclusion and substitution.
struct ExpandedLine {
    /// With variables replaced by what they stand for.
    let tokens: [Token]
    let block: [ExpandedLine]
    /// Where it stands in its file.
    let range: SourceRange
    let phase: String?
    let includedFrom: [SourceRange]

    /// The first token's text if that is a word.
    var head: String? {
        guard let first = tokens.first, first.kind == .word else { return nil }
        return first.text
    }
}
