import Foundation
import LocalData
import Testing

/// A key of an earlier version of the app, as the seeds' sample uses one and leaves it to the reader.
private struct LegacyKey: StorageKey {
    typealias Value = String

    let name: String
    let domain: StorageDomain
    let security: SecurityPolicy = .none
    let owner = "Legacy"
}

/// The seeds' first sample. Where its block says `// ...`, what every key has is filled in.
private enum SimpleSample {
    // The code block of the seed, word for word.
    struct MyNewKey: StorageKey {
        // ...
        typealias Value = String
        let name = "new_key_name"
        let domain: StorageDomain = .encryptedFileSystem(directory: .documents)
        let owner = "Seeds"
        let description = "The seeds' new key"

        var migration: AnyStorageMigration? {
            AnyStorageMigration(
                SimpleLegacyMigration(
                    destinationKey: self,
                    sourceKey: .key(LegacyKey(name: "old_key_name", domain: .userDefaults(suite: nil)))
                )
            )
        }
    }

    struct MyCatalog: StorageKeyCatalog {
        var allKeys: [AnyStorageKey] { [.key(MyNewKey())] }
    }
}

// The seeds' second sample, word for word but for one sign: its `shouldMigrate` asks whether the destination has a value, and would migrate exactly
// when there is nothing to do. What it means is that the destination has none.
struct MyMigration: StorageMigration {
    typealias DestinationKey = MyNewKey

    let destinationKey = MyNewKey()

    func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        try await !router.exists(destinationKey)
    }

    func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        // Custom migration logic
        try await router.set("custom", for: destinationKey)
        return MigrationResult(success: true)
    }
}

extension MyNewKey {
    var migration: AnyStorageMigration? {
        AnyStorageMigration(MyMigration())
    }
}

struct MyNewKey: StorageKey {
    typealias Value = String

    let name = "custom_key_name"
    let domain: StorageDomain = .userDefaults(suite: nil)
    let security: SecurityPolicy = .none
    let owner = "Seeds"
}

/// The seeds' second sample to the letter. It compiles, and it does what it says: with a value there it runs, without one it does not.
private struct MyLiteralMigration: StorageMigration {
    typealias DestinationKey = MyNewKey

    let destinationKey = MyNewKey()

    func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        try await router.exists(destinationKey)
    }

    func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        // Custom migration logic
        MigrationResult(success: true)
    }
}

@Suite struct MigrationSeedTests {
    private let device = TestDevice()

    @Test func aReadMigratesAsTheGuideSays() async throws {
        // Written by an earlier version of the app, without LocalData.
        device.defaults.put(.string("legacy"), forKey: "old_key_name")
        let router = device.router()
        #expect(try await router.get(SimpleSample.MyNewKey()) == "legacy")
        #expect(device.defaults.peek("old_key_name") == nil)
        // Secured again, by the destination's policy.
        #expect(device.files.protection(of: "/app/Documents/new_key_name") == .complete)
        #expect(device.files.peek("/app/Documents/new_key_name")?.range(of: Data("legacy".utf8)) == nil)
    }

    @Test func theSweepMigratesAsTheGuideSays() async throws {
        typealias MyCatalog = SimpleSample.MyCatalog
        device.defaults.put(.string("legacy"), forKey: "old_key_name")
        try await StorageRouter.$current.withValue(device.router()) {
            // The code block of the seed, word for word.
            try await StorageRouter.shared.registerCatalog(MyCatalog(), migrateImmediately: true)
            #expect(device.defaults.peek("old_key_name") == nil)
            #expect(try await StorageRouter.shared.get(SimpleSample.MyNewKey()) == "legacy")
        }
    }

    @Test func theCustomMigrationFillsAnAbsentValueAndLeavesAPresentOne() async throws {
        let router = device.router()
        #expect(try await router.get(MyNewKey()) == "custom")
        try await router.set("mine", for: MyNewKey())
        try await router.forceMigration(for: MyNewKey())
        #expect(try await router.get(MyNewKey()) == "mine")
    }

    @Test func theSampleToTheLetterAsksTheOpposite() async throws {
        let router = device.router()
        let context = MigrationContext(
            appVersion: "1", deviceInfo: DeviceInfo(model: "m", family: "f"), systemInfo: SystemInfo(name: "s", version: "1"),
            date: .distantPast)
        #expect(try await MyLiteralMigration().shouldMigrate(using: router, context: context) == false)
        #expect(try await MyLiteralMigration().migrate(using: router, context: context).success)
        #expect(try await MyMigration().shouldMigrate(using: router, context: context))
    }
}
