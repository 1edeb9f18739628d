/// The master keys of the process and those that it shares.
extension EncryptionHelper {
    /// The ring that seals the values of keys with that ``StorageKey/accessGroup``.
    nonisolated func ring(of accessGroup: String?) -> MasterKeyRing {
        accessGroup.map { MasterKeyRing(environment: environment, accessGroup: $0) } ?? ring
    }

    /// The rings that the values of some keys are sealed with, the process's own first.
    nonisolated func rings(of keys: [any StorageKey]) -> [MasterKeyRing] {
        [ring] + Set(keys.filter(\.security.isSealedByMasterKey).compactMap(\.accessGroup)).sorted().map { ring(of: $0) }
    }

    /// A master key by its id: of the access group, or of this process alone, which is then handed on to the group.
    /// - Throws: ``StorageError/Code/keyMissing`` on its verified absence from both.
    nonisolated func masterKey(_ id: String, accessGroup: String?) throws(StorageError) -> MasterKey {
        guard accessGroup != nil else { return try ring.key(id) }
        let shared = ring(of: accessGroup)
        if let key = try shared.keyIfPresent(id) { return key }
        let key = try ring.key(id)
        // Where that fails the value opens all the same, and the next reading tries again.
        do throws(StorageError) { try shared.take(key) } catch {}
        return key
    }

    /// Hands the key that seals an envelope on to an access group, if only this process has it.
    nonisolated func shareMasterKey(of header: EnvelopeHeader, with accessGroup: String) throws(StorageError) {
        guard case .master(let id) = header.keySource else { return }
        _ = try masterKey(id, accessGroup: accessGroup)
    }
}
