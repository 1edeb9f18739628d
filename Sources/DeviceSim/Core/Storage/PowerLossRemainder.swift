/// What a power loss leaves of what was not synchronized, in the few ways that scenarios and sweeps name.
///
/// Directory entries and the bytes of files are lost independently of each other; see ``PowerLossPolicy`` for the laws that hold for all.
public enum PowerLossRemainder: String, Sendable, Hashable, CaseIterable {
    /// Neither entries nor bytes nor sets of preferences: the harshest case, and the default.
    case nothing
    /// All of it.
    case everything
    /// The entries. Files end where they were synchronized, often at zero.
    case entries
    /// The bytes of files that have a durable entry, and no new entry.
    case contents
    /// The entries, and the first half of the bytes; of a suite's recent sets the first half.
    case halves
    /// The entries, and files of their new length with other bytes in them.
    case garbage
    /// Whatever the seed draws, item by item.
    case anything
}

extension PowerLossRemainder {
    /// - Parameter seed: Feeds what is drawn: bytes of garbage, and everything of ``anything``.
    public func policy(seed: SeededGenerator) -> PowerLossPolicy {
        if self == .anything { return .seeded(seed) }
        var seed = seed
        return PowerLossPolicy { item in
            switch (self, item) {
            case (.everything, _), (.entries, .entry), (.halves, .entry), (.garbage, .entry), (.contents, .contents),
                (.entries, .preferences):
                .kept
            case (.halves, .contents(_, let count)), (.halves, .preferences(_, let count)): .torn(count: count / 2)
            case (.garbage, .contents): .garbage(seed: seed.next())
            default: .dropped
            }
        }
    }
}
