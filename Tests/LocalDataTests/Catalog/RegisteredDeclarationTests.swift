import Foundation
import Testing

@testable import LocalData

/// Once catalogs are registered a key is used as one of them lists it.
@Suite struct RegisteredDeclarationTests {
    struct Key: StorageKey {
        var name = "note"
        var domain: StorageDomain = .fileSystem(directory: .documents)
        var security: SecurityPolicy = .recommended
        var formerSecurity: [SecurityPolicy] = []
        var serializer: Serializer<String> = .json
        var owner = "Tests"
        var description = "A key of the tests."
        var availability: PlatformAvailability = .all
        var syncPolicy: SyncPolicy = .automaticSmall
        var migration: AnyStorageMigration?
        var accessGroup: String?
        var missingKeyPolicy: MissingKeyPolicy = .report
        var schemaVersion = 1

        func with(_ change: (inout Self) -> Void) -> Self {
            var key = self
            change(&key)
            return key
        }
    }

    struct Keys: StorageKeyCatalog {
        var allKeys: [AnyStorageKey]
    }

    struct Descriptions: StorageKeyCatalog {
        nonisolated(unsafe) static var allKeys: [StorageKeyDescriptor] = [
            .from(Key(name: "draft_<id>")), .from(Key(name: "pin_<id>", domain: .userDefaults(suite: "pins.<id>"), security: .none)),
        ]
    }

    static func migration(from name: String) -> AnyStorageMigration {
        AnyStorageMigration(
            SimpleLegacyMigration(
                destinationKey: Key(),
                sourceKey: .key(Key(name: name, domain: .userDefaults(suite: nil), security: .none, syncPolicy: .never))))
    }

    /// Each part that decides where and how a value is stored, and whether it travels.
    static let others: [(key: Key, fact: String)] = [
        (
            Key().with { $0.domain = .fileSystem(directory: .caches) },
            "the place fileSystem, documents, and this declaration has fileSystem, caches"
        ),
        (
            Key().with { $0.domain = .encryptedFileSystem(directory: .documents) },
            "the place fileSystem, documents, and this declaration has encryptedFileSystem, documents, complete protection"
        ),
        (Key().with { $0.security = .none }, "the security ChaCha20-Poly1305, HKDF-SHA256, and this declaration has none"),
        (Key().with { $0.formerSecurity = [.none] }, "the former security [], and this declaration has [none]"),
        (Key().with { $0.serializer = .plist }, "the serializer json, and this declaration has plist"),
        (Key().with { $0.availability = .phoneOnly }, "the availability all, and this declaration has phoneOnly"),
        (Key().with { $0.syncPolicy = .never }, "the sync policy automaticSmall, and this declaration has never"),
        (Key().with { $0.accessGroup = "group.a" }, "the access group none, and this declaration has group.a"),
        (Key().with { $0.missingKeyPolicy = .discard }, "the policy for a missing key report, and this declaration has discard"),
        (Key().with { $0.schemaVersion = 2 }, "the form 1, and this declaration has 2"),
        (Key().with { $0.migration = migration(from: "old") }, "no migration, and this declaration has one"),
    ]

    let router = TestDevice().router()

    @Test(arguments: others.indices) func anotherDeclarationOfARegisteredNameIsRefused(_ index: Int) async throws {
        try await router.registerCatalog(Keys(allKeys: [.key(Key())]))
        try await router.set("kept", for: Key())
        let (other, fact) = Self.others[index]
        let uses: [@Sendable (StorageRouter) async throws -> Void] = [
            { try await $0.set("lost", for: other) }, { _ = try await $0.get(other) }, { try await $0.remove(other) },
            { _ = try await $0.exists(other) }, { for try await _ in $0.changes(of: other) {} },
            { try await $0.forceMigration(for: other) },
            { _ = try await $0.resealValue(of: other) }, { try await $0.setSyncPolicyOverride(.manual, for: other) },
        ]
        for use in uses {
            let error = await #expect(throws: (any Error).self) { try await use(router) }
            let problem =
                (error as? StorageError) ?? { if case .storage(let problem)? = error as? MigrationError { problem } else { nil } }()
            #expect(problem?.code == .invalidKey)
            #expect(problem?.facts == ["it is registered with \(fact)"])
        }
        #expect(try await router.get(Key()) == "kept")
        #expect(router.unregisteredKeys() == [])
    }

    @Test func whatReadersAreToldMayDiffer() async throws {
        try await router.registerCatalog(Keys(allKeys: [.key(Key())]))
        let other = Key().with {
            $0.owner = "Somebody else"
            $0.description = "In other words."
            // Drawn for each instance: what it sealed is opened all the same.
            $0.security = .encrypted(.chacha20Poly1305(keyDerivation: .hkdf(salt: Data([7]))))
        }
        try await router.set("kept", for: other)
        #expect(try await router.get(Key()) == "kept")
    }

