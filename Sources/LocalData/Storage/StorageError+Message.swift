import Foundation

/// The wording of errors, in one place.
extension StorageError: CustomStringConvertible, LocalizedError {
    public var description: String {
        var place = operation ?? "storage"
        if let key { place += " of '\(key)'" }
        if let domain { place += " in \(domain)" }
        let detail = facts.isEmpty ? "" : " (" + facts.joined(separator: "; ") + ")"
        return "\(place): \(code.meaning)\(detail). \(code.remedy)"
    }

    public var errorDescription: String? { description }
    public var recoverySuggestion: String? { code.remedy }
}

extension StorageError.Code {
    /// Whether the value may well be there and become readable later, without anybody writing it.
    public var isTemporary: Bool {
        switch self {
        case .locked, .lockedBeforeFirstUnlock, .authenticationRequired, .authenticationCancelled, .authenticationFailed: true
        default: false
        }
    }

    /// Whether what failed may succeed later, unchanged: storage that is out of order, full or refused, or key material that is registered later, and
    /// what is ``isTemporary``.
    var mayPass: Bool {
        switch self {
        case .noSpace, .inputOutput, .accessDenied, .providerMissing: true
        default: isTemporary
        }
    }

    var meaning: String {
        switch self {
        case .notFound: "no value is stored"
        case .locked: "the device is locked"
        case .lockedBeforeFirstUnlock: "the device has not been unlocked since it started"
        case .authenticationRequired: "a person must authenticate first"
        case .authenticationCancelled: "the authentication was cancelled"
        case .authenticationFailed: "the authentication failed"
        case .invalidated: "the item was invalidated by a change of biometry or passcode"
        case .keyMissing: "the key that opens the value is not on this device"
        case .decryptionFailed: "the stored envelope does not open"
        case .undeclaredPolicy: "the stored value is not secured as the key declares"
        case .corrupt: "the stored bytes are damaged"
        case .unsupportedFormat: "the stored format is unknown to this version"
        case .wrongType: "the stored bytes do not decode as the key's type"
        case .outOfRange: "the value has a whole number that this device's Int cannot hold"
        case .encodingFailed: "the value cannot be encoded"
        case .phoneOnly: "the key exists on phones only"
        case .watchOnly: "the key exists on watches only"
        case .notRegistered: "the key is in no registered catalog"
        case .invalidKey: "the key's declaration cannot work"
        case .invalidCatalog: "the catalog has problems"
        case .providerMissing: "no key material provider is registered"
        case .noSpace: "no space is left"
        case .accessDenied: "access was denied"
        case .inputOutput: "the storage reported an error"
        case .undecided: "what earlier versions of the app left contradicts itself"
        case .superseded: "the stored data is newer than this app"
        case .invalidSnapshot: "the sync payload is not a valid snapshot"
        case .unsupported: "this environment does not have what the key needs"
        }
    }

    var remedy: String {
        switch self {
        case .notFound: "Set it first, or treat it as absent."
        case .locked: "Try again when protected data becomes available; do not regenerate the value."
        case .lockedBeforeFirstUnlock: "Try again after the first unlock; do not regenerate the value."
        case .authenticationRequired: "Ask from the foreground, where a prompt can be shown."
        case .authenticationCancelled, .authenticationFailed: "Let the person try again; the value is still there."
        case .invalidated: "Ask the person to sign in again and set a new value."
        case .keyMissing:
            "Use it where its key is, such as in the app itself, or give this process the key; where a key may be gone for good, the missing key policy "
                + "says what becomes of its values. The stored value was left untouched."
        case .decryptionFailed:
            "Check the passphrase or key material, and that nothing was copied here from another key or device; the stored value was left untouched."
        case .undeclaredPolicy:
            "If an earlier version of the app stored it, list its policy in the key's formerSecurity; the stored value was left untouched."
        case .corrupt: "Restore it from the counterpart or a backup; what is stored was left untouched."
        case .unsupportedFormat, .superseded: "Update the app; the stored value was left untouched."
        case .wrongType: "Give the key a migration from its earlier type; the stored value was left untouched."
        case .outOfRange: "Declare the number as Int64 in the key's type; the stored value was left untouched."
        case .encodingFailed: "Check the serializer against the type; nothing was changed."
        case .phoneOnly, .watchOnly: "Use a key whose availability includes this device."
        case .notRegistered: "Add it to a StorageKeyCatalog and register that."
        case .invalidKey: "Correct the key's declaration; nothing was stored."
        case .invalidCatalog: "Correct all of the problems listed; nothing was registered."
        case .providerMissing: "Call EncryptionHelper.shared.registerKeyMaterialProvider(_:for:) at launch."
        case .noSpace: "Free space and try again; the earlier value is there, or the new one."
        case .accessDenied: "Check the entitlements, the App Group identifier and the directory's permissions."
        case .inputOutput: "See the code in parentheses and try again; the earlier value is there, or the new one."
        case .undecided: "Set a value to decide; what earlier versions left is untouched until then."
        case .invalidSnapshot: "Pass on the dictionary as it was received; nothing was applied."
        case .unsupported: "Check the key's domain against the app's entitlements and platform."
        }
    }
}
