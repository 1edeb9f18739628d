import Foundation

/// Migrations whose source is their destination, under another name: nothing is copied, marked or deleted. And values that moved away and move back.
extension MigrationEngine {
    /// Brings the value back, before anybody reads what was left of an earlier one.
    /// - Throws: Why that is not possible now. The value is still at its old place.
    func replaceLeftover(of key: any StorageKey, at location: StorageLocation, using router: StorageRouter) async throws {
        guard marks.mayExist(.moved) || marks.mayExist(.seen), let migration = key.migration?.base as? any PlannedMigration,
            !turns.isMigrating(into: location), moves.mayBeLeftover(among: key.allSources, at: location)
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
        if case .file(let protection) = destination.place,
            let found = try files.attributes(of: files.place(of: destination))?.protection, found != protection
        {
            return false
        }
        guard try stored.isStored(destination) else { return true }
        // Sealed bytes can look like a value to a key that is not sealed.
        guard try await isSealedInPlace(destination) == destination.security.isEncrypted else { return false }
        if case .keychain = destination.place, !destination.security.isEncrypted { return true }
        do {
            return try await values.value(of: destination) != nil
        } catch let error as StorageError where error.code.mayBeEarlierForm || error.code == .keyMissing {
            return false
        }
    }

    /// Whether what lies at the destination's place begins as an envelope does. What is bound to a person was never sealed.
    private func isSealedInPlace(_ destination: any StorageKey) async throws -> Bool {
        do {
            return try await stored.storedForm(of: destination, asksPerson: false)?.looksSealed ?? false
        } catch let error as StorageError where error.code == .authenticationRequired {
            return false
        }
    }

    /// Gives what lies at the one place the form that the destination declares, in one step: until then it is that of one of its other names.
    /// - Returns: How many values were written.
    func convertInPlace<Destination: StorageKey>(
        _ names: [OtherName], to destination: Destination, context: MigrationContext,
        _ make: (MigrationSources) throws -> Destination.Value?
    ) async throws -> Int {
        guard try stored.isStored(destination), try await !isAsDeclared(destination), try await !isAtEnd(destination) else { return 0 }
        if let revision = try await stored.syncRevision(of: destination).value {
            try sync.ledger.settleOtherNames(names.map(\.key), of: destination, finding: revision)
        }
        guard let (value, name) = try await valueInPlace(names, of: destination, context: context, make) else { return 0 }
        let plain = try destination.encoded(value, width: environment.device.integerBitWidth)
        var earlier = try await versions.earlierStamp(of: name.key, through: name.links, for: destination)
        // An older version of the app has set it since, or an extension: what the destination has a version of is not what lies there.
        let isOfNone = earlier == nil
        if try await isOfNone ? versions.liesBesideRecord(of: destination) : !versions.replaces(earlier, destination) {
            earlier = .ofAnEdit(isReduced: earlier?.isReduced ?? false)
        }
        let ticket = try await values.store(plain, for: destination, origin: .migration, migratedFrom: earlier)
        guard let written = try await values.plainData(of: destination),
            destination.readsSame(written, plain, width: environment.device.integerBitWidth)
        else {
            throw MigrationError.verificationFailed(key: destination.name)
        }
        await versions.noteChange(ticket, of: destination, origin: .migration)
        return 1
    }

    /// Whether a chain that passes the place on its way also ends there, and what lies there is as its end declares it already.
    private func isAtEnd(_ link: any StorageKey) async throws -> Bool {
        let own = try stored.location(of: link)
        for end in MovedValues.destinations.map(\.base) where end.migration != nil {
            guard try stored.location(of: end) != own, try stored.isOneFile(end, link), try await isAsDeclared(end) else { continue }
            return true
        }
        return false
    }

    /// What lies at the one place, as one of its other names declares it, and which one; `nil` where the destination itself reads it, or nothing is made of it.
    func valueInPlace<Destination: StorageKey>(
        _ names: [OtherName], of destination: Destination, context: MigrationContext,
        _ make: (MigrationSources) throws -> Destination.Value?
    ) async throws -> (value: Destination.Value, name: OtherName)? {
        let isSealed = try await isSealedInPlace(destination)
        let width = environment.device.integerBitWidth
        var refusal: StorageError?
        for name in names {
            let accepted = name.key.acceptedPolicies
            guard isSealed ? accepted.acceptsSealed : accepted.acceptsPlain else { continue }
            do {
                let found = try await values.plainData(of: name.key)
                let entry = MigrationSources.Entry(key: name.key, location: try stored.location(of: name.key), plain: found)
                let sources = MigrationSources(destination: destination.name, entries: [entry], integerBitWidth: width)
                return try make(carried(sources, over: name.links, to: destination, context: context)).map { ($0, name) }
            } catch let error as StorageError where error.code.mayBeEarlierForm {
                refusal = error
            }
        }
        // It is as none of them declares it, and may be as an earlier version of the app left it under the destination's own name, which the destination reads
        // by what it was formerly. Else what is wrong is said of the name that it was looked for under last, or by the destination.
        do {
            _ = try await values.value(of: destination)
        } catch let error as StorageError where error.code.mayBeEarlierForm {
            throw refusal ?? error
        }
        return nil
    }

