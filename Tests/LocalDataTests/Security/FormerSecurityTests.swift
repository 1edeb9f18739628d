import Foundation
import Testing

@testable import LocalData

/// What an earlier version of the app stored under another policy, at the same name and place.
@Suite struct FormerSecurityTests {
    private static let source = KeyMaterialSource(id: "pin")
    private static let weak = SecurityPolicy.encrypted(.external(source: source, keyDerivation: .pbkdf2(iterations: 1_000)))
    private static let domains: [StorageDomain] = [.userDefaults(suite: nil), .documents, .keychain(service: nil)]

    private let device = TestDevice()

    private func key(
        _ security: SecurityPolicy, former: [SecurityPolicy] = [], in domain: StorageDomain
    ) -> ValueKey<String> {
        var key = ValueKey("secret", of: String.self, in: domain, security: security)
        key.formerSecurity = former
        return key
    }

    private func router(_ key: ValueKey<String>) async throws -> StorageRouter {
        let router = device.router()
        await router.encryption.registerKeyMaterialProvider(FixedMaterial(byte: 7), for: Self.source)
        try await router.registerCatalog(ListedKeys(allKeys: [.key(key)]))
        return router
    }

    /// Every change between two policies that store different forms.
    private static let changes: [(SecurityPolicy, SecurityPolicy)] = [
        (.none, .recommended), (.recommended, .none), (weak, .recommended), (.recommended, weak), (.none, weak), (weak, .none),
    ]

    @Test(arguments: domains, changes.indices) func undeclaredItStaysAsItIs(_ domain: StorageDomain, _ index: Int) async throws {
        let (before, after) = Self.changes[index]
        let old = key(before, in: domain)
        try await router(old).set("old", for: old)
        let bytes = try await router(old).storedBytes(of: .key(old))
        let new = key(after, in: domain)
        let updated = try await router(new)
        let error = await storageError { _ = try await updated.get(new) }
        #expect(error?.code == .undeclaredPolicy)
        #expect(error?.description.contains("formerSecurity") == true)
        #expect(error?.description.lowercased().contains("remove") == false, "a remedy that loses the value")
        _ = try await updated.resealValues()
        #expect(try await updated.storedBytes(of: .key(new)) == bytes)
        #expect(try await router(old).get(old) == "old")
    }

    @Test(arguments: domains, changes.indices) func listedItIsReadAndStoredAnew(_ domain: StorageDomain, _ index: Int) async throws {
        let (before, after) = Self.changes[index]
        let old = key(before, in: domain)
        try await router(old).set("old", for: old)
        let new = key(after, former: [before], in: domain)
        let updated = try await router(new)
        #expect(try await updated.get(new) == "old")
        let plan = try await updated.keyRotationPlan().values
        #expect(plan.count == 1)
        if case .due? = plan.first?.state {} else { Issue.record("planned as \(plan)") }
        let outcome = try #require(try await updated.resealValues().first)
        if case .resealed = outcome.result {} else { Issue.record("\(outcome)") }
        // From now on the former policy need not be listed.
        let next = key(after, in: domain)
        #expect(try await router(next).get(next) == "old")
        #expect(try await updated.resealValues().map(\.summary) == ["secret in \(domain.kind): current"])
    }

    @Test(arguments: domains, changes.indices) func theFirstWriteStoresItAsDeclared(_ domain: StorageDomain, _ index: Int) async throws {
        let (before, after) = Self.changes[index]
        let old = key(before, in: domain)
        try await router(old).set("old", for: old)
        let new = key(after, former: [before], in: domain)
        try await router(new).set("new", for: new)
        let next = key(after, in: domain)
        #expect(try await router(next).get(next) == "new")
    }

