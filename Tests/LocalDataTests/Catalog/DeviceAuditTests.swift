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
        let setting = Key(name: "setting", domain: .userDefaults(suite: nil), syncPolicy: .automaticSmall, legacy: "old_setting")
        try await router.registerCatalog(
            Keys(allKeys: [
                .key(Key(name: "note", domain: .fileSystem(directory: .documents))),
                .key(Key(name: "missing", domain: .fileSystem(directory: .documents))),
                .key(Key(name: "token", domain: .keychain(service: "s"), security: Self.item)),
                .key(guarded),
                .key(setting),
                .key(Key(name: "watch", domain: .userDefaults(suite: nil), availability: .watchOnly)),
            ]))
        try await router.set("milk", for: Key(name: "note", domain: .fileSystem(directory: .documents)))
        try await router.set("t0ken", for: Key(name: "token", domain: .keychain(service: "s"), security: Self.item))
        try await router.set("s", for: setting)
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
        #expect(
            report.items.first { $0.key.name == "setting" }?.legacyCopies
                == [LegacyCopy(name: "old_setting", place: "userDefaults, suite old", state: .residual)])
        #expect(
            report.findings == [
                StorageFinding(.orphanedRecord, place: "sync ledger, userDefaults", name: "gone"),
                StorageFinding(.unclaimed, place: "fileSystem, documents", name: "stray", byteCount: 1),
                StorageFinding(.unclaimed, place: "keychain, service s", name: "forgotten"),
            ])
        for output in [report.text, report.json] { #expect(!output.contains("t0ken") && !output.contains("milk")) }
        #expect(report.text.contains("Sync records without a key:\n    sync ledger, userDefaults, gone\n"))
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

    @Test func damageIsToldFromAbsenceAndFromALock() async throws {
        let device = TestDevice()
        let router = device.router()
        let sealed = Key(name: "sealed", domain: .encryptedFileSystem(directory: .documents), security: .recommended)
        let moved = Key(name: "moved", domain: .fileSystem(directory: .documents), security: .recommended)
        let plain = Key(name: "plain", domain: .fileSystem(directory: .documents))
        try await router.registerCatalog(Keys(allKeys: [.key(sealed), .key(moved), .key(plain)]))
        for key in [sealed, moved, plain] { try await router.set("value", for: key) }
        device.files.put(try #require(device.files.peek("/app/Documents/sealed")), at: "/app/Documents/moved")
        device.files.put(Data("{".utf8), at: "/app/Documents/plain")

        var presence = await router.auditReport().items.map(\.presence)
        #expect(presence[0] == .present(byteCount: device.files.peek("/app/Documents/sealed")?.count))
        #expect(presence[1] == .damaged(.decryptionFailed))
        #expect(presence[2] == .damaged(.wrongType))
        // Without opening them, only that something is there.
        presence = await router.auditReport(opensValues: false).items.map(\.presence)
        #expect(presence[2] == .present(byteCount: 1))
        device.lockState = .locked
        presence = await router.auditReport().items.map(\.presence)
        #expect(presence[0] == .unreadable(.locked))
    }

    @Test func copiesThatWaitAreToldFromThoseThatWereLeft() async throws {
        let device = TestDevice()
        let router = device.router()
        let key = Key(name: "setting", domain: .fileSystem(directory: .documents), legacy: "old_setting")
        try await router.registerCatalog(Keys(allKeys: [.key(key)]))
        device.defaults.put(.string("old"), forKey: "old_setting", in: .named("old"))
        let place = "userDefaults, suite old"
        #expect(await router.auditReport().items[0].legacyCopies == [LegacyCopy(name: "old_setting", place: place, state: .waiting)])
        // Where a migration may still fetch it from, it belongs to the key.
        #expect(await router.auditReport().findings == [])
        try await router.set("new", for: key)
        #expect(await router.auditReport().items[0].legacyCopies == [LegacyCopy(name: "old_setting", place: place, state: .residual)])
        _ = try await router.forceMigration(for: key)
        #expect(await router.auditReport().items[0].legacyCopies == [])
    }

    /// An app that has dropped keys: what LocalData made for them is told from what may be anybody's.
    @Test func whatDroppedKeysLeftIsFound() async throws {
        let device = TestDevice()
        let dropped = [
            Key(name: "sealed", domain: .fileSystem(directory: .documents), security: .recommended),
            Key(name: "setting", domain: .userDefaults(suite: nil), security: .recommended),
            Key(name: "secret", domain: .keychain(service: "s"), security: .recommended),
            Key(name: "note", domain: .fileSystem(directory: .documents), syncPolicy: .manual),
        ]
        let earlier = device.router()
        for key in dropped { try await earlier.set("value", for: key) }
        try await earlier.setSyncPolicyOverride(.never, for: dropped[3])
        let custom = RecordIdentity(original: "file/documents/gone")
        try earlier.files.writeInternal(
            Coders.jsonEncoder.encode(MigrationMark(.removed, location: custom)), name: MigrationMark.file(.removed, of: custom))
        try earlier.files.writeInternal(Data("{".utf8), name: "Sync/Records/damaged.json")
        try earlier.files.writeInternal(Data([1, 2]), name: "Future/journal.bin")
        device.files.put(Data([1]), at: "/app/Documents/.localdata-\(String(repeating: "0", count: 32)).tmp")
        device.keychain.put(
            KeychainItem(
                service: "com.localdata.keys", account: "00112233445566ff", data: Data(count: 32), accessibility: .afterFirstUnlock))

        let router = device.router()
        let kept = Key(name: "kept", domain: .fileSystem(directory: .documents))
        let guarded = Key(name: "kept secret", domain: .keychain(service: "s"), security: Self.item)
        try await router.registerCatalog(Keys(allKeys: [.key(kept), .key(guarded)]))
        let paths = device.files.paths
        let report = await router.auditReport()
        let found = try #require(report.findings).map { "\($0.kind.rawValue): \($0.place): \($0.name)" }
        #expect(
            found == [
                "orphanedValue: fileSystem, documents: sealed", "orphanedValue: keychain, service s: secret",
                "orphanedValue: userDefaults: setting", "orphanedRecord: sync ledger: note", "orphanedPolicy: sync policies: note",
                // Not the master key: what it sealed may have been in preferences, beside the other one, and come back with a power loss.
                "orphanedMark: migration marks: file/documents/gone", "unknown: LocalData's folder: Future/journal.bin",
                "leftover: fileSystem, documents: .localdata-\(String(repeating: "0", count: 32)).tmp",
                "damaged: sync ledger: Sync/Records/damaged.json", "unclaimed: fileSystem, documents: note",
            ])
        #expect(report.orphans.count == 7)
        #expect(device.files.paths == paths, "an audit collects nothing")
    }

    /// A key that seals what cannot be read for now is not told as needless.
    @Test func keysAreOrphanedOnlyWhenAllWasRead() async throws {
        let device = TestDevice()
        let key = Key(name: "sealed", domain: .encryptedFileSystem(directory: .documents), security: .recommended)
        let router = device.router()
        try await router.registerCatalog(Keys(allKeys: [.key(key)]))
        try await router.set("value", for: key)
        device.keychain.put(
            KeychainItem(
                service: "com.localdata.keys", account: "00112233445566ff", data: Data(count: 32), accessibility: .afterFirstUnlock))
        #expect(await router.auditReport().orphans.map(\.kind) == [.orphanedKey])
        device.lockState = .locked
        #expect(await router.auditReport().orphans == [])
    }

    /// An envelope may lie wherever the app has folders of its own. What could not be looked at is told, since it may be one.
    @Test func foldersThatCannotBeLookedIntoAreTold() async throws {
        func findings(_ prepare: (TestDevice) -> Void) async throws -> [String] {
            let device = TestDevice()
            let router = device.router()
            try await router.registerCatalog(Keys(allKeys: [.key(Key(name: "note", domain: .userDefaults(suite: nil)))]))
            prepare(device)
            return try #require(await router.auditReport().findings).filter { $0.kind == .unreadable && $0.place.hasPrefix("fileSystem") }
                .map { "\($0.place): \($0.name): \($0.error?.rawValue ?? "")" }
        }
        let mine = Data("a picture".utf8)
        #expect(try await findings { $0.files.put(mine, at: "/app/Documents/a/b/c.jpg") } == [])
        let deep = String(repeating: "d/", count: 16)
        #expect(try await findings { $0.files.put(mine, at: "/app/Documents/\(deep)c.jpg") } == [])
        #expect(
            try await findings { $0.files.put(mine, at: "/app/Documents/\(deep)e/c.jpg") } == [
                "fileSystem, documents: \(deep)e, more than 16 folders deep: "
            ])
        let locked = try await findings { device in
            for name in ["a.jpg", "b/c.jpg"] { device.files.put(mine, at: "/app/Documents/mine/\(name)", protection: .complete) }
            device.lockState = .locked
        }
        #expect(locked == ["fileSystem, documents: mine/a.jpg and 1 more: locked"])
    }
}
