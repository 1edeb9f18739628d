import Foundation

/// For tools that look at a device from outside the app. Nothing is read that an app would have read, and nothing is written.
extension StorageRouter {
    /// The version of a synced value, as the ledger on the device has it.
    package struct RecordedVersion: Sendable, Hashable {
        /// What the ledger says of the place.
        package enum Content: String, Sendable {
            case value, deleted, lost
        }

        /// Counts the writes of the key.
        package let counter: UInt64
        /// Who wrote it: the device, and which installation of the app.
        package let writer: String
        package let content: Content
        /// Whether the value is the smaller form for the watch.
        package let isReduced: Bool
        /// The version of a change that was announced, and is not known to be stored; and who makes it.
        package let announcedCounter: UInt64?
        package let announcedWriter: String?
    }

    /// The version of the key's value; `nil` where the ledger knows none.
    /// - Throws: ``StorageError`` where it cannot be read.
    package nonisolated func recordedVersion(of key: AnyStorageKey) throws -> RecordedVersion? {
        guard let record = try sync.ledger.record(of: key.name, in: key.domain) else { return nil }
        let content: RecordedVersion.Content =
            switch record.committed.content {
            case .value: .value
            case .deleted: .deleted
            case .lost: .lost
            }
        return RecordedVersion(
            counter: record.committed.stamp.counter, writer: record.committed.stamp.device, content: content,
            isReduced: record.committed.isReduced, announcedCounter: record.pending?.stamp.counter,
            announcedWriter: record.pending?.stamp.device)
    }

    /// What waits to be sent, and why, as far as the process has found out by itself. Does not look for more, as ``syncStatus()`` does.
    package nonisolated func rememberedPending() async -> [SyncStatus.Pending] {
        await sync.statusAsRemembered().pending
    }

    /// The ids of the master keys from which keys were derived that the process has in memory, sorted, each as often as there are such keys.
    package nonisolated func rememberedMasterKeys() async -> [String] { await encryption.rememberedMasterKeys() }
}

/// For tools and simulations that look at, or damage, what is stored.
extension StorageRouter {
    /// How many bytes lie at the key's place, or `nil` where nothing does. Opens nothing.
    package nonisolated func storedByteCount(of key: AnyStorageKey) async throws -> Int? {
        try await storedBytes(of: key)?.count
    }

    /// The bytes at the key's place as they are; of a native preference its canonical bytes.
    package nonisolated func storedBytes(of key: AnyStorageKey) async throws -> Data? {
        switch try await engines.stored.storedForm(of: key.base) {
        case .bytes(let data)?, .propertyList(.data(let data))?: data
        case .propertyList(let value)?: value.canonicalBytes
        case nil: nil
        }
    }

    /// Whether the values of two keys are one file, under two names.
    package nonisolated func isOneFile(_ first: AnyStorageKey, _ second: AnyStorageKey) async throws -> Bool {
        try engines.stored.isOneFile(first.base, second.base)
    }

    /// What seals the value at the key's place; `nil` where there is none, or none that is sealed.
    package nonisolated func sealingKey(of key: AnyStorageKey) async throws -> KeyUse.Key? {
        guard let bytes = try await storedBytes(of: key) else { return nil }
        switch (try? EnvelopePrefix(parsing: bytes))?.header.keySource {
        case .master(let id)?: return .master(id)
        case .external(let id)?: return .external(id)
        case nil: return nil
        }
    }

    /// The id of the master key that seals the key's values, if there is one.
    package nonisolated func primaryMasterKey(of key: AnyStorageKey) throws -> String? {
        try encryption.ring(of: key.accessGroup).pointer()?.primary
    }

    /// The ids of the master keys, and of the one that seals.
    package nonisolated func masterKeys() throws -> (ids: [String], primary: String?) {
        (try encryption.ring.keyIDs(), try encryption.ring.pointer()?.primary)
    }

    /// Puts bytes into the attribute beside a keychain item's secret, where LocalData keeps its note.
    /// - Returns: False where there is no such item.
    package nonisolated func overwriteStoredAttribute(of key: AnyStorageKey, with bytes: Data) async throws -> Bool {
        guard case .keychain(let service) = key.domain else { return false }
        return try keychain.overwriteAttribute(account: key.name, service: service, with: bytes)
    }

    /// Puts bytes at the key's place, unsecured and unannounced. What a sealed keychain item has beside its secret stays as it is, as damage leaves it.
    package nonisolated func overwriteStoredBytes(of key: AnyStorageKey, with bytes: Data) async throws {
        var tag: Data?
        if case .keychain(let service) = key.domain, key.security.isEncrypted {
            tag = try keychain.syncTag(of: key.base, service: service)
        }
        try engines.stored.put(.bytes(bytes), for: key.base, tag: tag)
    }
}
