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
        for tag in [Data([7]), Data([8])] {
            try keychain.store(secret, account: "a", service: nil, accessibility: .whenUnlocked, accessControl: nil, tag: tag)
            #expect(try keychain.item(account: "a", service: nil)?.generic == KeychainItemMetadata(tag: tag).stored)
        }
        try keychain.store(Data([1]), account: "a", service: nil, accessibility: .whenUnlocked, accessControl: nil)
        #expect(device.keychain.peek("a")?.generic == Data())
    }

    @Test(arguments: [nil] + KeychainAccessControl.allCases, [nil] + KeychainAccessControl.allCases)
    func aWriteGivesTheProtectionThatItNames(_ before: KeychainAccessControl?, _ after: KeychainAccessControl?) async throws {
        try await keychain.set(secret, account: "a", accessControl: before)
        try await keychain.set(Data([1]), account: "a", accessControl: after)
        #expect(device.keychain.peek("a")?.accessControl == after)
        #expect(device.keychain.peek("a")?.data == Data([1]))
    }

    @Test(arguments: [nil] + KeychainAccessControl.allCases, [nil] + KeychainAccessControl.allCases)
    func protectionChangesInOneStep(_ before: KeychainAccessControl?, _ after: KeychainAccessControl?) throws {
        let keychain = keychain
        let tag = Data((1...16).map { UInt8($0) })
        try keychain.store(secret, account: "a", service: nil, accessibility: .whenUnlocked, accessControl: before, tag: tag)
        func protect(asksPerson: Bool) throws -> Bool? {
            try keychain.protect(account: "a", service: nil, accessibility: .whenUnlocked, accessControl: after, asksPerson: asksPerson)
        }
        if before != nil, before != after {
            // Nobody is asked, and nothing changes.
            #expect(throws: StorageError.self) { try protect(asksPerson: false) }
            #expect(device.keychain.peek("a")?.accessControl == before)
        }
        #expect(try protect(asksPerson: true) == (before != after))
        let item = device.keychain.peek("a")
        #expect(item?.accessControl == after && item?.data == secret)
        #expect(KeychainItemMetadata(stored: item?.generic ?? Data()).tag == tag)
        #expect(try protect(asksPerson: false) == false, "once is enough")
        #expect(!device.keychain.operations.contains { $0.hasPrefix("delete") || $0.hasPrefix("add a, add") })
    }

    /// Earlier versions of LocalData noted no access control.
    @Test func whatWasNotNotedIsTried() throws {
        let keychain = keychain
        device.keychain.put(KeychainItem(service: "com.example.app", account: "a", data: secret, accessControl: .biometryAny))
        device.keychain.put(KeychainItem(service: "com.example.app", account: "b", data: secret))
        func protect(_ account: String, _ control: KeychainAccessControl?) throws -> Bool? {
            try keychain.protect(account: account, service: nil, accessibility: .whenUnlocked, accessControl: control, asksPerson: true)
        }
        #expect(try protect("a", .userPresence) == false, "bound to something, and nobody can tell to what")
        #expect(try protect("a", nil) == true)
        #expect(device.keychain.peek("a")?.accessControl == nil)
        #expect(try protect("b", nil) == false)
        #expect(try protect("b", .userPresence) == true)
        #expect(device.keychain.peek("b")?.accessControl == .userPresence)
        #expect(try protect("c", nil) == nil)
    }

    /// Nobody can authenticate on a device without a passcode: what is said does not send a person to try again and again.
    @Test func whatCannotBeAuthenticatedSaysTheWayOut() async throws {
        let keychain = keychain
        device.keychain.fail("add", with: .authFailed)
        let first = await storageError { try await keychain.set(secret, account: "a", accessibility: .whenPasscodeSetThisDeviceOnly) }
        #expect(first?.code == .authenticationFailed)
        #expect(first?.facts.contains { $0.hasPrefix("nothing was stored: such an item needs a passcode") } == true)
        #expect(first?.description.contains("the value is still there") == false)
        device.keychain.fail("add", with: nil)
        device.keychain.fail("update", with: .authFailed)
        let second = await storageError { try await keychain.set(secret, account: "a") }
        #expect(second?.facts.last == "to store another value all the same, remove this one first")
        device.keychain.fail("copyMatching", with: .authFailed)
        let third = await storageError { _ = try await keychain.get(account: "a") }
        #expect(third?.facts.contains { $0.contains("remove") } == false)
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
