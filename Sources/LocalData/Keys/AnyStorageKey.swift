/// A storage key without its static type, as catalogs list them.
public struct AnyStorageKey: Sendable {
    /// The key itself. Open it with a generic function.
    public let base: any StorageKey

    /// Wraps a key. See ``key(_:)`` for lists.
    public init(_ key: some StorageKey) {
        base = key
    }

    /// The spelling for lists: `[.key(StorageKeys.ThemeKey()), …]`.
    public static func key(_ key: some StorageKey) -> AnyStorageKey {
        AnyStorageKey(key)
    }

    /// The stored name: ``StorageKey/name``.
    public var name: String { base.name }
    /// Where the value is stored: ``StorageKey/domain``.
    public var domain: StorageDomain { base.domain }
    /// How the stored bytes are secured: ``StorageKey/security``.
    public var security: SecurityPolicy { base.security }
    /// What earlier versions of the app declared: ``StorageKey/formerSecurity``.
    public var formerSecurity: [SecurityPolicy] { base.formerSecurity }
    /// Who answers for the data: ``StorageKey/owner``.
    public var owner: String { base.owner }
    /// What the data is for: ``StorageKey/description``.
    public var description: String { base.description }
    /// The devices that the data exists on: ``StorageKey/availability``.
    public var availability: PlatformAvailability { base.availability }
    /// Whether the value travels to the counterpart, as declared: ``StorageKey/syncPolicy``.
    public var syncPolicy: SyncPolicy { base.syncPolicy }
    /// Where the value may still lie from an earlier version of the app: ``StorageKey/migration``.
    public var migration: AnyStorageMigration? { base.migration }
    /// The keychain access group that shares the value: ``StorageKey/accessGroup``.
    public var accessGroup: String? { base.accessGroup }
    /// What becomes of a sealed value whose master key is gone: ``StorageKey/missingKeyPolicy``.
    public var missingKeyPolicy: MissingKeyPolicy { base.missingKeyPolicy }
    /// The version of the form that values are stored in: ``StorageKey/schemaVersion``.
    public var schemaVersion: Int { base.schemaVersion }
}
