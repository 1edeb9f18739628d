import Foundation

/// Values in a form that older versions of the app do not know: their ``StorageKey/schemaVersion``. Called in the key's turn.
extension StoredValues {
    static var schemaPrefix: String { KeyRules.reservedPrefix + "schema." }

    /// The schema version of the value at a key's place: 1 where nothing says more. After a crash the value may be older than that.
    func storedSchema(of key: any StorageKey) throws -> Int {
        let location = try location(of: key)
        if let known = schemas[location] { return known }
        let isShared = try isShared(key)
        var version = try markedSchema(at: location)
        switch key.place {
        // It outlives the app, and with it the mark.
        case .keychain(let service):
            version = max(version, try keychain.schema(account: key.name, service: service, accessGroup: key.accessGroup))
        case .defaults: version = try schemaEntry(of: key) ?? version
        case .file: if isShared { version = try schemaNote(of: key) ?? version }
        }
        // Elsewhere another process may store another form meanwhile.
        if !isShared { schemas[location] = version }
        return version
    }

    /// What lies with a file that other processes than the app store too: its form, since the mark of it lies where only the process can look that wrote it.
    private func schemaNote(of key: any StorageKey) throws -> Int? {
        guard let data = try files.storedNote(of: files.place(of: key)) else { return nil }
        do {
            let note = try SyncFileNote(encoded: data)
            return note.keyName == key.name ? note.schema : nil
        } catch let error as StorageError where error.code == .superseded {
            return 2
        } catch {
            return nil
        }
    }

    /// What to store with a file: the note of its version, and its form where other processes store values too.
    /// - Parameter tag: The ``SyncFileNote`` of the version, if there is one.
    func fileNote(_ tag: Data?, of key: any StorageKey, with form: StoredForm, schema: Int) throws -> Data? {
        guard schema > 1, try isShared(key) else { return tag }
        var note =
            try tag.map { try SyncFileNote(encoded: $0) }
            ?? SyncFileNote(counter: 0, revision: key.revision(of: form), keyName: key.name)
        note.schema = schema
        return note.encoded
    }

    /// Takes the schema version from the note of an item that was read anyway.
    func noteSchema(in item: KeychainItem, of key: any StorageKey) throws {
        let location = try location(of: key)
        guard schemas[location] == nil, try !isShared(key) else { return }
        schemas[location] = max(try markedSchema(at: location), KeychainItemMetadata(stored: item.generic ?? Data()).schema)
    }

    private func markedSchema(at location: StorageLocation) throws -> Int {
        guard marks.mayExist(.schema, at: location), let data = try marks.contents(.schema, at: location) else { return 1 }
        let mark = try? Coders.jsonDecoder.decode(MigrationMark.self, from: data)
        // Damaged, or of a newer format: some version above the first.
        return mark.flatMap { $0.version == MigrationMark.formatVersion ? $0.schema.map { Int(clamping: $0) } : nil } ?? 2
    }

    /// Of a value in preferences its own suite says it: after a power loss a suite holds a prefix of its sets, so it says what that value was. A mark in a
    /// file, as before and for earlier versions of LocalData, may be durable when the value is not.
    private func schemaEntry(of key: any StorageKey) throws -> Int? {
        guard let suite = key.domain.defaultsSuite, let stored = try defaults.stored(forKey: Self.schemaPrefix + key.name, in: suite) else {
            return nil
        }
        guard case .integer(let number) = stored, let version = Int(exactly: number), KeyRules.schemaVersions ~= version else { return 2 }
        return version
    }

    /// Refuses to read, or to replace, what a newer version of the app has stored in a newer form.
    /// - Throws: ``StorageError/Code/superseded``.
    func requireKnownSchema(_ key: any StorageKey) throws { try require(try storedSchema(of: key), of: key) }

    private func require(_ stored: Int, of key: any StorageKey) throws {
        guard stored > key.schemaVersion else { return }
        throw StorageError(
            .superseded, key: key.name, domain: key.domain.kind,
            facts: ["the value has schema version \(stored), this app knows \(key.schemaVersion)"])
    }

    /// Refuses to replace what a newer version of the app has stored in a newer form, here or on the counterpart.
    func requireReplaceable(_ key: any StorageKey) throws {
        // A newer value that is gone, purged by the system for one, keeps nobody from storing another.
        if try storedSchema(of: key) > key.schemaVersion, try !isStored(key) { try forgetSchema(of: key) }
        try requireKnownSchema(key)
        try require(schemas.awaited(key.name) ?? 1, of: key)
    }

    /// Notes durably, before a value is stored, that its form may be a newer one than what lies there.
    func raiseSchema(to version: Int, of key: any StorageKey) throws {
        let stored = try storedSchema(of: key)
        guard try stored < version || (version > 1 && !schemas.isDurable(at: location(of: key))) else { return }
        try noteSchema(max(stored, version), of: key)
    }

    /// Notes that the value that lies there now has an older form than the one before. Too high a mark keeps an older app from a value that it could
    /// read, which is all: so it is no reason to fail.
    func lowerSchema(to version: Int, of key: any StorageKey) {
        guard let stored = try? storedSchema(of: key), stored > version else { return }
        if version == 1 { try? forgetSchema(of: key) } else { try? noteSchema(version, of: key) }
    }

    private func noteSchema(_ version: Int, of key: any StorageKey) throws {
        let location = try location(of: key)
        let identity = try location.recordIdentity(in: environment)
        var mark = MigrationMark(.schema, location: identity)
        mark.schema = Int64(version)
        let isLowered = try storedSchema(of: key) > version
        let known = try isShared(key) ? nil : version
        schemas.forget(location)
        if let suite = key.domain.defaultsSuite {
            try defaults.change(to: .integer(Int64(version)), forKey: Self.schemaPrefix + key.name, in: suite)
            // Until the value is durable that made it lower, the one before may come back, and with it the entry.
            guard !isLowered else { return schemas[location] = known }
        }
        try marks.write(mark, at: identity)
        schemas.noteDurable(known, at: location)
    }

    /// After a removal there is nothing of any form.
    func forgetSchema(of key: any StorageKey) throws {
        let location = try location(of: key)
        if let suite = key.domain.defaultsSuite {
            guard try storedSchema(of: key) > 1 else { return }
            schemas.forget(location)
            try defaults.change(to: .integer(1), forKey: Self.schemaPrefix + key.name, in: suite)
            schemas[location] = try isShared(key) ? nil : 1
        } else if key.domain.isKeychain {
            // A locked device removes an item that it cannot look at.
            schemas.forget(location)
            if (try? markedSchema(at: location)) ?? .max > 1 { try marks.remove(.schema, at: location) }
        } else if (try? storedSchema(of: key)) ?? .max > 1 {
            // Before the first unlock a file can be removed, but not what tells its form be read: that goes unread, as the value did.
            schemas.forget(location)
            try marks.remove(.schema, at: location)
            schemas[location] = try isShared(key) ? nil : 1
        }
    }
}
