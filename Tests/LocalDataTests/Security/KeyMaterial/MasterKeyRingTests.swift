import Foundation
import Testing

@testable import LocalData

@Suite struct MasterKeyRingTests {
    let test = SecurityTestEnvironment()

    @Test func theFirstKeyIsMintedAndFoundAgain() throws {
        #expect(try test.ring.primary() == nil)
        let minted = try test.ring.primaryMintingIfAbsent()
        #expect(minted.id == "0001020304050607")
        #expect(minted.material.withUnsafeBytes { Data($0) } == Data(8..<40))
        #expect(try test.ring.primary()?.id == minted.id)
        #expect(try test.ring.key(minted.id).id == minted.id)
        #expect(try test.ring.keyIDs() == [minted.id])
        #expect(test.keychain.accounts == ["0001020304050607", "primary"])
    }

    @Test func itsItemsAreAfterFirstUnlockAndOfTheReservedService() throws {
        _ = try test.ring.primaryMintingIfAbsent()
        for account in test.keychain.accounts {
            #expect(test.keychain.item(account)?.accessibility == .afterFirstUnlock)
            #expect(test.keychain.item(account)?.service == "com.localdata.keys")
            #expect(test.keychain.item(account)?.accessControl == nil)
        }
    }

    @Test func askingAgainMintsNothing() throws {
        _ = try test.ring.primaryMintingIfAbsent()
        let before = (test.keychain.accounts, test.keychain.writes)
        _ = try test.ring.primaryMintingIfAbsent()
        #expect(before == (test.keychain.accounts, test.keychain.writes))
    }

    @Test(arguments: [
        (KeychainStatus.interactionNotAllowed, DeviceLockState.locked, StorageError.Code.locked),
        (.interactionNotAllowed, .beforeFirstUnlock, .lockedBeforeFirstUnlock),
        (.interactionNotAllowed, .unlocked, .authenticationRequired),
        (.itemNotFound, .beforeFirstUnlock, .lockedBeforeFirstUnlock),
        (.missingEntitlement, .unlocked, .accessDenied),
        (.decode, .unlocked, .corrupt),
        (.inputOutput, .unlocked, .inputOutput),
        (KeychainStatus(rawValue: -67_000), .unlocked, .inputOutput),
    ])
    func aKeychainThatDoesNotAnswerMintsNothing(_ status: KeychainStatus, _ state: DeviceLockState, _ code: StorageError.Code) throws {
        test.keychain.failAll(with: status)
        test.device.lockState = state
        #expect(storageErrorCode { _ = try test.ring.primaryMintingIfAbsent() } == code)
        test.keychain.failAll(with: nil)
        #expect(test.keychain.accounts == [])
        #expect(test.keychain.writes == 0)
    }

    @Test func aKeyThatIsGoneIsMissingAndNotReplaced() throws {
        let minted = try test.ring.primaryMintingIfAbsent()
        test.keychain.take(minted.id)
        #expect(storageErrorCode { _ = try test.ring.key(minted.id) } == .keyMissing)
        #expect(test.keychain.accounts == ["primary"])
    }

    @Test func sealingAfterTheKeyIsGoneMintsOneOfAnotherName() throws {
        let first = try test.ring.primaryMintingIfAbsent()
        test.keychain.take(first.id)
        #expect(try test.ring.primary() == nil)
        let second = try test.ring.primaryMintingIfAbsent()
        #expect(second.id != first.id)
        #expect(try test.ring.primary()?.id == second.id)
        #expect(storageErrorCode { _ = try test.ring.key(first.id) } == .keyMissing)
    }

    @Test func aCrashBetweenKeyAndPointerLeavesAKeyToAdopt() throws {
        let material = Data(repeating: 9, count: 32)
        test.keychain.put("beef", material)
        let adopted = try test.ring.primaryMintingIfAbsent()
        #expect(adopted.id == "beef")
        #expect(adopted.material.withUnsafeBytes { Data($0) } == material)
        #expect(test.keychain.accounts == ["beef", "primary"])
    }

