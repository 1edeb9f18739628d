import Foundation
import Testing

@testable import LocalData

/// What looks at everything asks nobody, although no query tells which items are under access control.
@Suite struct UnattendedReadTests {
    /// A keychain that answers like SecItem, and notes whom it might have asked.
    private final class TellingNothing: KeychainStore, @unchecked Sendable {
        let base: MemoryKeychain
        private let lock = NSLock()
        private var asked: [String] = []

        init(_ base: MemoryKeychain) { self.base = base }

        var prompts: [String] { lock.withLock { asked } }

        private func note(_ query: KeychainQuery) {
            guard query.allowsInteraction, let account = query.account, base.peek(account)?.accessControl != nil else { return }
            lock.withLock { asked.append(account) }
        }

        var ownAccessGroup: String? { base.ownAccessGroup }
        func add(_ item: KeychainItem) -> KeychainStatus { base.add(item) }
        func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
            if query.returnsData { note(query) }
            let (status, items) = base.copyMatching(query)
            return (
                status,
                items.map {
                    var item = $0
                    item.accessControl = nil
                    return item
                }
            )
        }
        func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus {
            note(query)
            return base.update(query, to: change)
        }
        func delete(_ query: KeychainQuery) -> KeychainStatus { base.delete(query) }
    }

    /// A key that discards what nobody can open any more is looked into for that, and an edit that LocalData did not record for whether it is damage.
    @Test func existsAndSyncAskNobody() async throws {
        let device = TestDevice()
        let keychain = TellingNothing(device.keychain)
        var environment = device.environment
        environment.keychain = keychain
        let router = StorageRouter(environment: environment)
        let keys = ["bound", "edited"].map { name in
            var key = ValueKey(name, of: String.self, in: .keychain(service: nil), security: .recommended)
            key.formerSecurity = [.keychain(accessibility: .whenUnlocked, accessControl: .userPresence)]
            key.missingKeyPolicy = .discard
            key.syncPolicy = .automaticSmall
            return key
        }
        try await router.registerCatalog(ListedKeys(allKeys: keys.map { .key($0) }))
        try await router.set("sealed", for: keys[1])
        for key in keys {
            device.keychain.put(
                KeychainItem(service: "com.example.app", account: key.name, data: Data("\"x\"".utf8), accessControl: .userPresence))
            #expect(try await router.exists(key))
        }
        let later = StorageRouter(environment: environment)
        try await later.registerCatalog(ListedKeys(allKeys: keys.map { .key($0) }))
        _ = await later.syncStatus()
        _ = try await later.syncSnapshot()
        #expect(keychain.prompts == [])
        #expect(try await later.get(keys[0]) == "x")
        #expect(keychain.prompts == ["bound"])
    }

    @Test func auditPlanAndSweepAskNobody() async throws {
        let device = TestDevice()
        for account in ["declared", "unclaimed", "sealed"] {
            device.keychain.put(
                KeychainItem(service: "com.example.app", account: account, data: Data("\"x\"".utf8), accessControl: .userPresence))
        }
        let keychain = TellingNothing(device.keychain)
        var environment = device.environment
        environment.keychain = keychain
        let router = StorageRouter(environment: environment)
        var sealed = ValueKey("sealed", of: String.self, in: .keychain(service: nil), security: .recommended)
        sealed.formerSecurity = [.keychain(accessibility: .whenUnlocked, accessControl: .userPresence)]
        let plain = ValueKey(
            "declared", of: String.self, in: .keychain(service: nil),
            security: .keychain(accessibility: .whenUnlocked, accessControl: nil))
        try await router.registerCatalog(ListedKeys(allKeys: [.key(plain), .key(sealed)]))
        let report = await router.auditReport()
        #expect(report.items.map(\.presence) == [.unreadable(.authenticationRequired), .unreadable(.authenticationRequired)])
        _ = try await router.keyRotationPlan()
        _ = try await router.resealValues()
        #expect(keychain.prompts == [])
        // One key at a time, from the foreground.
        #expect(try await router.resealValue(of: plain).summary == "declared in keychain: resealed protection")
        #expect(try await router.resealValue(of: sealed).summary == "sealed in keychain: resealed form")
        #expect(device.keychain.peek("declared")?.accessControl == nil && device.keychain.peek("sealed")?.accessControl == nil)
        #expect(try await router.get(sealed) == "x")
    }
}
