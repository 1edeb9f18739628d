/// The layout of one scenario file: its statements as written, with comments and phases. What they mean, the compiler finds out.
///
/// Two documents are equal if they differ in spacing only.
public struct ScenarioDocument: Sendable, Hashable {
    /// The file, as the user named it.
    public let path: String
    /// What the comment block at the head says.
    public let header: ScenarioHeader
    /// The comment block at the head of the file, line by line, without `#`.
    public let headerLines: [String]
    /// The lines that are statements, each with its block.
    public let statements: [Statement]
    /// Comments and blank lines after the last statement.
    public let trailing: [Trivia]

    /// A line that does not do anything.
    public enum Trivia: Sendable, Hashable {
        /// One or more of them.
        case blank
        /// Without `#`.
        case comment(String)
    }

    /// One line that does something, with the indented lines that belong to it.
    public struct Statement: Sendable, Hashable {
        /// What stands between the statement before and this one.
        public let leading: [Trivia]
        /// The words and values of the line.
        public let tokens: [Token]
        /// Behind the tokens, without `#`.
        public let comment: String?
        /// The indented lines below it.
        public let block: [Statement]
        /// Comments and blank lines in the block after its last statement.
        public let blockTrailing: [Trivia]
        /// Whether a token could not be read; that was reported.
        let isBroken: Bool

        /// All tokens, from the first to the last.
        public var range: SourceRange {
            guard let first = tokens.first, let last = tokens.last else { return SourceRange(path: "", line: 0, column: 0, length: 1) }
            return first.range.through(last.range)
        }
    }

    /// Equal if they say the same in the same order; where they came from does not matter.
    public static func == (lhs: ScenarioDocument, rhs: ScenarioDocument) -> Bool {
        lhs.headerLines == rhs.headerLines && lhs.statements == rhs.statements && lhs.trailing == rhs.trailing
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(headerLines)
        hasher.combine(statements)
    }
}
