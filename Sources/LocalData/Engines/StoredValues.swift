import Foundation

/// What the storage, migration and sync topics share. All of these run in the key's turn, taken by ``withExclusiveAccess(to:_:)``.
extension StorageRouter {
    /// What lies at the key's place, or `nil` on verified absence.
    /// - Parameter asksPerson: Whether a person may be asked to authenticate.
    nonisolated func storedForm(of key: any StorageKey, asksPerson: Bool = true) async throws -> StoredForm? {
        let form = try lyingForm(of: key, asksPerson: asksPerson)
        if form != nil { try settleDestination(key) }
        return form
    }

    /// Within a migration, a value that is seen at its destination decides over deleting the sources. It may be the copy of a process that died before
    /// its copy was durable; deleting a source is durable, and a power loss would then leave neither.
    private nonisolated func settleDestination(_ key: any StorageKey) throws {
        guard access.isMigrating(), !access.isPlanning, isMigrating(into: try StorageLocation(of: key)) else { return }
        try settle(key)
    }

    /// Makes durable what is visible at the key's place, be it a value or its absence, whoever left it so.
    nonisolated func settle(_ key: any StorageKey) throws {
        try mapped(key) {
            switch key.place {
            case .defaults(let suite): try defaults.handOver(suite)
            case .keychain: break
            case .file: try files.settle(files.place(of: key))
            }
        }
    }

    private nonisolated func lyingForm(of key: any StorageKey, asksPerson: Bool) throws -> StoredForm? {
        try mapped(key) {
            switch key.place {
            case .defaults(let suite):
                guard let value = try defaults.stored(forKey: key.name, in: suite) else { return nil }
                return key.storedForm(value)
            case .keychain(let service):
                let item = try keychain.item(
                    account: key.name, service: service, mayBeBound: key.security.asksPerson, asksPerson: asksPerson,
                    accessGroup: key.accessGroup)
                if let item { try noteSchema(in: item, of: key) }
                return item.map { .bytes($0.data) }
            case .file: return try files.contents(of: files.place(of: key)).map { .bytes($0) }
            }
        }
    }

    /// The serialized bytes of the key's value, opened, or `nil` on verified absence. Starts no migration.
    /// - Parameters:
    ///   - inAnyForm: Also of a form that only newer versions of the app can read, to pass it on as it is.
    ///   - asksPerson: Whether a person may be asked to authenticate.
    nonisolated func plainData(of key: any StorageKey, inAnyForm: Bool = false, asksPerson: Bool = true) async throws -> Data? {
        guard let form = try await storedForm(of: key, asksPerson: asksPerson) else { return nil }
        if !inAnyForm { try requireKnownSchema(key) }
        do {
            return try await opened(form, of: key)
        } catch let error as StorageError where error.code == .keyMissing {
            // Another process may have sealed it anew, and retired the old key, between the two readings.
            if let now = try await storedForm(of: key), now != form { return try await opened(now, of: key) }
            if try await discardIfSealedForGood(key) { return nil }
            throw error
        }
    }

    /// Whether anything lies at the key's place.
    nonisolated func isStored(_ key: any StorageKey) throws -> Bool {
        let isStored = try lies(key)
        if isStored { try settleDestination(key) }
        return isStored
    }

    private nonisolated func lies(_ key: any StorageKey) throws -> Bool {
        try mapped(key) {
            switch key.place {
            case .defaults(let suite): try defaults.stored(forKey: key.name, in: suite) != nil
            case .keychain(let service):
                try keychain.holds(account: key.name, service: service, mayBeBound: key.security.asksPerson)
            case .file: try files.holdsFile(at: files.place(of: key))
            }
        }
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
        let location = try location(of: key)
        places.note([key.domain])
        let isReadable = schema.map { $0 <= key.schemaVersion } ?? true
        try requireIsHere(key, at: location)
        if schema == nil { try raiseSchema(of: key) }
        if origin != .migration { try markWhatIsReplaced(by: key, at: location) }
        let form = try await secured(plain, for: key, isReadable: isReadable)
        let ticket = try await syncWillChange(key, to: form, origin: origin, migratedFrom: earlier)
        // Not before: what the counterpart says of a value counts with the value alone.
        if let schema { try raiseSchema(to: schema, of: key) }
        let formVersion = schema ?? key.schemaVersion
        let tag = try ticket?.tag ?? tagOfExtension(for: key)
        try await noteExtensionEdit(form, of: key)
        let seen = await markOfValue(of: key, at: location)
        if origin == .migration, replacesNothing, try isShared(key) {
            guard try mapped(key, { try putNew(form, for: key, tag: tag, schema: formVersion) }) else { throw PlaceTaken() }
        } else {
            try mapped(key) { try put(form, for: key, tag: tag, schema: formVersion) }
        }
        forgetExtensionEdit(of: key)
        await renew(seen, for: key, at: location)
        try await endMarks(of: key, at: location)
        if let schema { lowerSchema(to: schema, of: key) }
        if let ticket { await syncDidChange(ticket, key: key, plain: plain, origin: origin) }
        try await resealIfRetired(form, of: key, plain: plain)
        if isReadable { observers.publish(plain, origin: origin, at: location.resolved(in: environment)) }
        return ticket
    }

