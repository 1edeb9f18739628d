import LocalData

/// Two keys that migrate from each other: a mistake in the declarations, which has no end.
struct Ring: StorageKey {
    typealias Value = String
    let name: String
    let domain = StorageDomain.userDefaults(suite: nil)
    let security = SecurityPolicy.none
    let owner = "Tests"
    var migration: AnyStorageMigration? {
        AnyStorageMigration(SimpleLegacyMigration(destinationKey: self, sourceKey: .key(Ring(name: name == "a" ? "b" : "a"))))
    }
}
