import Foundation

/// Sources that are not one migration's alone: several keys may be made of one old value, and an old place may be that of a key in use.
extension StorageRouter {
    /// Whether a value at a migration's source is somebody's still: a registered key lies there itself, or is to get its value from there.
    ///
    /// A key of another device, and one whose value was removed on purpose, waits for nothing.
    /// - Parameter removed: A key that is being removed. What it would get is nobody's.
    /// - Throws: Where that cannot be told. Then nothing may be deleted.
    nonisolated func isNeeded(_ source: any StorageKey, besides removed: (any StorageKey)? = nil) async throws -> Bool {
        if try isInUse(source, besides: removed) { return true }
        let place = try stored.location(of: source).resolved(in: environment)
        let own = try removed.map { try stored.location(of: $0).resolved(in: environment) }
        let role = environment.device.role
        for key in catalogs.entries.compactMap(\.key?.base) where key.migration != nil && key.availability.isAvailable(on: role) {
            guard KeyNamePattern(key.name) == nil, let location = try? stored.location(of: key), location.resolved(in: environment) != own
            else { continue }
            var visited: Set<String> = []
            if try await isAwaiting(place, key, at: location, &visited) { return true }
        }
        return false
    }

    /// Whether a registered key has its own values where this source lies.
    /// - Parameter other: A key that is not meant: the one whose source it is.
    nonisolated func isInUse(_ source: any StorageKey, besides other: (any StorageKey)? = nil) throws -> Bool {
        let place = try stored.location(of: source).resolved(in: environment)
        let role = environment.device.role
        for entry in catalogs.entries where entry.descriptor.availability.isAvailable(on: role) {
            let key = entry.descriptor
            if let other, key.name == other.name, key.domain == other.domain { continue }
            // A pattern stands for names of its kind.
            let name = KeyNamePattern(key.name).map { $0.matches(source.name) ? source.name : key.name } ?? key.name
            if (try? StorageLocation(name: name, domain: key.domain, security: key.security))?.resolved(in: environment) == place {
                return true
            }
            // Its file under another name.
            guard let used = entry.key?.base, source.domain.directory != nil, used.domain.directory != nil,
                FileNames.folded(used.name) == FileNames.folded(source.name)
            else { continue }
            if try stored.isOneFile(source, used) { return true }
        }
        return false
    }

    /// Whether the migration of a key would read that place, now or once its other sources are there.
    private nonisolated func isAwaiting(
        _ place: String, _ key: any StorageKey, at location: StorageLocation, _ visited: inout Set<String>
    ) async throws -> Bool {
        guard visited.insert(location.resolved(in: environment)).inserted, let sources = key.migration?.base.sourceKeys.map(\.base),
            try !isRetired(key, at: location)
        else { return false }
        for source in sources {
            let found = try StorageLocation(of: source)
            if found.resolved(in: environment) == place, try await !hasItsValue(key, from: source, at: location) { return true }
            if try !stored.isStored(key), try await isAwaiting(place, source, at: found, &visited) { return true }
        }
        return false
    }

    private nonisolated func hasItsValue(_ key: any StorageKey, from source: any StorageKey, at location: StorageLocation) async throws
        -> Bool
    {
        if try isAtDestination(key) { return true }
        guard try stored.isStored(key) else { return false }
        return try await isSettled(key, copiedFrom: [source], isNew: false, at: location)
    }

    /// Those of the sources that may be deleted. Of several none, before all of them may: what is left must not make up a value.
    nonisolated func disposable(_ held: [any StorageKey]) async throws -> [any StorageKey] {
        var disposable: [any StorageKey] = []
        for source in held where try await !isNeeded(source) { disposable.append(source) }
        return disposable.count < held.count && held.count > 1 ? [] : disposable
    }
}

/// Marks of values that lie elsewhere now.
extension StorageRouter {
    /// Notes, before it goes, that a value lies elsewhere now, for older versions of the app.
    nonisolated func markMoved(_ source: StorageLocation, to destination: StorageLocation) throws {
        let (from, to) = (try source.recordIdentity(in: environment), try destination.recordIdentity(in: environment))
        // Two directories outside of the app's containers may have one name: the mark would be about the destination as well.
        guard from.exact != to.exact else { return }
        try marks.write(MigrationMark(.moved, location: from, destination: to, appVersion: environment.device.appVersion), at: from)
    }

