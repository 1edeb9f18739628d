import Foundation
import Testing

@testable import LocalData

@Suite struct DeviceAuditTests {
    struct Key: StorageKey {
        typealias Value = String
        var name: String
        var domain: StorageDomain
        var security: SecurityPolicy = .none
        var owner = "Tests"
        var description = "A key of the tests."
        var availability = PlatformAvailability.all
        var syncPolicy = SyncPolicy.never
        var legacy: String?
        var migration: AnyStorageMigration? {
            legacy.map {
                AnyStorageMigration(
                    SimpleLegacyMigration(destinationKey: self, sourceKey: .key(Key(name: $0, domain: .userDefaults(suite: "old")))))
            }
        }
    }

    struct Keys: StorageKeyCatalog {
        var allKeys: [AnyStorageKey]
        static var allKeys: [StorageKeyDescriptor] {
            [.from(Key(name: "draft_<id>", domain: .fileSystem(directory: .documents)), notes: "One for each draft.")]
        }
    }

    static let item = SecurityPolicy.keychain(accessibility: .whenUnlocked, accessControl: nil)

    @Test func itSaysWhatIsThere() async throws {
        let device = TestDevice()
        let router = device.router()
        let guarded = Key(
            name: "guarded", domain: .keychain(service: "s"),
            security: .keychain(accessibility: .whenUnlocked, accessControl: .biometryAny))
        try await router.registerCatalog(
            Keys(allKeys: [
                .key(Key(name: "note", domain: .fileSystem(directory: .documents))),
                .key(Key(name: "missing", domain: .fileSystem(directory: .documents))),
                .key(Key(name: "token", domain: .keychain(service: "s"), security: Self.item)),
                .key(guarded),
                .key(Key(name: "setting", domain: .userDefaults(suite: nil), syncPolicy: .automaticSmall, legacy: "old_setting")),
                .key(Key(name: "watch", domain: .userDefaults(suite: nil), availability: .watchOnly)),
            ]))
        try await router.set("milk", for: Key(name: "note", domain: .fileSystem(directory: .documents)))
        try await router.set("t0ken", for: Key(name: "token", domain: .keychain(service: "s"), security: Self.item))
        try await router.set("s", for: Key(name: "setting", domain: .userDefaults(suite: nil), syncPolicy: .automaticSmall))
        try await router.set("g", for: guarded)
        device.keychain.answer = .cancels
        device.defaults.put(.string("old"), forKey: "old_setting", in: .named("old"))
        device.files.put(Data([1]), at: "/app/Documents/draft_7")
        device.files.put(Data([1]), at: "/app/Documents/stray")
        device.keychain.put(KeychainItem(service: "s", account: "forgotten", data: Data([1])))
        device.defaults.put(.string("{}"), forKey: "com.localdata.sync.gone")

        let report = await router.auditReport()
        let presence = Dictionary(uniqueKeysWithValues: report.items.map { ($0.key.name, $0.presence) })
        #expect(presence["note"] == .present(byteCount: 6))
        #expect(presence["missing"] == .missing)
        #expect(presence["token"] == .present(byteCount: 7))
        #expect(presence["guarded"] == .present(byteCount: nil))
        #expect(presence["watch"] == .notApplicable)
        #expect(presence["draft_<id>"] == .notApplicable)
        #expect(report.items.first { $0.key.name == "setting" }?.legacyCopies == ["old_setting, userDefaults, suite old"])
        #expect(report.orphans == ["forgotten, keychain, service s", "gone, sync ledger", "stray, fileSystem, documents"])
        for output in [report.text, report.json] { #expect(!output.contains("t0ken") && !output.contains("milk")) }
        #expect(report.text.contains("Without a key:\n    forgotten, keychain, service s\n"))
    }

    @Test func aLockedDeviceIsSaidToBeLocked() async throws {
        let device = TestDevice()
        let router = device.router()
        let key = Key(name: "token", domain: .keychain(service: "s"), security: Self.item)
        try await router.registerCatalog(Keys(allKeys: [.key(key)]))
        try await router.set("t0ken", for: key)
        device.lockState = .locked
        #expect(await router.auditReport().items.first?.presence == .unreadable(.locked))
        #expect(await router.auditReport().text.contains("on device     unreadable: locked"))
    }

    @Test func itChangesNothing() async throws {
        let device = TestDevice()
        let router = device.router()
        let key = Key(name: "note", domain: .fileSystem(directory: .documents), syncPolicy: .automaticSmall, legacy: "old_note")
        try await router.registerCatalog(Keys(allKeys: [.key(key)]))
        device.defaults.put(.string("old"), forKey: "old_note", in: .named("old"))
        let before = device.files.paths
        _ = await router.auditReport()
        #expect(device.files.paths == before)
        #expect(device.defaults.changeCount == 0)
    }
}