    @Test func anotherWayOfAMigrationIsRefused() async throws {
        let key = Key().with { $0.migration = Self.migration(from: "old") }
        try await router.registerCatalog(Keys(allKeys: [.key(key)]))
        try await router.set("kept", for: key)
        let other = Key().with { $0.migration = Self.migration(from: "older") }
        let error = await #expect(throws: StorageError.self) { try await router.remove(other) }
        #expect(
            error?.facts == [
                "it is registered with a migration from 'old' in userDefaults, and this declaration has one from 'older' in userDefaults"
            ])
        #expect(try await router.get(Key().with { $0.migration = Self.migration(from: "old") }) == "kept")
    }

    /// An app may list the key under one spelling of a place and use another one.
    @Test func twoSpellingsOfOnePlaceAreOne() async throws {
        let item = SecurityPolicy.keychain(accessibility: .whenUnlocked, accessControl: nil)
        let key = Key(domain: .keychain(service: nil), security: item)
        try await router.registerCatalog(Keys(allKeys: [.key(key)]))
        try await router.set("kept", for: key)
        let spelled = key.with { $0.domain = .keychain(service: router.environment.device.bundleIdentifier) }
        #expect(try await router.get(spelled) == "kept")
    }

    @Test func aNameOfRunTimeIsDeclaredAsItIsDescribed() async throws {
        try await router.registerCatalog(Descriptions())
        try await router.set("kept", for: Key(name: "draft_7"))
        let error = await #expect(throws: StorageError.self) { try await router.get(Key(name: "draft_7", syncPolicy: .never)) }
        #expect(error?.facts == ["it is registered with the sync policy automaticSmall, and this declaration has never"])
        // The suite's name is made as well.
        try await router.set("1234", for: Key(name: "pin_7", domain: .userDefaults(suite: "pins.7"), security: .none))
        for suite in ["pins.", "others.7", nil] {
            let stray = Key(name: "pin_7", domain: .userDefaults(suite: suite), security: .none)
            #expect(await storageErrorCode { try await router.set("1234", for: stray) } == .invalidKey)
        }
    }

    /// Two descriptions may say as much of a name: it may be either, where they do not have one place.
    @Test func aNameOfTwoKindsIsOneOfThem() async throws {
        let (first, second) = (Key(name: "a_<id>"), Key(name: "<id>_a", domain: .fileSystem(directory: .caches)))
        try await router.registerCatalog(Keys(allKeys: [.key(first), .key(second)]))
        for key in [first, second] { try await router.set(key.name, for: key.with { $0.name = "a_7_a" }) }
        #expect(try await router.get(first.with { $0.name = "a_7_a" }) == "a_<id>")
        let error = await #expect(throws: StorageError.self) {
            try await router.get(Key(name: "a_7_a", domain: .fileSystem(directory: .caches), syncPolicy: .never))
        }
        #expect(
            error?.facts == [
                "as 'a_<id>' it is registered with the place fileSystem, documents, and this declaration has fileSystem, caches",
                "as 'a_<id>' it is registered with the sync policy automaticSmall, and this declaration has never",
                "as '<id>_a' it is registered with the sync policy automaticSmall, and this declaration has never",
            ])
    }

    /// What an app brought over by itself it reads where it was: in a migration there are no catalogs.
    @Test func aMigrationUsesFormerDeclarations() async throws {
        let device = TestDevice()
        let before = Key(domain: .userDefaults(suite: nil), security: .none, syncPolicy: .never)
        try await device.router().set("old", for: before)
        let key = Key().with {
            $0.migration = AnyStorageMigration(SimpleLegacyMigration(destinationKey: Key(), sourceKey: .key(before)))
        }
        let router = device.router()
        try await router.registerCatalog(Keys(allKeys: [.key(key)]), migrateImmediately: true)
        #expect(try await router.get(key) == "old")
        #expect(await storageErrorCode { _ = try await router.get(before) } == .invalidKey)
    }

    /// The source of a migration is no key that code asked for.
    @Test func sealingAnewAsksForNoSource() async throws {
        let first = Key(name: "first", syncPolicy: .never)
        let second = Key(name: "second", syncPolicy: .never).with {
            $0.migration = AnyStorageMigration(SimpleLegacyMigration(destinationKey: Key(name: "second"), sourceKey: .key(first)))
        }
        let third = Key().with { $0.migration = AnyStorageMigration(SimpleLegacyMigration(destinationKey: Key(), sourceKey: .key(second))) }
        try await router.registerCatalog(Keys(allKeys: [.key(third)]))
        try await router.set("kept", for: third)
        #expect(try await router.resealValues().map(\.key) == ["first", "note", "second"])
        #expect(router.unregisteredKeys() == [])
    }
}
