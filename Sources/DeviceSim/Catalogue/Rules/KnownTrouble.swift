/// Something that developers run into with WatchConnectivity, and have published, or that follows from what Apple has. Each is reproduced by scenarios in `Scenarios/troubles`, with naive app
/// code, and put right.
public struct KnownTrouble: Sendable, Hashable {
    /// As scenarios name it: the 5 of `P5`.
    public let number: Int
    /// In one sentence.
    public let sentence: String
    /// Its folder in `Scenarios/troubles`: the symptom, as a developer would say it.
    public let folder: String
    /// Where developers have told of it: projects and their issues, articles, reports to Apple.
    public let sources: [String]

    init(_ number: Int, _ sentence: String, in folder: String, _ sources: String...) {
        self.number = number
        self.sentence = sentence
        self.folder = folder
        self.sources = sources
    }

    /// `P5`
    public var name: String { "P\(number)" }

    /// The pitfall of that number, such as `P12`; `nil` where there is none.
    public init?(named name: String) {
        guard let trouble = Self.byName[name] else { return nil }
        self = trouble
    }

    private static let byName = Dictionary(table.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