    /// The attack that is refused: an envelope of the weakest source, whose material was guessed, in the place of a value that the master key seals.
    @Test func theWeakestSourceOpensNothingElse() async throws {
        let strong = key(.recommended, in: .documents)
        let router = try await router(strong)
        try await router.set("genuine", for: strong)
        let forged = try await router.engines.stored.secured(Data("\"forged\"".utf8), for: key(Self.weak, in: .documents))
        let envelope = try #require(forged.envelope)
        try await router.overwriteStoredBytes(of: .key(strong), with: envelope)
        #expect(await storageErrorCode { _ = try await router.get(strong) } == .undeclaredPolicy)
        let other = key(.encrypted(.external(source: KeyMaterialSource(id: "server"), keyDerivation: .hkdf())), in: .documents)
        #expect(await storageErrorCode { _ = try await self.router(other).get(other) } == .undeclaredPolicy)
        // And a plain one, which needs no key at all.
        try await router.overwriteStoredBytes(of: .key(strong), with: Data("\"forged\"".utf8))
        #expect(await storageErrorCode { _ = try await router.get(strong) } == .undeclaredPolicy)
    }

    /// Damage keeps its own error: nothing of it decodes.
    @Test(arguments: [Data(), Data([0x89]), Data([0x89, 0x4C, 0x44]), Data("{\"a".utf8), Data([0, 1, 2, 3])])
    func damageIsNoPlainValue(_ bytes: Data) async throws {
        let key = key(.recommended, former: [.none], in: .documents)
        let router = try await router(key)
        try await router.set("value", for: key)
        try await router.overwriteStoredBytes(of: .key(key), with: bytes)
        #expect(await storageErrorCode { _ = try await router.get(key) } == .corrupt)
    }

    /// An app may keep what it sealed itself in a key of the type Data.
    @Test(arguments: domains) func anEnvelopeCanBeAValue(_ domain: StorageDomain) async throws {
        let router = device.router()
        let envelope = try await router.encryption.encrypt(Data("mine".utf8), policy: .recommended, identity: "mine")
        let key = ValueKey("data", of: Data.self, in: domain, serializer: .data)
        try await router.set(envelope, for: key)
        #expect(try await router.get(key) == envelope)
    }

    /// Of the same type, but made for this very place: another version of the app has sealed it. What it holds is the value, and not the envelope.
    @Test(arguments: domains) func anEnvelopeOfThisPlaceIsNoPlainValue(_ domain: StorageDomain) async throws {
        let sealed = ValueKey("data", of: Data.self, in: domain, security: .recommended, serializer: .data)
        try await device.router().set(Data("mine".utf8), for: sealed)
        let plain = ValueKey("data", of: Data.self, in: domain, serializer: .data)
        #expect(await storageErrorCode { _ = try await self.device.router().get(plain) } == .undeclaredPolicy)
        #expect(try await device.router().get(sealed) == Data("mine".utf8))
        // Whose provider this version does not know it cannot open: it may be this place's as well.
        let external = ValueKey(
            "data", of: Data.self, in: domain,
            security: .encrypted(.external(source: KeyMaterialSource(id: "server"), keyDerivation: .hkdf())), serializer: .data)
        let router = device.router()
        struct Provider: KeyMaterialProviding {
            func keyMaterial(for keyName: String) async throws -> Data { Data(repeating: 7, count: 32) }
        }
        await router.encryption.registerKeyMaterialProvider(Provider(), for: KeyMaterialSource(id: "server"))
        try await router.set(Data("mine".utf8), for: external)
        #expect(await storageErrorCode { _ = try await self.device.router().get(plain) } == .undeclaredPolicy)
        #expect(try await router.get(external) == Data("mine".utf8))
    }

    /// Neither `.discard` nor a rotation touches what the key does not declare.
    @Test func nothingUndeclaredIsDiscarded() async throws {
        struct DiscardingKey: StorageKey {
            typealias Value = String
            let name = "secret"
            let domain = StorageDomain.documents
            let security = FormerSecurityTests.weak
            let missingKeyPolicy = MissingKeyPolicy.discard
            let owner = "Tests"
        }
        let strong = key(.recommended, in: .documents)
        let router = try await router(strong)
        try await router.set("x", for: strong)
        for id in try MasterKeyRing(environment: device.environment).keyIDs() { device.keychain.drop(id, service: MasterKeyRing.service) }
        let next = device.router()
        #expect(await storageErrorCode { _ = try await next.get(DiscardingKey()) } == .undeclaredPolicy)
        #expect(try await router.storedByteCount(of: .key(strong)) != nil)
    }
}
