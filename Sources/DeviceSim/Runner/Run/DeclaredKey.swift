import DeviceSimLanguage
import LocalData

/// A key that a scenario file declares, as the app's own `StorageKey`.
///
/// A class that never changes: LocalData hands keys on at every step of an operation, and each copy then counts one reference.
final class DeclaredKey<Value: Codable & Sendable>: StorageKey {
    let name: String
    let domain: StorageDomain
    let security: SecurityPolicy
    let formerSecurity: [SecurityPolicy]
    let serializer: Serializer<Value>
    let owner: String
    let description: String
    let availability: PlatformAvailability
    let syncPolicy: SyncPolicy
    let migration: AnyStorageMigration?
    let accessGroup: String?
    let missingKeyPolicy: MissingKeyPolicy
    let schemaVersion: Int

    init(_ declaration: KeyDeclaration, serializer: Serializer<Value>) {
        name = declaration.name
        domain = declaration.domain
        security = declaration.security
        formerSecurity = declaration.formerSecurity
        self.serializer = serializer
        owner = declaration.owner
        description = declaration.description
        availability = declaration.availability
        syncPolicy = declaration.syncPolicy
        accessGroup = declaration.accessGroup
        missingKeyPolicy = declaration.missingKeyPolicy
        migration = nil
        schemaVersion = declaration.schemaVersion
    }

    private init(
        _ key: DeclaredKey, name: String? = nil, domain: StorageDomain? = nil, security: SecurityPolicy? = nil,
        availability: PlatformAvailability? = nil,
        syncPolicy: SyncPolicy? = nil, migration: AnyStorageMigration? = nil
    ) {
        self.name = name ?? key.name
        self.domain = domain ?? key.domain
        self.security = security ?? key.security
        formerSecurity = key.formerSecurity
        serializer = key.serializer
        owner = key.owner
        description = key.description
        self.availability = availability ?? key.availability
        self.syncPolicy = syncPolicy ?? key.syncPolicy
        self.migration = migration
        accessGroup = key.accessGroup
        missingKeyPolicy = key.missingKeyPolicy
        schemaVersion = key.schemaVersion
    }

    /// The same key with that migration.
    func with(_ migration: AnyStorageMigration) -> DeclaredKey { DeclaredKey(self, migration: migration) }

    /// The same kind of key at a place that nobody declares any more, where an app without LocalData kept it: neither sealed nor synced.
    func moved(toName name: String, domain: StorageDomain) -> DeclaredKey {
        DeclaredKey(self, name: name, domain: domain, security: SecurityPolicy.none, syncPolicy: .never)
    }

    /// What a catalog lists for all keys of this kind whose names are made at run time.
    func named(_ name: String) -> DeclaredKey { DeclaredKey(self, name: name) }

    /// The place alone: any device may use it, nothing syncs, nothing migrates.
    var placeOnly: DeclaredKey {
        DeclaredKey(self, availability: .all, syncPolicy: .never)
    }
}
