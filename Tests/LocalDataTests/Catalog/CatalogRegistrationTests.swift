import Foundation
import Testing

@testable import LocalData

@Suite struct CatalogRegistrationTests {
    struct Key: StorageKey {
        typealias Value = String
        var name: String
        var domain: StorageDomain = .userDefaults(suite: nil)
        var security: SecurityPolicy = .none
        var owner = "Tests"
        var description = "A key of the tests."
    }

    struct Keys: StorageKeyCatalog {
        var name = "Keys"
        var allKeys: [AnyStorageKey]
    }

    struct MoreKeys: StorageKeyCatalog {
        var allKeys: [AnyStorageKey]
    }

    struct Described: StorageKeyCatalog {
        static var allKeys: [StorageKeyDescriptor] { [.from(Key(name: "draft_<id>"), notes: "One for each draft.")] }
    }

    enum Namesakes {}

    /// As ``Key``, with values of another type.
    struct Number: StorageKey {
        typealias Value = Int
        var name: String
        var domain: StorageDomain = .userDefaults(suite: nil)
        let security = SecurityPolicy.none
        let owner = "Tests"
        let description = "A key of the tests."
    }

    let router = TestDevice().router()

    @Test func catalogsAddUpInTheOrderOfRegistration() async throws {
        try await router.registerCatalog(MoreKeys(allKeys: [.key(Key(name: "z")), .key(Key(name: "b"))]))
        try await router.registerCatalog(Keys(allKeys: [.key(Key(name: "a"))]))
        try await router.registerCatalog(Described())
        #expect(router.registeredCatalogs() == ["MoreKeys", "Keys", "Described"])
        #expect(router.registeredKeys().map(\.name) == ["z", "b", "a"])
        #expect(router.registeredDescriptors().map(\.name) == ["z", "b", "a", "draft_<id>"])
    }

    @Test func registeringAgainChangesNothingOrTakesTheNewList() async throws {
        for _ in 0..<2 { try await router.registerCatalog(Keys(allKeys: [.key(Key(name: "a"))])) }
        #expect(router.registeredKeys().map(\.name) == ["a"])
        try await router.registerCatalog(Keys(allKeys: [.key(Key(name: "a")), .key(Key(name: "b"))]))
        #expect(router.registeredKeys().map(\.name) == ["a", "b"])
        try await router.registerCatalog(Keys(name: "Other", allKeys: [.key(Key(name: "c"))]))
        #expect(router.registeredCatalogs() == ["Keys", "Other"])
    }

    @Test func everyProblemIsListedAndNothingIsRegistered() async throws {
        try await router.registerCatalog(
            MoreKeys(allKeys: [.key(Key(name: "taken")), .key(Key(name: "file", domain: .fileSystem(directory: .documents)))]))
        let catalog = Keys(allKeys: [
            .key(Key(name: "taken")),
            .key(Key(name: "twice")),
            .key(
                Key(name: "twice", domain: .keychain(service: nil), security: .keychain(accessibility: .whenUnlocked, accessControl: nil))),
            .key(Key(name: "nameless", owner: "  ", description: "\n")),
            .key(Key(name: "")),
            .key(Key(name: "salted", security: .encrypted(.aes256(keyDerivation: .hkdf(salt: Data(count: 256)))))),
            .key(Key(name: "fine")),
        ])
        let error = await #expect(throws: StorageError.self) { try await router.registerCatalog(catalog) }
        #expect(error?.code == .invalidCatalog)
        let facts = try #require(error?.facts)
        #expect(facts.count == 6)
        #expect(facts[0] == "'taken' is listed in MoreKeys and in Keys")
        #expect(facts[1] == "'twice' is listed twice in Keys")
        #expect(facts[2] == "'nameless' has no description")
        #expect(facts[3] == "'nameless' has no owner")
        #expect(facts[4].hasPrefix("'' cannot be stored: "))
        #expect(facts[5] == "'salted' cannot be stored: a salt of 256 bytes, more than 255")
        #expect(router.registeredCatalogs() == ["MoreKeys"])
        #expect(router.registeredKeys().count == 2)
    }