    /// Reads a value that its key's migration finds in place, in the form that the earlier version of the app gave it.
    /// - Returns: Whether it has the key's form now.
    /// - Throws: Why it could not be given that form for now.
    func migrateInPlace(_ key: any StorageKey, at location: StorageLocation, using router: StorageRouter) async throws -> Bool {
        guard let sources = key.migration?.base.sourceKeys, sources.count == 1, !turns.isMigrating(into: location),
            try hasOtherNames(behind: sources, of: key),
            let result = try await runMigration(of: key, at: location, context: moves.migrationContext(), using: router)
        else { return false }
        // What lies there is whole: a full disk, or a lock, is what keeps it from being read.
        if let error = result.errors.first?.readError(of: key), error.code.mayPass { throw error }
        return result.errors.isEmpty && result.migratedCount > 0
    }

    /// - Throws: Where that cannot be told for now, as in a process that the system made before anybody can tell which preferences it sees.
    func hasOtherNames(behind sources: [AnyStorageKey], of key: any StorageKey) throws -> Bool {
        do {
            return try !otherNames(behind: sources, of: key).isEmpty
        } catch let error as StorageError where !error.code.mayPass {
            return false
        }
    }
}

/// Another name of a migration's destination: the key of an earlier version of the app whose file it is, and the keys from the next one to the destination's
/// own source, which the value goes through.
struct OtherName {
    let key: any StorageKey
    let links: [any StorageKey]
}

/// The chain of migrations behind a destination may name its file more than once, and lead away from it in between: one version of the app moved the value
/// away, a later one has it there again. An installation may have run any of them. What lies there has the form that one of them gave it.
extension MigrationEngine {
    /// The nearest first. Not those behind a place that holds something, and behind a link that makes something else of the value: nobody could tell whether
    /// that was done already. Nor what is written as the destination is: that opens by itself.
    func otherNames(behind sources: [AnyStorageKey], of destination: any StorageKey) throws -> [OtherName] {
        var names: [OtherName] = []
        var links: [any StorageKey] = []
        var visited: Set<[String]> = []
        var isOnlyOwn = true
        var next = sources
        while next.count == 1, let key = next.first?.base, try visited.insert(key.linkOfChain).inserted {
            let isOwn = try stored.isOneFile(key, destination)
            isOnlyOwn = isOwn && isOnlyOwn
            // The destination's own place opens by itself, unless it is declared otherwise there, and the value was never moved away since.
            if isOwn, try stored.isNamedOtherwise(key, than: destination) || isOnlyOwn && !key.hasForm(of: destination) {
                names.append(OtherName(key: key, links: links.reversed()))
            }
            guard try isOwn || !moves.isHeld(key), let migration = key.migration?.base as? any PlannedMigration, migration.keepsValues
            else {
                break
            }
            links.append(key)
            next = migration.sourceKeys
        }
        return names
    }

    /// What the last of these links would have of a value at the first one's source.
    func carried(
        _ found: MigrationSources, over links: [any StorageKey], to destination: any StorageKey, context: MigrationContext
    ) throws -> MigrationSources {
        try links.reduce(found) { found, link in
            let made = MigrationSources(destination: link.name, entries: found.entries, integerBitWidth: found.integerBitWidth)
            let plain = try (link.migration?.base as? any PlannedMigration)?.converted(made, in: context)
            let entry = MigrationSources.Entry(key: link, location: try stored.location(of: link), plain: plain)
            return MigrationSources(destination: destination.name, entries: [entry], integerBitWidth: found.integerBitWidth)
        }
    }
}

extension StorageKey {
    /// Whether both keys give one value the same bytes, but for the record that a sealed one is bound to.
    fileprivate func hasForm<Other: StorageKey>(of other: Other) -> Bool {
        serializerName == other.serializerName && security == other.security
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
