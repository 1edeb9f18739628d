/// A piece of Swift source that the rewriters look at; comments and blanks are none.
struct Token: Equatable {
    enum Kind: Equatable {
        /// A name or a keyword.
        case word
        /// `#if` and the like.
        case directive
        case number
        /// A whole string literal, with what is interpolated.
        case string
        case regex
        /// One character of an operator, or a bracket.
        case sign
    }

    let kind: Kind
    /// Its bytes in the source.
    let range: Range<Int>
    let text: Substring
    /// Whether it is the first on its line.
    let startsLine: Bool

    func isSign(_ sign: Substring) -> Bool { kind == .sign && text == sign }
    func isWord(_ word: Substring) -> Bool { kind == .word && text == word }
}
