import Foundation

/// Migrations whose source is their destination, under another name: nothing is copied, marked or deleted. And values that moved away and move back.
extension MigrationEngine {
    /// Brings the value back, before anybody reads what was left of an earlier one.
    /// - Throws: Why that is not possible now. The value is still at its old place.
    func replaceLeftover(of key: any StorageKey, at location: StorageLocation, using router: StorageRouter) async throws {
        guard marks.mayExist(.moved, at: location) || marks.mayExist(.seen), let migration = key.migration?.base as? any PlannedMigration,
            !turns.isMigrating(into: location)
        else { return }
        // Where the condition of a migration does not hold, the key is as if it had none.
        let context = moves.migrationContext()
        let sources = migration.clearableSources(in: context)
        guard try await moves.isLeftover(key, replacedBy: sources, at: location), try !moves.isRetired(key, at: location),
            let error = try await runMigration(of: key, at: location, context: context, using: router)?.errors.first,
            try await moves.isLeftover(key, replacedBy: sources, at: location)
        else { return }
        throw error.readError(of: key)
    }

    /// Whether the value that lies at the destination's place, left there under the source's name, is as the destination declares it.
    func isAsDeclared<Destination: StorageKey>(_ destination: Destination) async throws -> Bool {
        guard case .file(let protection) = destination.place else { return true }
        let place = try files.place(of: destination)
        if let found = try files.attributes(of: place)?.protection, found != protection { return false }
        guard case .bytes(let bytes)? = try await stored.storedForm(of: destination) else { return true }
        // Sealed bytes can look like a value to a key that is not sealed.
        guard Envelope.isClaimed(by: bytes) == destination.security.isEncrypted else { return false }
        do {
            return try await values.value(of: destination) != nil
        } catch let error as StorageError where error.code.mayBeEarlierForm || error.code == .keyMissing {
            return false
        }
    }

    /// Gives the one file the form that the destination declares, in one step: until then it is the source's.
    /// - Returns: How many values were written.
    func convertInPlace<Destination: StorageKey>(
        _ source: AnyStorageKey, to destination: Destination, _ make: (MigrationSources) throws -> Destination.Value?
    ) async throws -> Int {
        guard try await !isAsDeclared(destination) else { return 0 }
        if let bytes = try files.contents(of: files.place(of: destination)),
            Envelope.isClaimed(by: bytes) != source.base.security.isEncrypted
        {
            // It is not as the source declares it either. The destination's own error says what is wrong.
            guard try await values.value(of: destination) == nil else { return 0 }
        }
        let entry = MigrationSources.Entry(
            key: source.base, location: try stored.location(of: source.base), plain: try await values.plainData(of: source.base))
        guard
            let value = try make(
                MigrationSources(destination: destination.name, entries: [entry], integerBitWidth: environment.device.integerBitWidth))
        else { return 0 }
        let plain = try destination.encoded(value, width: environment.device.integerBitWidth)
        let ticket = try await values.store(
            plain, for: destination, origin: .migration, migratedFrom: await versions.earlierStamp(of: [source], for: destination))
        guard let written = try await values.plainData(of: destination), destination.isSame(written, plain) else {
            throw MigrationError.verificationFailed(key: destination.name)
        }
        await versions.noteChange(ticket, of: destination, origin: .migration)
        return 1
    }

    /// Reads a value that its key's migration finds in place, in the form that the earlier version of the app gave it.
    /// - Returns: Whether it has the key's form now.
    /// - Throws: Why it could not be given that form for now.
    func migrateInPlace(_ key: any StorageKey, at location: StorageLocation, using router: StorageRouter) async throws -> Bool {
        guard let sources = key.migration?.base.sourceKeys, sources.count == 1, !turns.isMigrating(into: location),
            (try? stored.isOneFile(sources[0].base, key)) == true,
            let result = try await runMigration(of: key, at: location, context: moves.migrationContext(), using: router)
        else { return false }
        // What lies there is whole: a full disk, or a lock, is what keeps it from being read.
        if let error = result.errors.first?.readError(of: key), error.code.mayPass { throw error }
        return result.errors.isEmpty && result.migratedCount > 0
    }
}

extension StorageError.Code {
    /// Whether what lies at a key's place may be whole, in the form that an earlier version of the app gave it: plain where it is sealed today, sealed as
    /// another record, or of another type.
    var mayBeEarlierForm: Bool {
        switch self {
        case .decryptionFailed, .corrupt, .wrongType, .undeclaredPolicy: true
        default: false
        }
    }
}