    /// Refuses to take an absent value for none where a newer version of the app has moved it away.
    /// - Throws: ``StorageError/Code/superseded``.
    nonisolated func requireNotMovedAway(_ key: any StorageKey, at location: StorageLocation) throws {
        guard marks.mayExist(.moved, at: location), let data = try marks.contents(.moved, at: location) else { return }
        // Damaged, or of a newer format: whoever moved it, nobody verified that there is no value.
        guard let mark = Self.decodedMark(data), let mover = mark.appVersion else {
            throw StorageError(
                .superseded, key: key.name, domain: key.domain.kind, facts: ["a mark says that the value was moved, and cannot be read"])
        }
        guard isNewer(mover) else { return }
        throw StorageError(
            .superseded, key: key.name, domain: key.domain.kind,
            facts: ["version \(mover) of the app moved it\(mark.destination.map { " to \($0)" } ?? "")"])
    }

    /// Refuses to store, or to remove, what the next update would not find: it has the value elsewhere, and takes what lies here for what was left of it.
    /// - Throws: ``StorageError/Code/superseded``. Not for a mark that cannot be read: nobody could store anything any more.
    nonisolated func requireIsHere(_ key: any StorageKey, at location: StorageLocation) throws {
        guard marks.mayExist(.moved, at: location), let data = try marks.contents(.moved, at: location),
            Self.decodedMark(data)?.appVersion != nil
        else { return }
        try requireNotMovedAway(key, at: location)
    }

    /// What was stored here lies here: what marks said of an earlier value is over. After the value, so that a crash in between leaves the earlier one.
    nonisolated func endMarks(of key: any StorageKey, at location: StorageLocation) async throws {
        try forgetCleared(key, at: location)
        for source in try seenUnbound(key.allSources, of: key) { try forgetSeen(source, at: StorageLocation(of: source)) }
        guard case .defaults = key.place else { return try forgetMoved(at: location) }
        // A power loss may bring back what was left here. So it is noted which value is the new one, until that has settled.
        if marks.mayExist(.moved, at: location), try marks.exists(.moved, at: location) { try await noteSeen(key, at: location) }
    }

    nonisolated func forgetMoved(at location: StorageLocation) throws {
        guard marks.mayExist(.moved, at: location), let data = try marks.contents(.moved, at: location) else { return }
        // What a newer version of the app says stays for that.
        if let mover = Self.decodedMark(data)?.appVersion, isNewer(mover) { return }
        try marks.remove(.moved, at: location)
    }

    private nonisolated func isNewer(_ version: String) -> Bool {
        guard let own = VersionNumber(environment.device.appVersion), let newer = VersionNumber(version) else { return false }
        return own < newer
    }

    private static func decodedMark(_ data: Data) -> MigrationMark? {
        guard let mark = try? Coders.jsonDecoder.decode(MigrationMark.self, from: data), mark.version == MigrationMark.formatVersion
        else { return nil }
        return mark
    }
}

/// Values that are set while their migration still waits.
extension StorageRouter {
    /// Notes, before a value is stored, that what still lies at the sources of its key's migration is older: a later version of the app may have the value
    /// at one of those places again, and would take the old one for it. A source that is registered itself has a value of its own.
    ///
    /// Not in the turns of the sources: a set must not wait for another key's migration. Another migration of the same source writes a mark as well, and
    /// either holds.
    /// - Throws: Why that cannot be noted. Nothing was stored then.
    nonisolated func markWhatIsReplaced(by key: any StorageKey, at location: StorageLocation) throws {
        guard let migration = key.migration?.base, !turns.isMigrating(into: location) else { return }
        let sources = (migration as? any PlannedMigration)?.clearableSources(in: migrationContext()) ?? migration.sourceKeys
        let own = try location.recordIdentity(in: environment).exact
        for source in sources.withTheirSources {
            // Where it cannot be told, there may be one.
            guard (try? isHeld(source)) != false else { continue }
            let place = try StorageLocation(of: source)
            guard try !isKnownToHaveMoved(place, to: own), try !isInUse(source, besides: key), try !stored.isOneFile(source, key) else { continue }
            try markMoved(place, to: location)
        }
    }

    /// Whether marks lead from a place to that of an identity. One that a newer version of the app left, or that cannot be read, stays as it is.
    private nonisolated func isKnownToHaveMoved(_ place: StorageLocation, to own: String) throws -> Bool {
        guard marks.mayExist(.moved, at: place), let data = try marks.contents(.moved, at: place) else { return false }
        guard let mark = Self.decodedMark(data), let mover = mark.appVersion, !isNewer(mover) else { return true }
        var next = mark.destination
        var visited: Set<String> = []
        while let identity = next, visited.insert(identity).inserted {
            if identity == own { return true }
            next = try destination(ofMarkAt: identity)
        }
        return false
    }
}

