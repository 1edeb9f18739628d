/// Something wrong with a scenario file: where, what, and what would be right.
public struct ScenarioDiagnostic: Error, Sendable, Hashable {
    /// Whether the file's text is at fault, or the file itself.
    public let kind: Kind
    /// Line 0: the file as a whole.
    public let range: SourceRange
    /// What is wrong, in one sentence without a full stop.
    public internal(set) var message: String
    /// What would be right.
    public internal(set) var hint: String?
    /// The line at fault as it stands in the file; `nil` for the file as a whole.
    public internal(set) var sourceLine: String?
    /// Where the file was included from, innermost first.
    public var includedFrom: [SourceRange]

    /// What is at fault.
    public enum Kind: Sendable, Hashable {
        /// What is written is wrong.
        case invalid
        /// The file cannot be read at all.
        case unreadable
    }

    /// A diagnostic about a place in a file.
    public init(
        kind: Kind = .invalid, range: SourceRange, message: String, hint: String? = nil, sourceLine: String? = nil,
        includedFrom: [SourceRange] = []
    ) {
        self.kind = kind
        self.range = range
        self.message = Self.shortened(message)
        self.hint = hint.map(Self.shortened)
        self.sourceLine = sourceLine
        self.includedFrom = includedFrom
    }

    /// What a file says is repeated in messages about it, and may be megabytes long.
    private static let maximumLength = 600

    private static func shortened(_ text: String) -> String {
        guard text.utf8.count > maximumLength, text.unicodeScalars.count > maximumLength else { return text }
        var start = String.UnicodeScalarView()
        start.append(contentsOf: text.unicodeScalars.prefix(maximumLength - 1))
        return String(start) + "…"
    }

    /// About a file as a whole.
    static func file(_ path: String, kind: Kind = .invalid, _ message: String, hint: String? = nil) -> ScenarioDiagnostic {
        ScenarioDiagnostic(kind: kind, range: SourceRange(path: path, line: 0, column: 0, length: 1), message: message, hint: hint)
    }
}