    @Test func twoNamesAtOnePlaceAreRefused() async throws {
        let path = FileDirectory.documents
        let catalog = Keys(allKeys: [
            .key(Key(name: "a", domain: .fileSystem(directory: path))),
            .key(Key(name: "a", domain: .encryptedFileSystem(directory: path), security: .recommended)),
        ])
        let error = await #expect(throws: StorageError.self) { try await router.registerCatalog(catalog) }
        #expect(error?.facts == ["'a' is listed twice in Keys"])
    }

    @Test func withoutCatalogsEveryKeyMayBeUsed() async throws {
        try await router.set("v", for: Key(name: "anything"))
        #expect(router.unregisteredKeys() == [])
    }

    @Test func withCatalogsOnlyTheirKeysMayBeUsed() async throws {
        try await router.registerCatalog(Keys(allKeys: [.key(Key(name: "a"))]))
        try await router.registerCatalog(Described())
        try await router.set("v", for: Key(name: "a"))
        try await router.set("v", for: Key(name: "draft_7"))
        for name in ["stray", "draft_"] {
            let error = await #expect(throws: StorageError.self) { try await router.set("v", for: Key(name: name)) }
            #expect(error?.code == .notRegistered)
            #expect(error?.key == name)
        }
        await #expect(throws: StorageError.self) { try await router.get(Key(name: "stray")) }
        #expect(router.unregisteredKeys() == ["draft_", "stray"])
        try await router.registerCatalog(MoreKeys(allKeys: [.key(Key(name: "stray"))]))
        #expect(router.unregisteredKeys() == ["draft_"])
        try await router.set("v", for: Key(name: "stray"))
    }

    @Test(arguments: ["a", "draft_7"])
    func aKeyWithOtherValuesThanTheRegisteredOneIsRefused(_ name: String) async throws {
        try await router.registerCatalog(Keys(allKeys: [.key(Key(name: "a")), .key(Key(name: "draft_<id>"))]))
        try await router.set("v", for: Key(name: name))
        let other = Number(name: name)
        let uses: [@Sendable (StorageRouter) async throws -> Void] = [
            { try await $0.set(5, for: other) }, { _ = try await $0.get(other) }, { try await $0.remove(other) },
            { _ = try await $0.exists(other) },
            { for try await _ in $0.changes(of: other) {} }, { _ = try await $0.migrationPlan(for: other) },
        ]
        for use in uses {
            let error = await #expect(throws: StorageError.self) { try await use(router) }
            #expect(error?.code == .invalidKey)
            #expect(error?.facts == ["it is registered with values of the type String, and this declaration has values of the type Int"])
        }
        #expect(try await router.get(Key(name: name)) == "v")
        #expect(router.unregisteredKeys() == [])
    }

    @Test func aDescriptionSaysNothingCertainOfTheTypeOfValues() async throws {
        try await router.registerCatalog(Described())
        try await router.set(5, for: Number(name: "draft_7"))
    }

    @Test func typesOfOneNameAreToldApart() async throws {
        try await router.registerCatalog(Keys(allKeys: [.key(ValueKey("a", of: CatalogRegistrationTests.Style.self))]))
        let error = await #expect(throws: StorageError.self) { try await router.get(ValueKey("a", of: Namesakes.Style.self)) }
        let own = "LocalDataTests.CatalogRegistrationTests"
        let types = ("\(own).Style", "\(own).Namesakes.Style")
        #expect(
            error?.facts == ["it is registered with values of the type \(types.0), and this declaration has values of the type \(types.1)"])
    }

    struct Style: Codable, Sendable {}
}

extension CatalogRegistrationTests.Namesakes {
    struct Style: Codable, Sendable {}
}
