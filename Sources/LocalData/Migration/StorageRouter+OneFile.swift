import Foundation

/// Places that are one, under names that do not show it: a link, another path of an App Group's container, another case on a volume that ignores it.
extension StorageRouter {
    /// The keys that running migrations of this task move values to, the innermost last.
    @TaskLocal static var destinations: [AnyStorageKey] = []

    /// Whether what lies at the places of two keys is one file: to delete one were to delete the other. Asked before each deletion of a source.
    /// - Throws: ``StorageError`` where that cannot be told. Then nothing may be deleted.
    nonisolated func isOneFile(_ first: any StorageKey, _ second: any StorageKey) throws -> Bool {
        if try location(of: first).resolved(in: environment) == location(of: second).resolved(in: environment) { return true }
        guard case .file = first.place, case .file = second.place else { return false }
        guard let found = try files.attributes(of: files.place(of: first)), let other = try files.attributes(of: files.place(of: second))
        else { return false }
        if let identity = found.identity, let otherIdentity = other.identity { return identity == otherIdentity }
        return try files.physicalName(of: first.name, in: first.domain) == files.physicalName(of: second.name, in: second.domain)
    }

    /// Whether a key's value is what a running migration of this task brought, or is bringing, to its destination.
    nonisolated func isAtDestination(_ key: any StorageKey) throws -> Bool {
        try Self.destinations.contains { try isOneFile(key, $0.base) }
    }

    /// Whether it is so under another name. Under its own name a migration may remove it.
    nonisolated func isAnotherNameOfDestination(_ key: any StorageKey) throws -> Bool {
        guard !Self.destinations.isEmpty, access.isMigrating() else { return false }
        let own = try location(of: key)
        guard try !Self.destinations.contains(where: { try location(of: $0.base) == own }) else { return false }
        return try isAtDestination(key)
    }

    nonisolated func withDestination<Result>(_ key: any StorageKey, _ body: () async throws -> Result) async throws -> Result {
        try await Self.$destinations.withValue(Self.destinations + [AnyStorageKey(key)]) { try await body() }
    }
}

/// Migrations whose source is their destination, under another name. Nothing is copied, marked or deleted.
extension StorageRouter {
    /// Sources whose file is another source's as well are no two values to make one of.
    nonisolated func requireDistinctFiles(_ sources: [any StorageKey], of destination: any StorageKey) throws {
        for (index, source) in sources.enumerated() {
            guard let other = try sources[..<index].first(where: { try isOneFile($0, source) }) else { continue }
            throw StorageError(
                .invalidKey, key: destination.name, domain: destination.domain.kind, operation: "migrate",
                facts: ["the migration's source '\(source.name)' is the file of the source '\(other.name)', under another name"])
        }
    }

    /// What is in the way of a migration whose source is the destination's file; `nil` where it can be done in place.
    nonisolated func refusal(ofInPlace source: any StorageKey, to destination: any StorageKey, isConverting: Bool) -> StorageError? {
        guard !isConverting else { return nil }
        // Nobody could tell whether the new value was made already.
        return StorageError(
            .invalidKey, key: destination.name, domain: destination.domain.kind, operation: "migrate",
            facts: ["the migration's source '\(source.name)' is the file of the destination, under another name"])
    }

    /// Whether the value that lies at the destination's place, left there under the source's name, is as the destination declares it.
    nonisolated func isAsDeclared<Destination: StorageKey>(_ destination: Destination) async throws -> Bool {
        guard case .file(let protection) = destination.place else { return true }
        let place = try files.place(of: destination)
        if let found = try files.attributes(of: place)?.protection, found != protection { return false }
        guard case .bytes(let bytes)? = try await storedForm(of: destination) else { return true }
        // Sealed bytes can look like a value to a key that is not sealed.
        guard Envelope.isClaimed(by: bytes) == destination.security.isEncrypted else { return false }
        do {
            return try await value(of: destination) != nil
        } catch let error as StorageError where error.code.mayBeEarlierForm || error.code == .keyMissing {
            return false
        }
    }

    /// Gives the one file the form that the destination declares, in one step: until then it is the source's.
    /// - Returns: How many values were written.
    nonisolated func convertInPlace<Destination: StorageKey>(
        _ source: AnyStorageKey, to destination: Destination, _ make: (MigrationSources) throws -> Destination.Value?
    ) async throws -> Int {
        guard try await !isAsDeclared(destination) else { return 0 }
        if let bytes = try files.contents(of: files.place(of: destination)),
            Envelope.isClaimed(by: bytes) != source.base.security.isEncrypted
        {
            // It is not as the source declares it either. The destination's own error says what is wrong.
            guard try await value(of: destination) == nil else { return 0 }
        }
        let entry = MigrationSources.Entry(
            key: source.base, location: try location(of: source.base), plain: try await plainData(of: source.base))
        guard
            let value = try make(
                MigrationSources(destination: destination.name, entries: [entry], integerBitWidth: environment.device.integerBitWidth))
        else { return 0 }
        let plain = try destination.encoded(value, width: environment.device.integerBitWidth)
        let ticket = try await store(
            plain, for: destination, origin: .migration, migratedFrom: await earlierStamp(of: [source], for: destination))
        guard let written = try await plainData(of: destination), destination.isSame(written, plain) else {
            throw MigrationError.verificationFailed(key: destination.name)
        }
        await noteChange(ticket, of: destination, origin: .migration)
        return 1
    }

    /// Reads a value that its key's migration finds in place, in the form that the earlier version of the app gave it.
    /// - Returns: Whether it has the key's form now.
    /// - Throws: Why it could not be given that form for now.
    nonisolated func migrateInPlace(_ key: any StorageKey, at location: StorageLocation) async throws -> Bool {
        guard let sources = key.migration?.base.sourceKeys, sources.count == 1, !isMigrating(into: location),
            (try? isOneFile(sources[0].base, key)) == true,
            let result = try await runMigration(of: key, at: location, context: migrationContext())
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