    @Test func ofTwoThatMintAtOnceTheSecondTakesTheFirstsKey() throws {
        let other = test.ring
        nonisolated(unsafe) var theirs: MasterKey?
        // The other process gets in after this one has seen that there is no key, and before it adds its own.
        test.keychain.beforeNextAdd { _ in theirs = try? other.primaryMintingIfAbsent() }
        let ours = try test.ring.primaryMintingIfAbsent()
        #expect(ours.id == theirs?.id)
        #expect(try test.ring.primary()?.id == ours.id)
    }

    @Test func ofTwoThatPointAtOnceTheFirstDecides() throws {
        test.keychain.put("aaaa", Data(repeating: 1, count: 32))
        let keychain = test.keychain
        keychain.beforeNextAdd { _ in
            keychain.put("bbbb", Data(repeating: 2, count: 32))
            keychain.put("primary", Data("bbbb".utf8))
        }
        #expect(try test.ring.primaryMintingIfAbsent().id == "bbbb")
    }

    /// What was handed on to a group to open earlier values does not seal there: the key that seals in the own ring does.
    @Test func whatWasHandedOnBeforeDoesNotSeal() throws {
        let own = SecurityTestEnvironment()
        own.keychain.put("aaaa", Data(repeating: 1, count: 32))
        own.keychain.put("beef", Data(repeating: 9, count: 32))
        own.keychain.put("primary", Data("beef".utf8))
        test.keychain.put("aaaa", Data(repeating: 1, count: 32))
        #expect(try test.ring.primaryMintingIfAbsent(adoptingFrom: own.ring).id == "beef")
        #expect(try test.ring.keyIDs() == ["aaaa", "beef"])
    }

    /// A crash between the two steps of another process: the group's pointer is there, and its key only in the app's own ring.
    @Test func aGroupsKeyThatOnlyTheOwnRingHasIsHandedOn() throws {
        let material = Data(repeating: 9, count: 32)
        let own = SecurityTestEnvironment()
        own.keychain.put("beef", material)
        own.keychain.put("primary", Data("beef".utf8))
        test.keychain.put("primary", Data("beef".utf8))
        let handedOn = try test.ring.primaryMintingIfAbsent(adoptingFrom: own.ring)
        #expect(handedOn.id == "beef")
        #expect(handedOn.material.withUnsafeBytes { Data($0) } == material)
        #expect(test.keychain.accounts == ["beef", "primary"])
        #expect(test.keychain.item("primary")?.data == Data("beef".utf8))
        #expect(own.keychain.accounts == ["beef", "primary"])
    }

    /// Neither ring has the key that the pointer names: what it sealed is lost, and a new one seals.
    @Test func aGroupsKeyThatNobodyHasIsReplacedAndNotByTheOwnRingsOther() throws {
        let own = SecurityTestEnvironment()
        _ = try own.ring.primaryMintingIfAbsent()
        test.keychain.put("primary", Data("beef".utf8))
        test.entropy.skip(100)
        let minted = try test.ring.primaryMintingIfAbsent(adoptingFrom: own.ring)
        #expect(minted.id != "beef")
        #expect(try own.ring.primary()?.id != minted.id)
        #expect(try test.ring.primary()?.id == minted.id)
    }

    @Test(arguments: [Data(), Data([0xFF, 0xFE])])
    func aPointerToNothingIsCorrupt(_ pointer: Data) {
        test.keychain.put("primary", pointer)
        #expect(storageErrorCode { _ = try test.ring.primaryMintingIfAbsent() } == .corrupt)
        #expect(test.keychain.accounts == ["primary"])
    }

    @Test func aKeyOfAnotherLengthIsCorruptAndStays() {
        test.keychain.put("primary", Data("feed".utf8))
        test.keychain.put("feed", Data(count: 31))
        #expect(storageErrorCode { _ = try test.ring.primaryMintingIfAbsent() } == .corrupt)
        #expect(test.keychain.item("feed")?.data.count == 31)
    }

    @Test func withoutEntropyNothingIsAdded() {
        test.entropy.fail()
        #expect(storageErrorCode { _ = try test.ring.primaryMintingIfAbsent() } == .inputOutput)
        #expect(test.keychain.accounts == [])
    }
}
