import Foundation

/// Why a storage operation did not succeed: a code to branch on, the facts, and what to do about it. Never a stored value.
public struct StorageError: Error, Sendable {
    /// What went wrong, for code to branch on. The raw values are stable; scenario files use them.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Verified absence: the place was readable and held nothing.
        case notFound
        /// Unavailable until the device is unlocked.
        case locked
        /// Unavailable until the first unlock after a restart.
        case lockedBeforeFirstUnlock
        /// A person must authenticate and interaction was not allowed.
        case authenticationRequired
        /// The person cancelled the authentication prompt.
        case authenticationCancelled
        /// The person was asked and was not recognized, biometry is locked out after too many attempts, or the device has no passcode, or no enrolled face or finger,
        /// that the item asks for. What was stored is intact; ``StorageError/facts`` say what is known, and the way out.
        case authenticationFailed
        /// The item can never be read again: biometry changed or the passcode was removed.
        case invalidated
        /// The value is there; the key material that opens it is not.
        case keyMissing
        /// The envelope does not open: forged, moved from another key, or sealed under another key.
        case decryptionFailed
        /// What lies there was stored under a policy that the key declares neither for today nor among its ``StorageKey/formerSecurity``: sealed by
        /// another source of key material, plain where it should be sealed, or the other way round. It stays as it is until the app sets or removes the value, or
        /// the sync brings one: of the counterpart, or of the app's own last context.
        case undeclaredPolicy
        /// The stored bytes are not what was written: truncated or damaged.
        case corrupt
        /// Stored in a format this version does not know.
        case unsupportedFormat
        /// The stored bytes are intact and do not decode as the key's type; or the key's migration could not make its value of what lies at the source.
        case wrongType
        /// The value has a whole number that this device's `Int` cannot hold, such as on a watch whose `Int` has 32 bits.
        case outOfRange
        /// The value cannot be encoded by the key's serializer.
        case encodingFailed
        /// The key exists on phones only, and this is a watch.
        case phoneOnly
        /// The key exists on watches only, and this is a phone.
        case watchOnly
        /// Catalogs are registered and this key is in none of them.
        case notRegistered
        /// The key's declaration cannot work: its name, its location, or domain and security that do not go together. Or it is not the one that a registered
        /// catalog lists under its name.
        case invalidKey
        /// The catalog cannot be registered; ``StorageError/facts`` lists every problem.
        case invalidCatalog
        /// No provider is registered for the key material source.
        case providerMissing
        /// The disk is full, or the suite of preferences. What was stored before is intact.
        case noSpace
        /// The file system or the keychain refused access (not a lock: a permission or an entitlement).
        case accessDenied
        /// An I/O error; the facts hold the errno or the OSStatus.
        case inputOutput
        /// The values that earlier versions of the app left contradict each other, and the key's migration leaves it to the app to decide. They are intact.
        case undecided
        /// The stored data is newer than this version of the app understands, or a newer version has moved it elsewhere.
        case superseded
        /// A sync payload is malformed or not LocalData's.
        case invalidSnapshot
        /// The environment has no such facility, such as an App Group the app is not entitled to.
        case unsupported
    }

    /// What went wrong, to branch on.
    public let code: Code
    /// The name of the key concerned, if one was.
    public let key: String?
    /// The ``StorageDomain/kind`` concerned.
    public let domain: String?
    /// The operation that failed, as the caller knows it: `set`, `get`, `exists`, `remove`, `migrate`, `sync`…
    public let operation: String?
    /// Facts for a person, such as `errno 28 (ENOSPC) at write` or each problem of a catalog.
    public let facts: [String]

    /// An error of an app's own code that stands in for LocalData's, such as of a ``KeyMaterialProviding`` or a ``StorageMigration``. Facts
    /// must not hold values.
    public init(_ code: Code, key: String? = nil, domain: String? = nil, operation: String? = nil, facts: [String] = []) {
        self.code = code
        self.key = key
        self.domain = domain
        self.operation = operation
        self.facts = facts
    }
}

