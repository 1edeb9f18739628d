import Foundation

/// The values of keys: read, stored and removed with everything that belongs to it, the versions of the sync, the marks of migrations, and the
/// observers. What lies at the places is ``stored``.
///
/// Its state is who observes which values, where values were ever kept, and which secrets are still to be brought into their access group. Called in the key's turn.
final class ValueEngine: Sendable {
    let environment: StorageEnvironment
    let places: PlaceRecord
    let turns: Turns
    let stored: StoredValues
    let moves: MovedValues
    let versions: ValueVersions
    let sealer: Resealer
    let observers = ChangeObservers()
    /// Whose secrets are still to be brought into their access group.
    private let ungathered = KeysPutOff()

    init(
        environment: StorageEnvironment, places: PlaceRecord, turns: Turns, stored: StoredValues, moves: MovedValues,
        versions: ValueVersions, sealer: Resealer
    ) {
        self.environment = environment
        self.places = places
        self.turns = turns
        self.stored = stored
        self.moves = moves
        self.versions = versions
        self.sealer = sealer
    }
}

/// Reading.
extension ValueEngine {
    /// The serialized bytes of the key's value, opened, or `nil` on verified absence. Starts no migration.
    /// - Parameters:
    ///   - inAnyForm: Also of a form that only newer versions of the app can read, to pass it on as it is.
    ///   - asksPerson: Whether a person may be asked to authenticate.
    func plainData(of key: any StorageKey, inAnyForm: Bool = false, asksPerson: Bool = true) async throws -> Data? {
        guard let form = try await stored.storedForm(of: key, asksPerson: asksPerson) else { return nil }
        if !inAnyForm { try stored.requireKnownSchema(key) }
        do {
            return try await stored.opened(form, of: key)
        } catch let error as StorageError where error.code == .keyMissing {
            // Another process may have sealed it anew, and retired the old key, between the two readings.
            if let now = try await stored.storedForm(of: key, asksPerson: asksPerson), now != form {
                return try await stored.opened(now, of: key)
            }
            if try await discardIfSealedForGood(key) { return nil }
            throw error
        }
    }

    /// The value at the key's own place, or `nil` on verified absence.
    func value<Key: StorageKey>(of key: Key) async throws -> Key.Value? {
        try await plainData(of: key).map { try key.decoded($0, width: environment.device.integerBitWidth) }
    }

    /// Removes what nobody can open any more, where the key's ``StorageKey/missingKeyPolicy`` says so. Called in the key's turn.
    ///
    /// Never where other processes store values too (``StoredValues/isShared(_:)``).
    ///
    /// It is no deletion, and announced as none: the ledger finds nothing at the place, and takes the value for lost. Nobody is asked. Who only looks
    /// removes nothing, and learns that it counts as absent.
    /// - Returns: Whether something lay there that is no value any more.
    /// - Throws: ``StorageError`` as ``StoredValues/formSealedForGood(of:)``, and where the removal fails.
    @discardableResult
    func discardIfSealedForGood(_ key: any StorageKey) async throws -> Bool {
        guard key.missingKeyPolicy == .discard, let form = try await stored.formSealedForGood(of: key),
            // Another process may have sealed it anew, and retired the old key, between the two readings.
            try await stored.storedForm(of: key, asksPerson: false) == form
        else { return false }
        if !ReadOnly.isOn { try takeAway(key, origin: .local) }
        return true
    }
}

/// Changing.
extension ValueEngine {
    /// Secures and stores serialized bytes, with the sync ledger kept around it.
    /// - Parameters:
    ///   - earlier: Of a migrated value: the version that it was at its old place, if it synced there.
    ///   - schema: Of a value of the counterpart: which ``StorageKey/schemaVersion`` its form has; `nil` for the key's own.
    ///   - replacesNothing: Whether nothing was there, and what another process puts there meanwhile is to stay. Of preferences that is looked at
    ///     just before, which is not one step with the set.
    /// - Throws: also ``PlaceTaken``.
    func store(
        _ plain: Data, for key: any StorageKey, origin: ChangeOrigin, migratedFrom earlier: LegacyVersion? = nil, inForm schema: Int? = nil,
        replacesNothing: Bool = false
    ) async throws -> SyncTicket? {
        let location = try stored.location(of: key)
        places.note([key.domain])
        let isReadable = schema.map { $0 <= key.schemaVersion } ?? true
        try moves.requireIsHere(key, at: location)
        if schema == nil {
            versions.recallAwaitedForm(of: key)
            try stored.requireReplaceable(key)
        }
        if origin != .migration { try moves.requireReadableSources(of: key, inForm: schema) }
        // What cannot be sealed leaves no marks.
        let form = try await stored.secured(plain, for: key, isReadable: isReadable)
        if schema == nil { try stored.raiseSchema(to: key.schemaVersion, of: key) }
        if origin != .migration { try moves.markWhatIsReplaced(by: key, at: location) }
        let ticket = try await versions.willChange(key, to: form, origin: origin, migratedFrom: earlier)
        // Not before: what the counterpart says of a value counts with the value alone.
        if let schema { try stored.raiseSchema(to: schema, of: key) }
        let formVersion = schema ?? key.schemaVersion
        let tag = try ticket?.tag ?? versions.tagOfExtension(for: key, with: form)
        try await versions.noteExtensionEdit(form, of: key)
        let seen = try await moves.announce(form, afterSeen: key, at: location)
        if origin == .migration, replacesNothing, try stored.isShared(key) {
            guard try stored.mapped(key, { try stored.putNew(form, for: key, tag: tag, schema: formVersion) }) else { throw PlaceTaken() }
        } else {
            do {
                try stored.mapped(key) { try stored.put(form, for: key, tag: tag, schema: formVersion) }
            } catch {
                // It may lie there all the same, as where its folder cannot be synchronized.
                if isReadable, observers.areThere, (try? await plainData(of: key, asksPerson: false)) == plain {
                    observers.publish(plain, origin: origin, at: location.resolved(in: environment))
                }
                throw error
            }
        }
        if isReadable { observers.publish(plain, origin: origin, at: location.resolved(in: environment)) }
        versions.forgetExtensionEdit(of: key)
        await moves.renew(seen, for: key, at: location)
        try await moves.endMarks(of: key, at: location)
        if let schema { stored.lowerSchema(to: schema, of: key) }
        if let ticket {
            await versions.didChange(ticket, key: key, plain: plain, origin: origin)
        } else {
            versions.didChangeWithoutVersion(key)
        }
        try await sealer.resealIfRetired(form, of: key, plain: plain)
        return ticket
    }