/// Values that moved away and move back, before what was left of them was deleted.
extension StorageRouter {
    /// Whether what lies at a key's place is what was left there when its value moved away, and one of the sources of its migration, or of theirs, has
    /// that value.
    nonisolated func isLeftover(
        _ key: any StorageKey, replacedBy sources: [AnyStorageKey], at location: StorageLocation
    ) async throws -> Bool {
        guard marks.mayExist(.moved, at: location) || marks.mayExist(.seen), try stored.isStored(key) else { return false }
        let sources = sources.withTheirSources
        if try !seenUnbound(sources, of: key).isEmpty { return true }
        guard marks.mayExist(.moved, at: location), try await !isSeen(key, at: location) else { return false }
        var names: [String: any StorageKey] = [:]
        for source in sources { names[try StorageLocation(of: source).recordIdentity(in: environment).exact] = source }
        var visited: Set<String> = []
        var place = try location.recordIdentity(in: environment).exact
        while visited.insert(place).inserted, let next = try destination(ofMarkAt: place) {
            if let source = names[next], try isHeld(source), try !stored.isOneFile(source, key) { return true }
            place = next
        }
        return false
    }

    private nonisolated func destination(ofMarkAt identity: String) throws -> String? {
        let name = MigrationMark.file(.moved, of: RecordIdentity(original: identity))
        return try files.readInternal(name: name).flatMap(Self.decodedMark)?.destination
    }

    /// Sources in preferences whose value an earlier version of LocalData saw while that of this key was still there to be deleted: it left no other mark.
    private nonisolated func seenUnbound(_ sources: [any StorageKey], of key: any StorageKey) throws -> [any StorageKey] {
        guard marks.mayExist(.seen) else { return [] }
        return try sources.filter { source in
            guard case .defaults = source.place else { return false }
            let place = try StorageLocation(of: source)
            guard marks.mayExist(.seen, at: place), let data = try marks.contents(.seen, at: place), let mark = Self.decodedMark(data),
                mark.revision == nil, try isHeld(source)
            else { return false }
            return try source.allSources.contains { try stored.isOneFile($0, key) }
        }
    }

    /// Brings the value back, before anybody reads what was left of an earlier one.
    /// - Throws: Why that is not possible now. The value is still at its old place.
    nonisolated func replaceLeftover(of key: any StorageKey, at location: StorageLocation) async throws {
        guard marks.mayExist(.moved, at: location) || marks.mayExist(.seen), let migration = key.migration?.base as? any PlannedMigration,
            !turns.isMigrating(into: location)
        else { return }
        // Where the condition of a migration does not hold, the key is as if it had none.
        let context = migrationContext()
        let sources = migration.clearableSources(in: context)
        guard try await isLeftover(key, replacedBy: sources, at: location), try !isRetired(key, at: location),
            let error = try await runMigration(of: key, at: location, context: context)?.errors.first,
            try await isLeftover(key, replacedBy: sources, at: location)
        else { return }
        throw error.readError(of: key)
    }
}

/// Places that are one, under names that do not show it: a link, another path of an App Group's container, another case on a volume that ignores it.
extension StorageRouter {
    /// The keys that running migrations of this task move values to, the innermost last.
    @TaskLocal static var destinations: [AnyStorageKey] = []

    /// Whether a key's value is what a running migration of this task brought, or is bringing, to its destination.
    nonisolated func isAtDestination(_ key: any StorageKey) throws -> Bool {
        try Self.destinations.contains { try stored.isOneFile(key, $0.base) }
    }

    /// Whether it is so under another name. Under its own name a migration may remove it.
    nonisolated func isAnotherNameOfDestination(_ key: any StorageKey) throws -> Bool {
        guard !Self.destinations.isEmpty, turns.access.isMigrating() else { return false }
        let own = try stored.location(of: key)
        guard try !Self.destinations.contains(where: { try stored.location(of: $0.base) == own }) else { return false }
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
            guard let other = try sources[..<index].first(where: { try stored.isOneFile($0, source) }) else { continue }
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
        guard case .bytes(let bytes)? = try await stored.storedForm(of: destination) else { return true }
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
            key: source.base, location: try stored.location(of: source.base), plain: try await plainData(of: source.base))
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
        guard let sources = key.migration?.base.sourceKeys, sources.count == 1, !turns.isMigrating(into: location),
            (try? stored.isOneFile(sources[0].base, key)) == true,
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
