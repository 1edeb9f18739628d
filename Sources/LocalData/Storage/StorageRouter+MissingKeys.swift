import Foundation

/// Values that nobody can open any more, because their master key is gone.
extension StorageRouter {
    /// Whether what lies at the key's place is sealed under a master key that verifiably is not on this device. Called in the key's turn.
    /// - Throws: ``StorageError`` where that cannot be told, such as `locked`.
    nonisolated func isSealedForGood(_ key: any StorageKey) async throws -> Bool {
        guard key.security.isEncrypted, case .bytes(let bytes)? = try await storedForm(of: key) else { return false }
        return try encryption.isMasterKeyGone(of: bytes)
    }

    /// Removes what nobody can open any more, where the key's ``StorageKey/missingKeyPolicy`` says so. Called in the key's turn.
    ///
    /// It is no deletion, and announced as none: the ledger finds nothing at the place, and takes the value for lost.
    /// - Returns: Whether something was removed.
    /// - Throws: ``StorageError`` as ``isSealedForGood(_:)``, and where the removal fails.
    @discardableResult
    nonisolated func discardIfSealedForGood(_ key: any StorageKey) async throws -> Bool {
        guard key.missingKeyPolicy == .discard, let form = try await storedForm(of: key), try await isSealedForGood(key),
            // Another process may have sealed it anew, and retired the old key, between the two readings.
            try await storedForm(of: key) == form
        else { return false }
        try takeAway(key, origin: .local)
        return true
    }
}

extension EncryptionHelper {
    /// Whether an envelope names a master key that the keychain says it does not have. Not for what is no envelope, nor for a provider's material.
    /// - Throws: ``StorageError`` where the keychain cannot tell.
    nonisolated func isMasterKeyGone(of envelope: Data) throws -> Bool {
        guard let parsed = try? Envelope(parsing: envelope), case .master(let id) = parsed.header.keySource else { return false }
        do throws(StorageError) {
            _ = try ring.key(id)
            return false
        } catch  where error.code == .keyMissing {
            return true
        }
    }
}