    /// Removes what lies at the key's place, with the sync ledger kept around it.
    nonisolated func erase(_ key: any StorageKey, origin: ChangeOrigin) async throws -> SyncTicket? {
        let ticket = try await syncWillChange(key, to: nil, origin: origin)
        try takeAway(key, origin: origin)
        try forgetMoved(at: location(of: key))
        if let ticket { await syncDidChange(ticket, key: key, plain: nil, origin: origin) }
        return ticket
    }

    /// Removes what lies at the key's place, and says nothing of it to the sync: to the ledger it is lost, not deleted.
    nonisolated func takeAway(_ key: any StorageKey, origin: ChangeOrigin) throws {
        let location = try location(of: key)
        try mapped(key) {
            switch key.place {
            case .defaults(let suite):
                try noteReplacement(of: key, in: suite)
                try defaults.change(to: nil, forKey: key.name, in: suite)
            case .keychain(let service): try keychain.remove(account: key.name, service: service)
            case .file: try files.remove(files.place(of: key))
            }
        }
        forgetExtensionEdit(of: key)
        try forgetSchema(of: key)
        schemas.noteAwaited(nil, of: key.name)
        observers.publish(nil, origin: origin, at: location.resolved(in: environment))
    }

    /// The form that `plain` has at the key's place.
    /// - Parameter isReadable: Whether the key's serializer can read it; another one's bytes are not looked into.
    nonisolated func secured(_ plain: Data, for key: any StorageKey, isReadable: Bool = true) async throws -> StoredForm {
        if case .encrypted(let policy) = key.security {
            do {
                return .bytes(
                    try await encryption.encrypt(
                        plain, policy: policy, identity: recordIdentity(of: key), keyName: key.name, accessGroup: key.accessGroup))
            } catch let error as StorageError {
                throw error.at(key: key.name, domain: key.domain.kind)
            }
        }
        if case .defaults = key.place { return .propertyList(isReadable ? key.native(plain) : key.opaque(plain)) }
        return .bytes(plain)
    }

    /// What an envelope of the key's value authenticates.
    nonisolated func recordIdentity(of key: any StorageKey) throws -> RecordIdentity {
        try location(of: key).recordIdentity(in: environment)
    }

    /// - Returns: False where there is something by now, which stays.
    private nonisolated func putNew(_ form: StoredForm, for key: any StorageKey, tag: Data?, schema: Int) throws -> Bool {
        switch (key.place, form) {
        case (.keychain(let service), .bytes(let bytes)):
            let (accessibility, accessControl) = key.security.keychainAttributes
            return try keychain.create(
                bytes, account: key.name, service: service, accessibility: accessibility, accessControl: accessControl, tag: tag,
                schema: schema, accessGroup: key.accessGroup)
        case (.file(let protection), .bytes(let bytes)):
            return try files.create(bytes, at: files.place(of: key), protection: protection, note: tag)
        case (.defaults(let suite), _):
            guard try defaults.stored(forKey: key.name, in: suite) == nil else { return false }
            fallthrough
        case (.keychain, .propertyList), (.file, .propertyList):
            try put(form, for: key, tag: tag, schema: schema)
            return true
        }
    }

    nonisolated func put(_ form: StoredForm, for key: any StorageKey, tag: Data?, schema: Int = 1) throws {
        switch (key.place, form) {
        case (.defaults(let suite), _):
            try noteReplacement(of: key, in: suite)
            try defaults.change(to: form.propertyList, forKey: key.name, in: suite)
        case (.keychain(let service), .bytes(let bytes)):
            let (accessibility, accessControl) = key.security.keychainAttributes
            try keychain.store(
                bytes, account: key.name, service: service, accessibility: accessibility, accessControl: accessControl, tag: tag,
                schema: schema, accessGroup: key.accessGroup)
        case (.file(let protection), .bytes(let bytes)):
            try files.write(bytes, to: files.place(of: key), protection: protection, note: tag)
        case (.keychain, .propertyList), (.file, .propertyList):
            throw StorageError(.invalidKey, facts: ["the domain '\(key.domain.kind)' stores bytes"])
        }
    }

