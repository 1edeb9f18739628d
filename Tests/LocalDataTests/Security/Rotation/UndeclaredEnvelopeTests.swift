import Foundation
import Testing

@testable import LocalData

/// A policy that changes without the former one being listed: what was sealed before is neither opened nor changed, and keeps its master key.
@Suite struct UndeclaredEnvelopeTests {
    private struct Key: StorageKey {
        typealias Value = String
        let name = "token"
        let domain = StorageDomain.keychain(service: "s")
        var security = SecurityPolicy.recommended
        var formerSecurity: [SecurityPolicy] = []
        let owner = "Tests"
        let description = "A key of the tests."
    }

    @Test(arguments: [
        SecurityPolicy.keychain(accessibility: .afterFirstUnlock, accessControl: .biometryAny),
        .keychain(accessibility: .whenPasscodeSetThisDeviceOnly, accessControl: nil),
    ]) func itIsNotBoundAndKeepsItsKey(_ policy: SecurityPolicy) async throws {
        let device = TestDevice()
        try await device.router().set("f81d4fae", for: Key())
        let (_, before) = device.keychain.copyMatching(KeychainQuery(service: "s", account: "token"))

        let router = device.router()
        try await router.registerCatalog(ListedKeys(allKeys: [.key(Key(security: policy))]))
        let outcomes = try await router.resealValues()
        guard case .failed(let error)? = outcomes.first?.result else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(error.code == .undeclaredPolicy)
        let (_, after) = device.keychain.copyMatching(KeychainQuery(service: "s", account: "token"))
        #expect(before == after && before.count == 1)
        _ = try await router.rotateKeys(retiringOldKeys: true)
        let report = await router.auditReport()
        #expect(report.items.map(\.presence) == [.damaged(.undeclaredPolicy)] && report.orphans == [])

        let mended = Key(security: policy, formerSecurity: [.recommended])
        #expect(try await device.router().get(mended) == "f81d4fae")
    }

    /// A value of the type Data may begin as an envelope does. Its protection follows the declaration, unless it is an envelope.
    @Test(arguments: [false, true]) func dataThatBeginsLikeOneIsProtected(isEnvelope: Bool) async throws {
        let device = TestDevice()
        try await device.router().set("f81d4fae", for: Key())
        let query = KeychainQuery(service: "s", account: "token")
        let envelope = try #require(device.keychain.copyMatching(query).items.first?.data)
        func key(_ accessibility: KeychainAccessibility) -> ValueKey<Data> {
            ValueKey(
                "token", in: .keychain(service: "s"), security: .keychain(accessibility: accessibility, accessControl: nil),
                serializer: .data)
        }
        try await device.router().remove(Key())
        try await device.router().set(isEnvelope ? envelope : envelope.prefix(20), for: key(.afterFirstUnlock))
        let router = device.router()
        try await router.registerCatalog(ListedKeys(allKeys: [.key(key(.whenUnlocked))]))
        let outcomes = try await router.resealValues()
        #expect(
            device.keychain.copyMatching(query).items.first?.accessibility == (isEnvelope ? .afterFirstUnlock : .whenUnlocked),
            "\(outcomes)")
    }
}
