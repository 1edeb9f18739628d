import DeviceSimCore
import LocalData

/// Where the value of an earlier version of the app lies, and how it becomes the key's.
public struct MigrationDeclaration: Sendable, Hashable {
    /// Where the old value lies, and what is made of it.
    public var source: Source
    /// When it runs; `nil`: always.
    public var condition: Condition?

    /// A migration from a source, under a condition where there is one.
    public init(_ source: Source, when condition: Condition? = nil) {
        self.source = source
        self.condition = condition
    }

    /// Where an old value may lie.
    public enum Source: Sendable, Hashable {
        /// A `SimpleLegacyMigration`.
        case key(KeyReference)
        /// Likewise, from a place nobody declares any more. Unsecured and serialized like the key itself.
        case place(name: String, domain: StorageDomain)
        /// A `TransformingMigration`.
        case transformed(KeyReference, Transformation)
        /// An `AggregatingMigration`.
        case combined([KeyReference], Combination, MissingSources)

        /// The keys that the file declares for it, in their order.
        public var keys: [KeyReference] {
            switch self {
            case .key(let key), .transformed(let key, _): [key]
            case .place: []
            case .combined(let keys, _, _): keys
            }
        }
    }

    /// When a migration runs: a `MigrationCondition`.
    public enum Condition: Sendable, Hashable {
        /// From that version of the app on.
        case fromVersion(AppVersion)
        /// Before that version of the app.
        case belowVersion(AppVersion)
        /// On that kind of device.
        case device(DeviceID)
    }
}

extension MigrationDeclaration {
    /// How one old value becomes the new one.
    public enum Transformation: String, Sendable, Hashable, CaseIterable {
        /// A text in capitals.
        case uppercasing
        /// The number that a text says; fails where it says none.
        case number
        /// A number as text.
        case text

        /// The types of the old value and the new one.
        public var types: (source: ScenarioType, destination: ScenarioType) {
            switch self {
            case .uppercasing: (.string, .string)
            case .number: (.string, .int)
            case .text: (.int, .string)
            }
        }
    }

    /// How several old values become the new one.
    public enum Combination: String, Sendable, Hashable, CaseIterable {
        /// Texts with a space between them, in the order of the file.
        case joining
        /// The sum of numbers.
        case adding
        /// The value that all have; fails where they differ.
        case agreeing

        /// The type of the old values and the new one; `nil`: whichever, and the same.
        public var type: ScenarioType? {
            switch self {
            case .joining: .string
            case .adding: .int
            case .agreeing: nil
            }
        }
    }
}