    private nonisolated func mapped<Result>(_ key: any StorageKey, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StorageError {
            throw error.at(key: key.name, domain: key.domain.kind)
        }
    }
}

/// Another process has put a value where a migration was about to bring one. Set later than what the migration brings, it stays.
struct PlaceTaken: Error {}

/// From what lies at a key's place to its serialized bytes.
extension StorageRouter {
    /// The serialized bytes of what lies, or lay, at the key's place.
    ///
    /// A form that the key declares neither for today nor for an earlier version of the app is not opened, and stays as it is.
    nonisolated func opened(_ form: StoredForm, of key: any StorageKey) async throws -> Data {
        do {
            let accepted = key.acceptedPolicies
            guard accepted.acceptsSealed else { return try plainOnly(form, of: key) }
            if let envelope = form.envelope {
                return try await encryption.decrypt(
                    envelope, accepting: accepted, identity: recordIdentity(of: key), keyName: key.name, accessGroup: key.accessGroup)
            }
            return try unsealed(form, of: key, accepted)
        } catch let error as StorageError {
            throw error.at(key: key.name, domain: key.domain.kind)
        }
    }

    /// Of a key that was never sealed. An envelope can be a value of the type Data; elsewhere a later version of the app, or another app, sealed it.
    private nonisolated func plainOnly(_ form: StoredForm, of key: any StorageKey) throws -> Data {
        let plain = try key.plain(form)
        let isSealed =
            switch form {
            case .bytes(let bytes), .propertyList(.data(let bytes)): Envelope.isClaimed(by: bytes)
            case .propertyList: false
            }
        if isSealed, !key.decodes(plain) {
            throw StorageError(.undeclaredPolicy, facts: ["sealed, where the key declares a plain value"])
        }
        return plain
    }

    /// What is no envelope, of a key that is sealed today or was: a plain value, or damage. Only what decodes is taken for a value; what looks like one of
    /// another type is left alone all the same.
    private nonisolated func unsealed(_ form: StoredForm, of key: any StorageKey, _ accepted: AcceptedPolicies) throws -> Data {
        guard accepted.isSealed else { return try key.plain(form) }
        if case .bytes(let bytes) = form, bytes.isEmpty || EnvelopeFormat.magic.starts(with: bytes) { throw Self.noEnvelope(form) }
        guard let plain = try? key.plain(form), key.decodes(plain) else {
            guard form.isPlainOfSomeType else { throw Self.noEnvelope(form) }
            throw StorageError(.undeclaredPolicy, facts: ["a plain value of another type, where the key declares a sealed one"])
        }
        guard accepted.acceptsPlain else {
            throw StorageError(.undeclaredPolicy, facts: ["a plain value, where the key declares a sealed one"])
        }
        return plain
    }

    private static func noEnvelope(_ form: StoredForm) -> StorageError {
        switch form {
        case .propertyList(let value): return StorageError(.corrupt, facts: ["a plain \(value.kind) where there should be an envelope"])
        case .bytes(let bytes):
            do {
                _ = try EnvelopePrefix(parsing: bytes)
                return StorageError(.corrupt)
            } catch {
                return error.storageError
            }
        }
    }
}

extension StoredForm {
    /// Whether somebody's serializer wrote it, as far as that shows. Damaged envelopes do not look so.
    fileprivate var isPlainOfSomeType: Bool {
        switch self {
        case .propertyList(.data(let bytes)), .bytes(let bytes):
            bytes.starts(with: Data("bplist".utf8)) || bytes.starts(with: Data("<?xml".utf8))
                || (try? Coders.jsonDecoder.decode(AnyJSON.self, from: bytes)) != nil
        case .propertyList: true
        }
    }

    /// Any well-formed text.
    private struct AnyJSON: Decodable {
        init(from decoder: any Decoder) {}
    }
}

extension StorageKey {
    /// The serialized bytes of a form that is not sealed.
    fileprivate func plain(_ form: StoredForm) throws -> Data {
        switch form {
        case .bytes(let bytes): bytes
        case .propertyList(let value): try serialized(value)
        }
    }

    fileprivate func decodes(_ plain: Data) -> Bool { (try? serializer.decode(plain)) != nil }

    /// How a value in preferences lies there: sealed values are bytes in every domain.
    func storedForm(_ value: PropertyListValue) -> StoredForm {
        guard case .data(let bytes) = value, Envelope.isClaimed(by: bytes), acceptedPolicies.acceptsSealed else {
            return .propertyList(value)
        }
        return .bytes(bytes)
    }
}
