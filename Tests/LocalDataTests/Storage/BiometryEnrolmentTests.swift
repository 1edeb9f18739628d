import Foundation
import Testing

@testable import LocalData

/// What a secret is called that is bound to faces or fingers and cannot be read. Such an answer has two causes: a person who failed, and another enrolment.
@Suite struct BiometryEnrolmentTests {
    /// A keychain whose person always fails: what is under access control is neither read nor replaced.
    private struct WithoutItsPerson: KeychainStore {
        let base: MemoryKeychain

        func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
            query.returnsData ? (.authFailed, []) : base.copyMatching(query)
        }
        func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus { .authFailed }
        func add(_ item: KeychainItem) -> KeychainStatus { base.add(item) }
        func delete(_ query: KeychainQuery) -> KeychainStatus { base.delete(query) }
        var ownAccessGroup: String? { base.ownAccessGroup }
    }

    private let device = TestDevice()

    private func store(enrolment: UInt8, noting note: (inout KeychainItemMetadata) -> Void = { _ in }) throws {
        device.description.biometryEnrolment = .enrolled(state: Data([enrolment]))
        let keychain = KeychainHelper(environment: device.environment)
        try keychain.store(
            Data("secret".utf8), account: "a", service: nil, accessibility: .whenPasscodeSetThisDeviceOnly,
            accessControl: .biometryCurrentSet)
        var item = try #require(device.keychain.peek("a"))
        var metadata = KeychainItemMetadata(stored: item.generic ?? Data())
        note(&metadata)
        item.generic = metadata.stored
        device.keychain.put(item)
    }

    private func failing() -> KeychainHelper {
        var environment = device.environment
        environment.keychain = WithoutItsPerson(base: device.keychain)
        return KeychainHelper(environment: environment)
    }

    private func code(of body: () throws -> Void) -> StorageError.Code? {
        do { try body() } catch { return (error as? StorageError)?.code }
        return nil
    }

    @Test func anotherEnrolmentOfOneSystemIsToldFromAPersonWhoFailed() throws {
        try store(enrolment: 1)
        #expect(code { _ = try failing().item(account: "a", service: nil) } == .authenticationFailed)
        device.description.biometryEnrolment = .enrolled(state: Data([2]))
        #expect(code { _ = try failing().item(account: "a", service: nil) } == .invalidated)
    }

    /// "may change between major versions of the system, even if the state of the biometry has not" (LAContext.h, `evaluatedPolicyDomainState`). A person who
    /// failed once after an update of the system must not lose the secret.
    @Test(arguments: ["17.4", "18.0"]) func otherBytesOfAnotherSystemProveNothing(_ version: String) throws {
        try store(enrolment: 1)
        device.description.systemInfo = SystemInfo(name: "iOS", version: version)
        device.description.biometryEnrolment = .enrolled(state: Data([2]))
        let isSame = version == "17.4"
        #expect(code { _ = try failing().item(account: "a", service: nil) } == (isSame ? .invalidated : .authenticationFailed))
        let replaced = code {
            try failing().store(
                Data("new".utf8), account: "a", service: nil, accessibility: .whenPasscodeSetThisDeviceOnly,
                accessControl: .biometryCurrentSet)
        }
        #expect(replaced == (isSame ? nil : .authenticationFailed))
        #expect(device.keychain.peek("a")?.data == Data((isSame ? "new" : "secret").utf8))
    }

    /// An earlier version of LocalData did not note the system.
    @Test func otherBytesOfANotedEnrolmentWithoutItsSystemProveNothing() throws {
        try store(enrolment: 1) { $0.enrolmentSystem = nil }
        device.description.biometryEnrolment = .enrolled(state: Data([2]))
        #expect(code { _ = try failing().item(account: "a", service: nil) } == .authenticationFailed)
        // An update of the system within its major version is none.
        try store(enrolment: 1)
        device.description.systemInfo = SystemInfo(name: "iOS", version: "17.6.1")
        device.description.biometryEnrolment = .enrolled(state: Data([2]))
        #expect(code { _ = try failing().item(account: "a", service: nil) } == .invalidated)
    }
}
