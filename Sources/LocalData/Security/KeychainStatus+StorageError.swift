/// What a keychain's status means for a caller, in one place.
extension KeychainStatus {
    /// The error code for this status, which is not ``success``.
    ///
    /// −25308 alone does not tell a locked device from a prompt that was not allowed: the state of the lock does. −25293 is also what an
    /// item reads as that was invalidated for ever by a change of biometry; ``KeychainHelper`` tells the two apart.
    /// - Parameter stores: Whether the call was to store something: nothing else can fail for want of space.
    func storageError(lockState: DeviceLockState, stores: Bool = true) -> StorageError.Code {
        switch self {
        case .itemNotFound: .notFound
        case .interactionNotAllowed: Self.unavailable(lockState)
        case .notAvailable:
            // "No keychain is available": before the first unlock that is the lock; a full store is told to who writes in this way.
            lockState == .beforeFirstUnlock ? .lockedBeforeFirstUnlock : stores ? .noSpace : .inputOutput
        case .userCanceled: .authenticationCancelled
        case .authFailed: .authenticationFailed
        case .decode: .corrupt
        case .diskFull: .noSpace
        case .missingEntitlement: .accessDenied
        default: .inputOutput
        }
    }

    private static func unavailable(_ lockState: DeviceLockState) -> StorageError.Code {
        switch lockState {
        case .beforeFirstUnlock: .lockedBeforeFirstUnlock
        case .locked: .locked
        case .unlocked: .authenticationRequired
        }
    }

    /// The name that Apple's headers give the status; `nil` for one that LocalData does not know.
    var name: String? {
        switch self {
        case .success: "errSecSuccess"
        case .inputOutput: "errSecIO"
        case .userCanceled: "errSecUserCanceled"
        case .diskFull: "errSecDskFull"
        case .notAvailable: "errSecNotAvailable"
        case .authFailed: "errSecAuthFailed"
        case .duplicateItem: "errSecDuplicateItem"
        case .itemNotFound: "errSecItemNotFound"
        case .interactionNotAllowed: "errSecInteractionNotAllowed"
        case .decode: "errSecDecode"
        case .missingEntitlement: "errSecMissingEntitlement"
        default: nil
        }
    }

    /// A fact for ``StorageError/facts``, such as `OSStatus -25300 (errSecItemNotFound) at copyMatching`.
    func fact(at operation: String) -> String {
        "OSStatus \(rawValue)\(name.map { " (\($0))" } ?? "") at \(operation)"
    }
}
