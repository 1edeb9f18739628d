import Foundation

/// Values that nobody can open any more, because their master key is gone.
extension StorageRouter {
    /// Whether what lies at the key's place is sealed under a master key that verifiably is not on this device. Called in the key's turn.
    /// False where another process may have stored it, which may have a key that this one has not.
    /// - Throws: ``StorageError`` where that cannot be told, such as `locked`.
    nonisolated func isSealedForGood(_ key: any StorageKey) async throws -> Bool {
        let accepted = key.acceptedPolicies
        // Another process may have the key.
        guard accepted.acceptsSealed, try !isShared(key), let envelope = try await storedForm(of: key)?.envelope else { return false }
        return try encryption.isMasterKeyGone(of: envelope, accepting: accepted)
    }

    /// Removes what nobody can open any more, where the key's ``StorageKey/missingKeyPolicy`` says so. Called in the key's turn.
    ///
    /// Never where other processes store values too (``isShared(_:)``).
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

    /// Whether processes other than the app may store values at the key's place: in an App Group's container or preferences, in a directory outside
    /// of the app's own container, or in a keychain access group.
    nonisolated func isShared(_ key: any StorageKey) throws -> Bool {
        if key.accessGroup != nil { return true }
        switch key.domain {
        case .appGroupUserDefaults, .appGroupFileSystem: return true
        // What begins like this may be an App Group's.
        case .userDefaults(let suite): return suite?.hasPrefix("group.") ?? false
        case .keychain: return false
        case .fileSystem(let directory), .encryptedFileSystem(let directory):
            guard let custom = directory.customPath.map(StorageLocation.systemless) else { return false }
            return try !ownFolders().contains { custom == $0 || custom.hasPrefix($0 + "/") }
        }
    }

    /// What no other process has: the app's container, as far as it can be told from the directories in it.
    private nonisolated func ownFolders() throws -> [String] {
        let kinds: [ContainerDirectory] = [.documents, .caches, .applicationSupport, .temporary]
        return try kinds.map { StorageLocation.systemless(try files.containerPath($0)) }
    }
}

/// Master keys that an access group is to have.
extension StorageRouter {
    /// Hands on what opens the values of keys that now declare an access group, so that an extension can open them without waiting for the app to read
    /// each. What cannot be looked at for now is handed on when it is read.
    nonisolated func shareMasterKeys(of keys: [AnyStorageKey]) async {
        for key in keys.map(\.base) where key.security.isSealedByMasterKey && key.availability.isAvailable(on: environment.device.role) {
            guard let group = key.accessGroup, KeyNamePattern(key.name) == nil, let location = try? location(of: key) else { continue }
            try? await run(at: location) {
                guard let header = try self.envelopeHeader(of: key) else { return }
                try self.encryption.shareMasterKey(of: header, with: group)
            }
        }
    }
}

extension EncryptionHelper {
    /// Whether an envelope names a master key that the keychain says it does not have. Not for what is no envelope, for a provider's material, nor for
    /// what the key does not declare: that is nothing of its own.
    /// - Throws: ``StorageError`` where the keychain cannot tell.
    nonisolated func isMasterKeyGone(of envelope: Data, accepting accepted: AcceptedPolicies) throws -> Bool {
        guard let source = (try? Envelope(parsing: envelope))?.header.keySource, accepted.accepts(source), case .master(let id) = source
        else {
            return false
        }
        do throws(StorageError) {
            _ = try ring.key(id)
            return false
        } catch  where error.code == .keyMissing {
            return true
        }
    }
}
