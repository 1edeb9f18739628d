/// Where some words of a scenario file stand: one line, 1-based, counted in characters as an editor counts them.
public struct SourceRange: Sendable, Hashable {
    /// The file as it was named by the user, or as an `include` reached it.
    public var path: String
    /// From 1.
    public var line: Int
    /// From 1, in characters as people count them.
    public var column: Int
    /// How many characters to underline; at least 1.
    public var length: Int

    /// A range within one line.
    public init(path: String, line: Int, column: Int, length: Int) {
        self.path = path
        self.line = line
        self.column = column
        self.length = max(1, length)
    }

    /// From the start of this range to the end of `other`, if both are on one line; else this one.
    public func through(_ other: SourceRange) -> SourceRange {
        guard path == other.path, line == other.line, other.column >= column else { return self }
        return SourceRange(path: path, line: line, column: column, length: other.column + other.length - column)
    }
}

extension SourceRange: CustomStringConvertible {
    public var description: String { "\(path):\(line):\(column)" }
}
