import Foundation
import LocalData

/// A key of the crash suite: a text somewhere, secured somehow.
struct CrashKey: StorageKey {
    let name: String
    let domain: StorageDomain
    let security: SecurityPolicy
    var formerSecurity: [SecurityPolicy] = []
    var syncPolicy = SyncPolicy.never
    var migration: AnyStorageMigration?
    let owner = "CrashTests"
    let description = "A value under test"
    let serializer = Serializer<String>.json
    let availability = PlatformAvailability.all

    init(_ name: String, at place: CrashPlace) {
        self.name = name
        domain = place.domain
        security = place.security
    }

    /// The key without what would move or send its value.
    var bare: CrashKey {
        var key = self
        key.migration = nil
        key.syncPolicy = .never
        return key
    }

    func synced() -> CrashKey {
        var key = self
        key.syncPolicy = .automaticSmall
        return key
    }

    func replacing(_ older: CrashKey) -> CrashKey {
        var key = self
        key.migration = AnyStorageMigration(SimpleLegacyMigration(destinationKey: self, sourceKey: .key(older)))
        return key
    }

    func migrating(by migration: some StorageMigration) -> CrashKey {
        var key = self
        key.migration = AnyStorageMigration(migration)
        return key
    }
}