    /// Removes what lies at the key's place, with the sync ledger kept around it.
    func erase(_ key: any StorageKey, origin: ChangeOrigin) async throws -> SyncTicket? {
        let ticket = try await versions.willChange(key, to: nil, origin: origin)
        try takeAway(key, origin: origin)
        versions.forgetAwaitedForm(of: key)
        let location = try stored.location(of: key)
        try moves.forgetMoved(at: location)
        try moves.forgetSeen(key, at: location)
        // The value is gone. What cannot be forgotten now is at the next change.
        try? moves.forgetAdmitted(ofRemoved: key, at: location)
        if let ticket {
            await versions.didChange(ticket, key: key, plain: nil, origin: origin)
        } else {
            versions.didChangeWithoutVersion(key)
        }
        return ticket
    }

    /// Removes what lies at the key's place, and says nothing of it to the sync: to the ledger it is lost, not deleted.
    func takeAway(_ key: any StorageKey, origin: ChangeOrigin) throws {
        let location = try stored.location(of: key)
        do {
            try stored.remove(key)
        } catch {
            if observers.areThere, (try? stored.isStored(key)) == false {
                observers.publish(nil, origin: origin, at: location.resolved(in: environment))
            }
            throw error
        }
        observers.publish(nil, origin: origin, at: location.resolved(in: environment))
        versions.forgetExtensionEdit(of: key, isRemoved: true)
        // The value is gone: a form that stays noted, as before the first unlock, keeps nobody from storing another (`StoredValues.requireReplaceable(_:)`).
        try? stored.forgetSchema(of: key)
    }
}

/// Secrets that an access group is to have.
extension ValueEngine {
    /// Brings the secrets of keys that now declare an access group there, so that an extension finds them, and an earlier one does not stay beside what an extension
    /// has set by then. What cannot be looked at for now is looked at again (``gatherWhatWaited()``).
    func gatherSecrets(of keys: [AnyStorageKey]) async {
        guard !environment.device.isAppExtension else { return }
        for key in keys.map(\.base) where key.domain.isKeychain && key.availability.isAvailable(on: environment.device.role) {
            guard let group = key.accessGroup, case .keychain(let service) = key.place, let location = try? stored.location(of: key) else {
                continue
            }
            await ungathered.attempt(key, at: location) {
                for name in try self.secretNames(of: key, in: service) {
                    let place = try StorageLocation(name: name, domain: key.domain, security: key.security)
                    try await turns.run(at: place) {
                        try self.stored.keychain.gather(account: name, service: service, into: group)
                    }
                }
            }
        }
    }

    /// The key's name; of a kind whose names are made at run time those that the app has left a secret under in its own group.
    private func secretNames(of key: any StorageKey, in service: String?) throws -> [String] {
        guard let pattern = KeyNamePattern(key.name) else { return [key.name] }
        guard let own = environment.keychain.ownAccessGroup else { return [] }
        return try stored.keychain.accounts(of: service, in: own).filter(pattern.matches)
    }

    /// A secret that asks for a person cannot be brought there alone; once an extension has set a later one, the earlier goes, which asks nobody. Called in the key's turn.
    func gather(ifPutOff key: any StorageKey, at location: StorageLocation) async {
        guard ungathered.take(at: location), let group = key.accessGroup, case .keychain(let service) = key.place else { return }
        await ungathered.attempt(key, at: location) {
            try self.stored.keychain.gather(account: key.name, service: service, into: group)
        }
    }

    /// Whether there is something to gather that had to wait.
    var hasUngathered: Bool { !ungathered.isEmpty }

    /// What a locked device kept from being brought there, or storage that failed: beside the secret that an extension sets by then the earlier one is not seen, and
    /// would come back with the removal of that.
    func gatherWhatWaited() async {
        guard !ungathered.isEmpty else { return }
        await gatherSecrets(of: ungathered.takeAll().map { AnyStorageKey($0) })
    }
}

/// Another process has put a value where a migration was about to bring one. Set later than what the migration brings, it stays.
struct PlaceTaken: Error {}
