import Foundation
import Testing

@testable import LocalData

/// Before the first unlock a keychain that says "not found" is not believed, whatever is asked for.
@Suite struct BelievableKeychainTests {
    private let device = TestDevice()
    private let token = ValueKey(
        "token", of: String.self, in: .keychain(service: nil), security: .keychain(accessibility: .afterFirstUnlock, accessControl: nil))
    private let sealed = ValueKey("sealed", of: String.self, in: .documents, security: .recommended)

    private func pretendAbsence() {
        device.lockState = .beforeFirstUnlock
        for operation in ["copyMatching", "update", "delete"] { device.keychain.fail(operation, with: .itemNotFound) }
    }

    private func comeBack() {
        device.lockState = .unlocked
        for operation in ["copyMatching", "update", "delete"] { device.keychain.fail(operation, with: nil) }
    }

    @Test func nothingFollowsFromIt() async throws {
        try await device.router().set("first", for: token)
        try await device.router().set("value", for: sealed)
        pretendAbsence()
        let router = device.router()
        let uses: [@Sendable () async throws -> Void] = [
            { _ = try await router.get(token) }, { _ = try await router.exists(token) }, { try await router.remove(token) },
            { try await router.set("second", for: token) }, { _ = try await router.get(sealed) },
            { try await router.set("second", for: sealed) }, { _ = try router.keychain.syncTag(service: nil, account: "token") },
            { try await router.forceMigration(for: ValueKey("new", of: String.self, in: .documents).replacing(token)) },
        ]
        for use in uses {
            do {
                try await use()
                Issue.record("it was believed")
            } catch let error as StorageError {
                #expect(error.code == .lockedBeforeFirstUnlock)
            } catch MigrationError.deferred(let error) {
                #expect(error.code == .lockedBeforeFirstUnlock)
            }
        }
        comeBack()
        #expect(try await router.get(token) == "first")
        #expect(try await router.get(sealed) == "value")
    }

    @Test func afterTheUnlockAbsenceIsAbsence() async throws {
        let router = device.router()
        #expect(await storageError { _ = try await router.get(token) }?.code == .notFound)
        // No process outlives a restart: what it saw once holds.
        let witness = UnlockWitness()
        #expect(witness.isSeen(on: device.description))
        device.lockState = .beforeFirstUnlock
        #expect(witness.isSeen(on: device.description))
    }

    /// The keychain answers before the unlock, and the device is unlocked by the time the answer is looked at.
    @Test func anAnswerFromBeforeTheUnlockIsNotBelieved() {
        device.lockState = .beforeFirstUnlock
        let item = KeychainItem(service: "s", account: "a", data: Data([1]), accessibility: .afterFirstUnlock)
        let keychain = BelievableKeychain(UnlockedMeanwhile(item: item, device: device.description), on: device.description)
        #expect(keychain.copyMatching(KeychainQuery(service: "s", account: "a")).status == .interactionNotAllowed)
        #expect(keychain.copyMatching(KeychainQuery(service: "s", account: "a")).items == [item])
    }
}

/// Says at first that there is nothing, and has it from then on.
private final class UnlockedMeanwhile: KeychainStore, @unchecked Sendable {
    private let item: KeychainItem
    private let device: FixedDevice

    init(item: KeychainItem, device: FixedDevice) {
        self.item = item
        self.device = device
    }

    func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
        defer { device.lockState = .unlocked }
        return device.lockState == .unlocked ? (.success, [item]) : (.itemNotFound, [])
    }
    var ownAccessGroup: String? { nil }
    func add(_ item: KeychainItem) -> KeychainStatus { .duplicateItem }
    func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus { .success }
    func delete(_ query: KeychainQuery) -> KeychainStatus { .success }
}
