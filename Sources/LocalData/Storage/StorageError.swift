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
        /// The person was asked and was not recognized, or biometry is locked out after too many attempts. The value is intact.
        case authenticationFailed
        /// The item can never be read again: biometry changed or the passcode was removed.
        case invalidated
        /// The value is there; the key material that opens it is not.
        case keyMissing
        /// The envelope does not open: forged, moved from another key, or sealed under another key.
        case decryptionFailed
        /// What lies there was stored under a policy that the key declares neither for today nor among its ``StorageKey/formerSecurity``: sealed by
        /// another source of key material, plain where it should be sealed, or the other way round. It stays as it is.
        case undeclaredPolicy
        /// The stored bytes are not what was written: truncated or damaged.
        case corrupt
        /// Stored in a format this version does not know.
        case unsupportedFormat
        /// The stored bytes are intact and do not decode as the key's type.
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
        /// The key's declaration cannot work: its name, its location, or domain and security that do not go together.
        case invalidKey
        /// The catalog cannot be registered; ``StorageError/facts`` lists every problem.
        case invalidCatalog
        /// No provider is registered for the key material source.
        case providerMissing
        /// The disk is full. What was stored before is intact.
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
