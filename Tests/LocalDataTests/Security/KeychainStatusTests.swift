import Testing

@testable import LocalData

@Suite struct KeychainStatusTests {
    @Test(arguments: [
        (KeychainStatus.itemNotFound, DeviceLockState.unlocked, StorageError.Code.notFound),
        (.interactionNotAllowed, .unlocked, .authenticationRequired),
        (.interactionNotAllowed, .locked, .locked),
        (.interactionNotAllowed, .beforeFirstUnlock, .lockedBeforeFirstUnlock),
        (.userCanceled, .unlocked, .authenticationCancelled),
        (.authFailed, .unlocked, .authenticationFailed),
        (.decode, .unlocked, .corrupt),
        (.diskFull, .unlocked, .noSpace),
        (.notAvailable, .unlocked, .noSpace),
        (.notAvailable, .beforeFirstUnlock, .lockedBeforeFirstUnlock),
        (.missingEntitlement, .unlocked, .accessDenied),
        (.inputOutput, .unlocked, .inputOutput),
        (.duplicateItem, .unlocked, .inputOutput),
        (KeychainStatus(rawValue: 1), .unlocked, .inputOutput),
    ])
    func codes(_ status: KeychainStatus, _ state: DeviceLockState, _ code: StorageError.Code) {
        #expect(status.storageError(lockState: state) == code)
    }

    @Test func readingNeverLacksSpace() {
        #expect(KeychainStatus.notAvailable.storageError(lockState: .unlocked, stores: false) == .inputOutput)
        #expect(KeychainStatus.notAvailable.storageError(lockState: .beforeFirstUnlock, stores: false) == .lockedBeforeFirstUnlock)
    }

    @Test func onlyItemNotFoundIsAbsence() {
        for raw in Int32(-70_000)...0 where raw != KeychainStatus.itemNotFound.rawValue {
            #expect(KeychainStatus(rawValue: raw).storageError(lockState: .unlocked) != .notFound)
        }
    }

    @Test func factsNameTheStatusAndTheCall() {
        #expect(KeychainStatus.itemNotFound.fact(at: "update") == "OSStatus -25300 (errSecItemNotFound) at update")
        #expect(KeychainStatus(rawValue: -1).fact(at: "add") == "OSStatus -1 at add")
    }
}
