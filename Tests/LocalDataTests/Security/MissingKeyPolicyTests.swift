import Foundation
import Testing

@testable import LocalData

/// Sealed values whose master key is gone, and the ones whose key is merely out of reach.
@Suite struct MissingKeyPolicyTests {
    private struct SecretKey: StorageKey {
        typealias Value = String
        let name: String
        let domain: StorageDomain
        let missingKeyPolicy: MissingKeyPolicy
        let owner = "Tests"
        let description = "A secret"
    }

    private static let domains: [StorageDomain] = [
        .userDefaults(suite: nil), .fileSystem(directory: .documents), .encryptedFileSystem(directory: .documents), .keychain(service: nil),
    ]

    private let device = TestDevice()

    private func key(_ policy: MissingKeyPolicy, in domain: StorageDomain) -> SecretKey {
        SecretKey(name: "secret", domain: domain, missingKeyPolicy: policy)
    }

    /// Removes the master keys, as a restore does whose backup has none.
    private func loseMasterKeys() {
        let service = MasterKeyRing.service
        let (_, items) = device.keychain.copyMatching(KeychainQuery(service: service, returnsData: false, matchesAll: true))
        for item in items { device.keychain.drop(item.account, service: service) }
    }

    @Test(arguments: domains) func reportedUntilTheAppActs(_ domain: StorageDomain) async throws {
        let key = key(.report, in: domain)
        try await device.router().set("old", for: key)
        loseMasterKeys()
        let router = device.router()
        for _ in 1...2 { #expect(await storageError { _ = try await router.get(key) }?.code == .keyMissing) }
        #expect(try await router.exists(key))
        try await router.set("new", for: key)
        #expect(try await router.get(key) == "new")
    }

    @Test(arguments: domains, [true, false]) func discardedOnVerifiedAbsence(_ domain: StorageDomain, _ asksExistence: Bool) async throws {
        let key = key(.discard, in: domain)
        try await device.router().set("old", for: key)
        loseMasterKeys()
        let router = device.router()
        if asksExistence {
            #expect(try await !router.exists(key))
        } else {
            #expect(await storageError { _ = try await router.get(key) }?.code == .notFound)
        }
        #expect(try await router.storedByteCount(of: .key(key)) == nil)
        try await router.set("new", for: key)
        #expect(try await router.get(key) == "new")
    }

    /// A keychain that fails, or is locked, has not said that there is no key.
    @Test(arguments: [DeviceLockState.beforeFirstUnlock, .unlocked]) func outOfReachIsNotMissing(_ state: DeviceLockState) async throws {
        let key = key(.discard, in: .fileSystem(directory: .documents))
        try await device.router().set("old", for: key)
        device.lockState = state
        device.keychain.fail("copyMatching", with: state == .unlocked ? .inputOutput : .interactionNotAllowed)
        let code = await storageError { _ = try await device.router().get(key) }?.code
        #expect(code == (state == .unlocked ? .inputOutput : .lockedBeforeFirstUnlock))
        // Before the first unlock the system has been seen to report items as absent.
        device.keychain.fail("copyMatching", with: .itemNotFound)
        if state == .beforeFirstUnlock {
            #expect(await storageError { _ = try await device.router().get(key) }?.code == .lockedBeforeFirstUnlock)
        }
        device.lockState = .unlocked
        device.keychain.fail("copyMatching", with: nil)
        #expect(try await device.router().get(key) == "old")
    }

    @Test func damageIsNotAMissingKey() async throws {
        let key = key(.discard, in: .fileSystem(directory: .documents))
        let router = device.router()
        try await router.overwriteStoredBytes(of: .key(key), with: Data("no envelope".utf8))
        #expect(await storageError { _ = try await router.get(key) }?.code == .corrupt)
        #expect(try await router.exists(key))
    }

    @Test(arguments: [SecurityPolicy.none, .encrypted(.external(source: KeyMaterialSource(id: "remote"), keyDerivation: .hkdf()))])
    func whereNoMasterKeySealsThePolicyIsWarnedOf(_ security: SecurityPolicy) {
        var descriptor = StorageKeyDescriptor(
            name: "secret", domain: .keychain(service: nil), security: security, serializer: "json", owner: "Tests",
            description: "A secret",
            missingKeyPolicy: .discard, valueType: "String")
        #expect(StorageKeyLinter.warnings(for: descriptor).contains { $0.contains("missing key policy discard has no effect") })
        descriptor.security = .recommended
        #expect(StorageKeyLinter.warnings(for: descriptor).isEmpty)
    }

    @Test func theAuditShowsWhatIsNotTheDefault() {
        struct Catalog: StorageKeyCatalog {
            let allKeys: [AnyStorageKey]
        }
        for policy in MissingKeyPolicy.allCases {
            let catalog = Catalog(allKeys: [.key(SecretKey(name: "secret", domain: .keychain(service: nil), missingKeyPolicy: policy))])
            #expect(StorageAuditReport.renderText(for: catalog).contains("missing key   discard") == (policy == .discard))
            #expect(StorageAuditReport.renderJSON(for: catalog).contains("\"missingKey\"") == (policy == .discard))
        }
    }
}
