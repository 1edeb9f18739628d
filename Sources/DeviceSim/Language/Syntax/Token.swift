/// One word, number, string or sign of a scenario file.
public struct Token: Sendable {
    /// What it is.
    public let kind: Kind
    /// As written.
    public let text: String
    /// Where it stands.
    public let range: SourceRange

    /// What a token can be: the parser decides by this alone.
    public enum Kind: Sendable, Hashable {
        /// A name, a number with or without a unit, or a word of the language.
        case word
        /// A number, also with a unit (`200ms`) or of a version (`2.0.1`); what it is depends on its place.
        case number
        /// The text that the quoted words mean.
        case string(String)
        /// `$name`, without the sign.
        case variable(String)
        /// One of `{ } [ ] ( ) : , | =`.
        case sign
    }

    func isWord(_ word: String) -> Bool { kind == .word && text == word }
    func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

    /// The same token, as if it stood elsewhere: what a variable stands for.
    func moved(to range: SourceRange) -> Token { Token(kind: kind, text: text, range: range) }
}

extension Token: Hashable {
    /// Equal if they are written alike, wherever they stand.
    public static func == (lhs: Token, rhs: Token) -> Bool { lhs.kind == rhs.kind && lhs.text == rhs.text }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
