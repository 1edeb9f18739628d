import LocalData

/// What a `key` block of a scenario file declares.
public struct KeyDeclaration: Sendable, Hashable {
    /// The stored name.
    public var name: String
    /// As `StorageKey.domain`.
    public var domain: StorageDomain
    /// As `StorageKey.security`.
    public var security: SecurityPolicy
    /// What earlier versions of the app declared, and what they stored is still read.
    public var formerSecurity: [SecurityPolicy] = []
    /// How values become bytes.
    public var serializer: SerializerKind
    /// As `StorageKey.owner`.
    public var owner: String
    /// As `StorageKey.description`.
    public var description: String
    /// As `StorageKey.availability`.
    public var availability: PlatformAvailability
    /// As `StorageKey.syncPolicy`.
    public var syncPolicy: SyncPolicy
    /// As `StorageKey.accessGroup`.
    public var accessGroup: String?
    /// As `StorageKey.missingKeyPolicy`.
    public var missingKeyPolicy = MissingKeyPolicy.report
    /// As `StorageKey.schemaVersion`.
    public var schemaVersion: Int
    /// How much of a value the phone sends to the watch instead of all of it; `nil`: all of it.
    public var watchForm: WatchForm?
    /// Where the value of an earlier version lies; `nil`: nowhere.
    public var migrationSource: MigrationDeclaration.Source?
    /// When the migration runs; `nil`: always.
    public var migrationCondition: MigrationDeclaration.Condition?
    /// The catalog that lists it; `nil`: none, so that its use is unregistered.
    public var catalog: String?
    /// What its catalog lists in its place, for a name that is made at run time: a name with parts in angle brackets, such as `draft_<id>`; `nil`: the key
    /// itself.
    public var placeholder: String?
    /// The app versions whose catalogs have it, from and up to and including these.
    public var since: AppVersion?
    /// The last version that has it; `nil`: all later ones do.
    public var until: AppVersion?

    /// A key of that name as a block that says nothing declares it.
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

    /// The catalog of keys that name none.
    public static let defaultCatalog = "Scenario"

    /// Whether the catalogs of that version of the app list the key.
    public func exists(in version: AppVersion) -> Bool {
        (since.map { version >= $0 } ?? true) && (until.map { version <= $0 } ?? true)
    }

    /// How the value of an earlier version becomes the key's, if it does.
    public var migration: MigrationDeclaration? { migrationSource.map { MigrationDeclaration($0, when: migrationCondition) } }

    /// The serializers that a file can name.
    public enum SerializerKind: Sendable, Hashable {
        /// JSON with sorted keys, by LocalData's own serializer.
        case json
        /// A binary property list, by LocalData's own serializer.
        case plist
        /// The bytes of a `Data` as they are.
        case data
        /// Encodes as JSON, under a name of its own.
        case custom(String)
    }
}
