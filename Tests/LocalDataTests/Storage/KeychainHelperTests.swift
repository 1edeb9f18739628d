import Foundation
import Testing

@testable import LocalData

@Suite struct KeychainHelperTests {
    private let device = TestDevice()
    private var keychain: KeychainHelper { device.router().keychain }
    private let secret = Data("secret".utf8)

    @Test func anItemIsStoredReadReplacedAndDeleted() async throws {
        #expect(try await keychain.get(account: "a") == nil)
        #expect(try await keychain.exists(account: "a") == false)
        try await keychain.set(secret, account: "a", accessibility: .afterFirstUnlock)
        #expect(try await keychain.get(account: "a") == secret)
        #expect(try await keychain.exists(account: "a"))
        try await keychain.set(Data([1]), account: "a", accessibility: .whenUnlockedThisDeviceOnly)
        #expect(device.keychain.peek("a")?.data == Data([1]))
        #expect(device.keychain.peek("a")?.accessibility == .whenUnlockedThisDeviceOnly)
        try await keychain.delete(account: "a")
        try await keychain.delete(account: "a")
        #expect(try await keychain.get(account: "a") == nil)
    }

    /// Only an item that may be bound to a person shows by wanting one that it is there. Of any other the same answer says that it cannot be told.
    @Test func wantingAPersonShowsAnItemThatMayBeBoundToOne() throws {
        let keychain = keychain
        device.keychain.fail("copyMatching", with: .interactionNotAllowed)
        #expect(try keychain.holds(account: "a", service: nil))
        #expect(throws: StorageError.self) { try keychain.holds(account: "a", service: nil, mayBeBound: false) }
        device.keychain.fail("copyMatching", with: nil)
        #expect(try !keychain.holds(account: "a", service: nil))
    }

    @Test func servicesAreApart() async throws {
        try await keychain.set(Data([1]), account: "a")
        try await keychain.set(Data([2]), account: "a", service: "other")
        try await keychain.set(Data([3]), account: "b", service: "other")
        try await keychain.deleteAll(service: "other")
        #expect(try await keychain.get(account: "a") == Data([1]))
        #expect(try await keychain.exists(account: "b", service: "other") == false)
    }

    /// Deleting works on a locked device and adding does not: delete-then-add would destroy the value.
    @Test func aReplacementNeverDeletes() async throws {
        try await keychain.set(secret, account: "a")
        try await keychain.set(Data([1]), account: "a")
        device.lockState = .locked
        #expect(await storageError { try await keychain.set(Data([2]), account: "a") }?.code == .locked)
        #expect(device.keychain.operations == ["update a", "add a", "update a", "update a"])
        #expect(device.keychain.peek("a")?.data == Data([1]))
    }

    @Test func anItemThatAnotherProcessAddsMeanwhileIsUpdated() async throws {
        let keychain = keychain
        let shared = device.keychain
        shared.beforeNextAdd { shared.put(KeychainItem(service: "com.example.app", account: "a", data: Data([9]))) }
        try await keychain.set(secret, account: "a")
        #expect(shared.peek("a")?.data == secret)
        #expect(shared.operations == ["update a", "add a", "update a"])
    }

    @Test func anItemThatComesAndGoesIsGivenUp() async {
        device.keychain.fail("add", with: .duplicateItem)
        #expect(await storageError { try await keychain.set(secret, account: "a") }?.code == .inputOutput)
        #expect(device.keychain.operations.filter { !$0.hasPrefix("copyMatching") }.count == 6)
    }

    @Test func theTagIsStoredWithTheSecretAndGoesWithIt() throws {
        let keychain = keychain
        try keychain.store(secret, account: "a", service: nil, accessibility: .whenUnlocked, accessControl: nil, tag: Data([7]))
        #expect(device.keychain.peek("a")?.generic == Data([7]))
        try keychain.store(secret, account: "a", service: nil, accessibility: .whenUnlocked, accessControl: nil, tag: Data([8]))
        #expect(try keychain.item(account: "a", service: nil)?.generic == Data([8]))
        try keychain.store(Data([1]), account: "a", service: nil, accessibility: .whenUnlocked, accessControl: nil)
        #expect(device.keychain.peek("a")?.generic == Data())
    }

    @Test(arguments: [
        (KeychainStatus.userCanceled, StorageError.Code.authenticationCancelled), (.authFailed, .authenticationFailed),
        (.missingEntitlement, .accessDenied), (.diskFull, .noSpace), (.decode, .corrupt), (.inputOutput, .inputOutput),
        (KeychainStatus(rawValue: -50), .inputOutput), (.interactionNotAllowed, .authenticationRequired),
    ]) func everyStatusIsAnError(_ status: KeychainStatus, _ code: StorageError.Code) async {
        for operation in ["add", "copyMatching", "update", "delete"] { device.keychain.fail(operation, with: status) }
        let keychain = keychain
        let errors = [
            await storageError { try await keychain.set(secret, account: "a") },
            await storageError { _ = try await keychain.get(account: "a") },
            await storageError { try await keychain.delete(account: "a") },
        ]
        for error in errors {
            #expect(error?.code == code)
            #expect(error?.facts.first?.contains("OSStatus \(status.rawValue)") == true)
        }
    }

    @Test(arguments: [
        (DeviceLockState.locked, KeychainAccessibility.whenUnlocked, StorageError.Code?.some(.locked)),
        (.beforeFirstUnlock, .whenUnlocked, .lockedBeforeFirstUnlock), (.beforeFirstUnlock, .afterFirstUnlock, .lockedBeforeFirstUnlock),
        (.locked, .afterFirstUnlock, nil), (.beforeFirstUnlock, .always, nil),
    ]) func lockedIsNotAbsent(_ state: DeviceLockState, _ accessibility: KeychainAccessibility, _ code: StorageError.Code?) async throws {
        try await keychain.set(secret, account: "a", accessibility: accessibility)
        device.lockState = state
        #expect(await storageError { _ = try await keychain.get(account: "a") }?.code == code)
        #expect(await storageError { _ = try await keychain.exists(account: "a") }?.code == code)
        if state == .beforeFirstUnlock {
            #expect(await storageError { _ = try await keychain.exists(account: "b") }?.code == .lockedBeforeFirstUnlock)
        } else {
            #expect(try await keychain.exists(account: "b") == false)
        }
        try await keychain.delete(account: "a")
        #expect(device.keychain.peek("a") == nil)
    }

    @Test func existenceAsksNobody() async throws {
        try await keychain.set(secret, account: "a", accessControl: .biometryAny)
        device.keychain.answer = .cancels
        #expect(try await keychain.exists(account: "a"))
        #expect(await storageError { _ = try await keychain.get(account: "a") }?.code == .authenticationCancelled)
        device.keychain.fail("copyMatching", with: .interactionNotAllowed)
        #expect(try await keychain.exists(account: "a"))
    }

    @Test func namesAreChecked() async {
        #expect(await storageError { try await keychain.set(secret, account: "") }?.code == .invalidKey)
        #expect(await storageError { _ = try await keychain.get(account: "a", service: "com.localdata.keys") }?.code == .invalidKey)
        #expect(await storageError { try await keychain.deleteAll(service: "com.localdata.keys") }?.code == .invalidKey)
        #expect(device.keychain.operations == [])
    }
}
