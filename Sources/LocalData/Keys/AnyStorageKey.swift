/// A storage key without its static type, as catalogs list them.
public struct AnyStorageKey: Sendable {
    /// The key itself. Open it with a generic function.
    public let base: any StorageKey

    public init(_ key: some StorageKey) {
        base = key
    }

    /// The spelling for lists: `[.key(StorageKeys.ThemeKey()), …]`.
    public static func key(_ key: some StorageKey) -> AnyStorageKey {
        AnyStorageKey(key)
    }

    public var name: String { base.name }
    public var domain: StorageDomain { base.domain }
    public var security: SecurityPolicy { base.security }
    public var formerSecurity: [SecurityPolicy] { base.formerSecurity }
    public var owner: String { base.owner }
    public var description: String { base.description }
    public var availability: PlatformAvailability { base.availability }
    public var syncPolicy: SyncPolicy { base.syncPolicy }
    public var migration: AnyStorageMigration? { base.migration }
    public var accessGroup: String? { base.accessGroup }
    public var missingKeyPolicy: MissingKeyPolicy { base.missingKeyPolicy }
    public var schemaVersion: Int { base.schemaVersion }
}
