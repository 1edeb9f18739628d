import Foundation

extension StorageRouter {
    /// The serialized bytes of the key's value, opened, or `nil` on verified absence. Starts no migration.
    /// - Parameters:
    ///   - inAnyForm: Also of a form that only newer versions of the app can read, to pass it on as it is.
    ///   - asksPerson: Whether a person may be asked to authenticate.
    nonisolated func plainData(of key: any StorageKey, inAnyForm: Bool = false, asksPerson: Bool = true) async throws -> Data? {
        guard let form = try await stored.storedForm(of: key, asksPerson: asksPerson) else { return nil }
        if !inAnyForm { try stored.requireKnownSchema(key) }
        do {
            return try await stored.opened(form, of: key)
        } catch let error as StorageError where error.code == .keyMissing {
            // Another process may have sealed it anew, and retired the old key, between the two readings.
            if let now = try await stored.storedForm(of: key), now != form { return try await stored.opened(now, of: key) }
            if try await discardIfSealedForGood(key) { return nil }
            throw error
        }
    }

    /// The value at the key's own place, or `nil` on verified absence.
    nonisolated func value<Key: StorageKey>(of key: Key) async throws -> Key.Value? {
        try await plainData(of: key).map { try key.decoded($0, width: environment.device.integerBitWidth) }
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
        guard key.missingKeyPolicy == .discard, let form = try await stored.storedForm(of: key), try await stored.isSealedForGood(key),
            // Another process may have sealed it anew, and retired the old key, between the two readings.
            try await stored.storedForm(of: key) == form
        else { return false }
        try takeAway(key, origin: .local)
        return true
    }

    /// Secures and stores serialized bytes, with the sync ledger kept around it.
    /// - Parameters:
    ///   - earlier: Of a migrated value: the version that it was at its old place, if it synced there.
    ///   - schema: Of a value of the counterpart: which ``StorageKey/schemaVersion`` its form has; `nil` for the key's own.
    ///   - replacesNothing: Whether nothing was there, and what another process puts there meanwhile is to stay. Of preferences that is looked at
    ///     just before, which is not one step with the set.
    /// - Throws: also ``PlaceTaken``.
    nonisolated func store(
        _ plain: Data, for key: any StorageKey, origin: ChangeOrigin, migratedFrom earlier: LegacyVersion? = nil, inForm schema: Int? = nil,
        replacesNothing: Bool = false
    ) async throws -> SyncTicket? {
        let location = try stored.location(of: key)
        places.note([key.domain])
        let isReadable = schema.map { $0 <= key.schemaVersion } ?? true
        try requireIsHere(key, at: location)
        if schema == nil { try stored.raiseSchema(of: key) }
        if origin != .migration { try markWhatIsReplaced(by: key, at: location) }
        let form = try await stored.secured(plain, for: key, isReadable: isReadable)
        let ticket = try await syncWillChange(key, to: form, origin: origin, migratedFrom: earlier)
        // Not before: what the counterpart says of a value counts with the value alone.
        if let schema { try stored.raiseSchema(to: schema, of: key) }
        let formVersion = schema ?? key.schemaVersion
        let tag = try ticket?.tag ?? tagOfExtension(for: key)
        try await noteExtensionEdit(form, of: key)
        let seen = await markOfValue(of: key, at: location)
        if origin == .migration, replacesNothing, try stored.isShared(key) {
            guard try stored.mapped(key, { try stored.putNew(form, for: key, tag: tag, schema: formVersion) }) else { throw PlaceTaken() }
        } else {
            try stored.mapped(key) { try stored.put(form, for: key, tag: tag, schema: formVersion) }
        }
        forgetExtensionEdit(of: key)
        await renew(seen, for: key, at: location)
        try await endMarks(of: key, at: location)
        if let schema { stored.lowerSchema(to: schema, of: key) }
        if let ticket { await syncDidChange(ticket, key: key, plain: plain, origin: origin) }
        try await resealIfRetired(form, of: key, plain: plain)
        if isReadable { observers.publish(plain, origin: origin, at: location.resolved(in: environment)) }
        return ticket
    }

    /// Removes what lies at the key's place, with the sync ledger kept around it.
    nonisolated func erase(_ key: any StorageKey, origin: ChangeOrigin) async throws -> SyncTicket? {
        let ticket = try await syncWillChange(key, to: nil, origin: origin)
        try takeAway(key, origin: origin)
        try forgetMoved(at: stored.location(of: key))
        if let ticket { await syncDidChange(ticket, key: key, plain: nil, origin: origin) }
        return ticket
    }

    /// Removes what lies at the key's place, and says nothing of it to the sync: to the ledger it is lost, not deleted.
    nonisolated func takeAway(_ key: any StorageKey, origin: ChangeOrigin) throws {
        let location = try stored.location(of: key)
        try stored.remove(key)
        forgetExtensionEdit(of: key)
        try stored.forgetSchema(of: key)
        stored.schemas.noteAwaited(nil, of: key.name)
        observers.publish(nil, origin: origin, at: location.resolved(in: environment))
    }
}

/// Another process has put a value where a migration was about to bring one. Set later than what the migration brings, it stays.
struct PlaceTaken: Error {}
