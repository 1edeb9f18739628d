/// What a power loss may take: something that was written and not yet synchronized.
public enum PowerLossItem: Sendable, Hashable {
    /// A change of a directory: an entry that was made, renamed or removed. A rename is one item.
    case entry(path: String)
    /// The bytes of a file after those that were synchronized.
    case contents(path: String, count: Int)
    /// The recent sets of a suite of preferences, oldest first.
    case preferences(suite: String, count: Int)
}

/// What becomes of a ``PowerLossItem``.
public enum PowerLossFate: Sendable, Hashable {
    /// It is as it was written.
    case kept
    /// It is as if it had never been written.
    case dropped
    /// The first `count` bytes or sets are kept. An entry has no parts: it is dropped.
    case torn(count: Int)
    /// The file has its new length and other bytes in it. Entries and preferences are dropped.
    case garbage(seed: UInt64)
}

/// How a power loss treats what was not synchronized, item by item, in a fixed order.
///
/// An entry can only be kept if what it builds on was: a file whose creation is lost cannot have been renamed. Preferences lose a suffix
/// of their recent sets, never one from the middle.
public struct PowerLossPolicy {
    let decide: (PowerLossItem) -> PowerLossFate

    /// Any choice. Called once for each item; must not depend on anything unordered.
    public init(_ decide: @escaping (PowerLossItem) -> PowerLossFate) {
        self.decide = decide
    }

    /// Loses everything that was not synchronized: the harshest case, and the default.
    public static var dropsAll: PowerLossPolicy { PowerLossPolicy { _ in .dropped } }

    /// Loses nothing.
    public static var keepsAll: PowerLossPolicy { PowerLossPolicy { _ in .kept } }

    /// Draws each item's fate.
    public static func seeded(_ generator: SeededGenerator) -> PowerLossPolicy {
        var generator = generator
        return PowerLossPolicy { item in
            switch item {
            case .entry: generator.below(2) == 0 ? .kept : .dropped
            case .preferences(_, let count): .torn(count: generator.below(count + 1))
            case .contents(_, let count):
                switch generator.below(4) {
                case 0: .kept
                case 1: .dropped
                case 2: .torn(count: generator.below(count))
                default: .garbage(seed: generator.next())
                }
            }
        }
    }
}

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
