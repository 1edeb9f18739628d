import LocalData
import Testing

/// What the first specification's blocks on the storage audit take for granted: two keys of the app.
extension StorageKeys {
    struct AppVersionKey: StorageKey {
        typealias Value = String

        let name = "app_version"
        let domain: StorageDomain = .userDefaults(suite: nil)
        let security: SecurityPolicy = .none
        let serializer: Serializer<String> = .json
        let owner = "App"
        let description = "The version that ran last."
    }

    struct UserPreferencesKey: StorageKey {
        typealias Value = [String: Bool]

        let name = "user_preferences"
        let domain: StorageDomain = .fileSystem(directory: .documents)
        let owner = "Settings"
        let description = "What the person chose in the settings."
        let availability: PlatformAvailability = .phoneWithWatchSync
        let syncPolicy: SyncPolicy = .automaticSmall
    }
}

// swift-format-ignore
// Word for word from the first specification, "Storage Audit" 1).
struct AppStorageCatalog: StorageKeyCatalog {
static var allKeys: [StorageKeyDescriptor] {
[
.from(StorageKeys.AppVersionKey(), serializer: "json"),
.from(StorageKeys.UserPreferencesKey(), serializer: "json")
]
}
}

@Suite struct CatalogSeedTests {
    @Test func storageAuditOfTheSpecification() {
        // Word for word from the first specification, "Storage Audit" 2).
        let report = StorageAuditReport.renderText(for: AppStorageCatalog.self)
        print(report)

        #expect(
            report == """
                Storage audit: AppStorageCatalog
                2 keys, 0 warnings

                app_version
                    description   The version that ran last.
                    owner         App
                    value         String
                    serializer    json
                    stored in     userDefaults
                    security      none
                    devices       all
                    sync          never
                    leaves        never
                    backup        as serialized

                user_preferences
                    description   What the person chose in the settings.
                    owner         Settings
                    value         Dictionary<String, Bool>
                    serializer    json
                    stored in     fileSystem, documents
                    security      ChaCha20-Poly1305, HKDF-SHA256
                    devices       phoneWithWatchSync
                    sync          automaticSmall
                    leaves        as serialized, opened, to the paired device, which secures it by its own policy
                    backup        sealed

                """)
    }
}
