import LocalData

/// What a `key` block of a scenario file declares.
public struct KeyDeclaration: Sendable, Hashable {
    public var name: String
    public var domain: StorageDomain
    public var security: SecurityPolicy
    /// What earlier versions of the app declared, and what they stored is still read.
    public var formerSecurity: [SecurityPolicy] = []
    public var serializer: SerializerKind
    public var owner: String
    public var description: String
    public var availability: PlatformAvailability
    public var syncPolicy: SyncPolicy
    public var accessGroup: String?
    public var missingKeyPolicy = MissingKeyPolicy.report
    public var schemaVersion: Int
    /// How much of a value the phone sends to the watch instead of all of it; `nil`: all of it.
    public var watchForm: WatchForm?
    public var migrationSource: MigrationDeclaration.Source?
    public var migrationCondition: MigrationDeclaration.Condition?
    /// The catalog that lists it; `nil`: none, so that its use is unregistered.
    public var catalog: String?
    /// The app versions whose catalogs have it, from and up to and including these.
    public var since: AppVersion?
    public var until: AppVersion?

    public init(name: String) {
        self.name = name
        domain = .userDefaults(suite: nil)
        security = .recommended
        serializer = .json
        owner = "Scenario"
        description = name
        availability = .all
        syncPolicy = .never
        schemaVersion = 1
        catalog = KeyDeclaration.defaultCatalog
    }

    public static let defaultCatalog = "Scenario"

    /// Whether the catalogs of that version of the app list the key.
    public func exists(in version: AppVersion) -> Bool {
        (since.map { version >= $0 } ?? true) && (until.map { version <= $0 } ?? true)
    }

    /// How the value of an earlier version becomes the key's, if it does.
    public var migration: MigrationDeclaration? { migrationSource.map { MigrationDeclaration($0, when: migrationCondition) } }

    public enum SerializerKind: Sendable, Hashable {
        case json
        case plist
        case data
        /// Encodes as JSON, under a name of its own.
        case custom(String)
    }
}