extension StorageError {
    /// The same error, with what it did not yet know about its place filled in.
    func at(key: String? = nil, domain: String? = nil, operation: String? = nil) -> StorageError {
        StorageError(
            code, key: self.key ?? key, domain: self.domain ?? domain, operation: self.operation ?? operation, facts: facts)
    }
}

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
        case .notFound: "Treat it as absent; where the key syncs, store no default: the counterpart's value may be on its way."
        case .locked: "Try again when protected data becomes available; do not regenerate the value."
        case .lockedBeforeFirstUnlock:
            "Try again after the first unlock, or, in a process that began before that, once it was launched again; do not regenerate the value."
        case .authenticationRequired: "Ask from the foreground, where a prompt can be shown."
        case .authenticationCancelled: "Let the person try again; nothing was changed."
        case .authenticationFailed:
            "Let the person try again; where the device has no passcode, or no face or finger that the item asks for, they have to set that up first. "
                + "Nothing was changed."
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
        case .wrongType:
            "Give the key another name or domain, and a migration from the old place in its earlier type; where a migration failed, correct what "
                + "it makes of the value. The stored value was left untouched."
        case .outOfRange: "Declare the number as Int64 in the key's type; the stored value was left untouched."
        case .encodingFailed: "Check the serializer against the type; nothing was changed."
        case .phoneOnly, .watchOnly: "Use a key whose availability includes this device."
        case .notRegistered: "Add it to a StorageKeyCatalog and register that."
        case .invalidKey: "Correct the key's declaration, or use the one that the catalog lists; nothing was stored."
        case .invalidCatalog: "Correct all of the problems listed; nothing was registered."
        case .providerMissing: "Call EncryptionHelper.shared.registerKeyMaterialProvider(_:for:) at launch."
        case .noSpace: "Free space, of the disk or of the suite of preferences, and try again; the earlier value is there, or the new one."
        case .accessDenied: "Check the entitlements, the App Group identifier and the directory's permissions."
        case .inputOutput: "See the code in parentheses and try again; the earlier value is there, or the new one."
        case .undecided: "Set a value to decide; what earlier versions left is untouched until then."
        case .invalidSnapshot: "Pass on the dictionary as it was received; nothing was applied."
        case .unsupported: "Check the key's domain against the app's entitlements and platform; what an extension cannot do let the app do."
        }
    }
}

extension FileSystemError {
    /// What the failure means for a caller.
    ///
    /// EPERM is what protected files answer with while their key is away; on an unlocked device it is a refusal like EACCES.
    func storageError(lockState: DeviceLockState) -> StorageError {
        var facts = ["errno \(errno)\(name.map { " (\($0))" } ?? "") at \(operation)"]
        if errno == ELOOP { facts.append("a symbolic link lies there, which is not followed") }
        return StorageError(code(lockState: lockState), facts: facts)
    }

    private func code(lockState: DeviceLockState) -> StorageError.Code {
        switch errno {
        case ENOENT: .notFound
        case EPERM:
            switch lockState {
            case .beforeFirstUnlock: .lockedBeforeFirstUnlock
            case .locked: .locked
            case .unlocked: .accessDenied
            }
        case EACCES, EROFS: .accessDenied
        case ENOSPC, EDQUOT: .noSpace
        default: .inputOutput
        }
    }

    /// The symbol of the errno, of those that file operations give.
    var name: String? {
        switch errno {
        case EACCES: "EACCES"
        case EBADF: "EBADF"
        case EBUSY: "EBUSY"
        case EDQUOT: "EDQUOT"
        case EEXIST: "EEXIST"
        case EFBIG: "EFBIG"
        case EINTR: "EINTR"
        case EINVAL: "EINVAL"
        case EIO: "EIO"
        case EISDIR: "EISDIR"
        case ELOOP: "ELOOP"
        case EMFILE: "EMFILE"
        case ENAMETOOLONG: "ENAMETOOLONG"
        case ENFILE: "ENFILE"
        case ENOENT: "ENOENT"
        case ENOMEM: "ENOMEM"
        case ENOSPC: "ENOSPC"
        case ENOTDIR: "ENOTDIR"
        case ENOTEMPTY: "ENOTEMPTY"
        case EPERM: "EPERM"
        case EROFS: "EROFS"
        case ESTALE: "ESTALE"
        case ETXTBSY: "ETXTBSY"
        case EXDEV: "EXDEV"
        default: nil
        }
    }
}
