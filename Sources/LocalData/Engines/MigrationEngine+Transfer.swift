import Foundation

/// The steps of ``SimpleLegacyMigration``, ``TransformingMigration`` and ``AggregatingMigration``.
extension MigrationEngine {
    /// Whether a value lies at one of the sources, or where its own migration would bring it from, or a transfer waits to be completed.
    func holdsLegacyValue(
        _ sources: [AnyStorageKey], for destination: some StorageKey, context: MigrationContext, using router: StorageRouter
    ) async throws -> Bool {
        let to = try StorageLocation(of: destination)
        for source in try moves.unretired(sources, at: to).map(\.base) {
            let location = try StorageLocation(of: source)
            let isHeld = try await turns.run(at: location, admitsTasks: source.migration?.base.isOfApp ?? false) {
                // A key that is in use keeps its value, and nothing is left to do.
                if try self.moves.isHeld(source) {
                    return try !self.moves.isInUse(source, besides: destination) || !self.stored.isStored(destination)
                }
                guard let migration = source.migration?.base, try !self.turns.isMigrating(source, into: location),
                    try !self.moves.isRetired(source, at: location)
                else { return false }
                return try await migration.shouldMigrate(using: router, context: context)
            }
            if isHeld { return true }
        }
        return try sources.count > 1 && marks.exists(.completing, at: to)
    }

    /// Copy, read back and compare, mark, delete the sources. Nothing is deleted before the destination is known to hold the value;
    /// into preferences the sources go later: see ``MovedValues/isSettled(_:copiedFrom:isNew:at:)``.
    ///
    /// A source that is the destination's file under another name is not deleted: its value is there, and gets the destination's form in place. Nor is one
    /// that is somebody else's still: see ``MovedValues/isNeeded(_:besides:)``. What was left at the destination when its value moved away is no value: the source is
    /// newer, and replaces it.
    /// - Parameters:
    ///   - isConverting: Whether the new value is the old one, in another form at most.
    ///   - make: The new value; `nil` where there is nothing to make it of.
    func transfer<Destination: StorageKey>(
        from sources: [AnyStorageKey], to destination: Destination, missing: MissingSources = .allowed, isConverting: Bool = false,
        context: MigrationContext, using router: StorageRouter, _ make: @escaping @Sendable (MigrationSources) throws -> Destination.Value?
    ) async throws -> MigrationResult {
        let metadata = Self.metadata(of: sources)
        return try await capturingFailure(metadata) {
            let to = try StorageLocation(of: destination)
            let kept = try self.keptSource(behind: sources, of: destination, context: context)
            let sources = sources + (kept.map { [$0] } ?? [])
            let places = try self.distinctPlaces(of: sources, besides: destination, at: to)
            return try await self.turns.run(at: to, migrating: destination) {
                try await self.moves.withDestination(destination) {
                    try await self.inTurns(at: places[...]) {
                        let isCompleting = try sources.count > 1 && self.marks.exists(.completing, at: to)
                        let present = try self.moves.unretired(sources, at: to)
                        if !isCompleting, let error = try await self.fill(present, besides: kept, context: context, using: router) {
                            let result = try await self.discardUnmade(
                                behind: sources, of: destination, at: to, because: error, metadata: metadata, context: context)
                            return result ?? .failure(error, metadata: metadata)
                        }
                        let found = try present.filter { try self.moves.isHeld($0.base) }
                        if let same = try found.first(where: { try self.stored.isOneFile($0.base, destination) }) {
                            if let refusal = self.moves.refusal(ofInPlace: same.base, to: destination, isConverting: isConverting) {
                                throw refusal
                            }
                            let names = try self.otherNames(behind: [same], of: destination)
                            let converted = try await self.convertInPlace(names, to: destination, context: context, make)
                            return MigrationResult(success: true, migratedCount: converted, metadata: metadata)
                        }
                        if found.isEmpty, isConverting {
                            let names = try self.otherNames(behind: sources, of: destination)
                            if !names.isEmpty {
                                let converted = try await self.convertInPlace(names, to: destination, context: context, make)
                                return MigrationResult(success: true, migratedCount: converted, metadata: metadata)
                            }
                        }
                        try self.moves.requireDistinctFiles(found.map(\.base), of: destination)
                        // What another migration of this task brings somewhere is not to be taken away from there.
                        let held = try found.map(\.base).filter { try !self.moves.isAtDestination($0) }
                        // What was left of a value that is at the chain's end already is cleared there.
                        if !isCompleting, !held.isEmpty, try !self.stored.isStored(destination), try await self.haveMovedOn(held, past: to)
                        {
                            return MigrationResult(success: true, metadata: metadata)
                        }
                        var moved = 0
                        if !isCompleting {
                            if held.isEmpty {
                                // What a chain leads back to is not moved away: it is the value itself, with its record.
                                for source in sources where try !self.moves.isAtDestination(source.base) {
                                    self.sync.ledger.noteMovedAway(source.base, to: destination)
                                }
                                let result = try await self.discardUnmade(
                                    behind: sources, of: destination, at: to, metadata: metadata, context: context)
                                return result ?? MigrationResult(success: true, metadata: metadata)
                            }
                            let isAbsent = try !self.stored.isStored(destination)
                            let isLeftover = try await self.moves.isLeftover(destination, replacedBy: sources, at: to)
                            // What lies there may be an earlier copy than what the sources hold.
                            let isToBeMade = isAbsent || isLeftover ? true : try await self.versions.areLater(sources, than: destination)
                            if isToBeMade {
                                if missing == .awaited, held.count < sources.count,
                                    try await self.keptForm(at: sources, for: destination) == nil
                                {
                                    return MigrationResult(success: true, metadata: metadata)
                                }
                                moved = try await self.copy(
                                    from: sources, seen: found.map(\.base), to: destination, isReplacing: isLeftover,
                                    replacesNothing: isAbsent, make)
                            }
                            guard try await self.values.value(of: destination) != nil else {
                                throw MigrationError.verificationFailed(key: destination.name)
                            }
                            try self.mark(held, movedTo: destination, at: to)
                            if sources.count > 1 { try self.moves.markEmptySources(sources, of: destination, at: to) }
                            guard try await self.moves.isSettled(destination, copiedFrom: held, isNew: moved > 0, at: to) else {
                                return MigrationResult(success: true, migratedCount: moved, metadata: metadata)
                            }
                        }
                        let disposable = try await self.moves.disposable(held)
                        guard disposable.count == held.count else {
                            return MigrationResult(success: true, migratedCount: moved, metadata: metadata)
                        }
                        try self.moves.forgetMoved(at: to)
                        if !isCompleting, held.count > 1 { try self.marks.write(.completing, at: to) }
                        let errors = try await self.discard(held, movedTo: destination)
                        if errors.isEmpty { try await self.discardWhatWaited(behind: sources, context: context) }
                        if errors.isEmpty, sources.count > 1 { try self.marks.remove(.completing, at: to) }
                        if errors.isEmpty { try self.moves.forgetSeen(destination, at: to) }
                        return MigrationResult(success: errors.isEmpty, migratedCount: moved, errors: errors, metadata: metadata)
                    }
                }
            }
        }
    }

    private func haveMovedOn(_ held: [any StorageKey], past location: StorageLocation) async throws -> Bool {
        for source in held where try await !moves.hasMovedOn(source, past: location) { return false }
        return true
    }

    /// The places of the sources, in the one order in which migrations take their turns, so that two of them never wait for each other.
    func distinctPlaces(
        of sources: [AnyStorageKey], besides destination: any StorageKey, at to: StorageLocation
    ) throws -> [StorageLocation] {
        var taken = [to.resolved(in: environment): "the destination"]
        let places: [(String, StorageLocation)] = try sources.compactMap { source in
            let place = try StorageLocation(of: source.base)
            let resolved = place.resolved(in: environment)
            // The destination's own place, by another path, or as the service or the suite that it is.
            if resolved == to.resolved(in: environment), try isOtherName(source.base, of: destination) { return nil }
            if let other = taken.updateValue("another source", forKey: resolved) {
                throw StorageError(
                    .invalidKey, key: destination.name, domain: destination.domain.kind, operation: "migrate",
                    facts: ["the migration's source '\(source.name)' is the place of \(other)"])
            }
            return (resolved, place)
        }
        return places.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map(\.1)
    }

    /// Whether two keys of one place give it differently, and what one of them stored can be made the other's where it lies. Of what another serializer wrote into
    /// a file it is told whose it is.
    private func isOtherName(_ source: any StorageKey, of destination: any StorageKey) throws -> Bool {
        guard try stored.isNamedOtherwise(source, than: destination) else { return false }
        if case .file = destination.place { return true }
        return source.serializerName == destination.serializerName
    }

    func inTurns<Result: Sendable>(
        at places: ArraySlice<StorageLocation>, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let first = places.first else { return try await body() }
        return try await turns.run(at: first) { try await self.inTurns(at: places.dropFirst(), body) }
    }

    /// Lets the sources' own migrations fill them. Also where a source has its value: its migration may have been cut short before it deleted what is
    /// older still.
    /// - Parameter kept: What is brought from further back, and no source on its way takes.
    private func fill(
        _ sources: [AnyStorageKey], besides kept: AnyStorageKey?, context: MigrationContext, using router: StorageRouter
    ) async throws -> MigrationError? {
        for source in sources.map(\.base) {
            if let kept, try source.isMade(of: kept.base) { continue }
            let location = try StorageLocation(of: source)
            guard try !moves.isRetired(source, at: location),
                let error = try await runMigration(of: source, at: location, context: context, using: router)?.errors.first
            else { continue }
            if try !moves.isHeld(source) { return error }
        }
        return nil
    }

    /// - Parameter held: The sources that a value was seen at. One that then reads as absent was not readable for a moment, or another process took it: of
    ///   the rest nothing is made, since that one would be deleted as if it were in there.
    /// - Parameter isReplacing: Whether something older lies at the destination: then the copy is a later version of that.
    /// - Returns: How many values the new one was made of.
    private func copy<Destination: StorageKey>(
        from sources: [AnyStorageKey], seen held: [any StorageKey], to destination: Destination, isReplacing: Bool, replacesNothing: Bool,
        _ make: (MigrationSources) throws -> Destination.Value?
    ) async throws -> Int {
        let sent = try await keptForm(at: sources, for: destination)
        let kept = sent?.plain
        var entries: [MigrationSources.Entry] = []
        for source in sources.map(\.base) where kept == nil {
            let place = try StorageLocation(of: source)
            let isSeen = try held.contains { try StorageLocation(of: $0).physical == place.physical }
            entries.append(.init(key: source, location: place, plain: isSeen ? try await values.plainData(of: source) : nil))
        }
        for source in held {
            let place = try StorageLocation(of: source).physical
            guard entries.contains(where: { $0.location.physical == place && $0.plain == nil }) else { continue }
            throw MigrationError.deferred(
                StorageError(
                    .inputOutput, key: source.name, domain: source.domain.kind, operation: "migrate",
                    facts: ["a value was seen at the source, and then read as absent"]))
        }
        let width = environment.device.integerBitWidth
        let found = MigrationSources(destination: destination.name, entries: entries, integerBitWidth: width)
        guard let value = try kept.map({ try destination.decoded($0, width: width) }) ?? Self.made(found, make) else { return 0 }
        let plain = try destination.encoded(value, width: width)
        let before = Result { try self.versions.destinationRecord(destination) }
        var earlier = try await versions.earlierStamp(of: sent.map { [$0.source] } ?? sources, for: destination)
        earlier = try versions.numbered(earlier, at: destination, through: moves.links(behind: destination))
        // What is the same version as what lies there, or a later one, stays that.
        if isReplacing, try await !versions.replaces(earlier, destination) { earlier = .ofAnEdit(isReduced: earlier?.isReduced ?? false) }
        let ticket: SyncTicket?
        do {
            ticket = try await values.store(
                plain, for: destination, origin: .migration, migratedFrom: earlier, replacesNothing: replacesNothing)
        } catch is PlaceTaken {
            return 0
        } catch {
            // The record is still that of the source's value, where both have one: what is not there was not brought.
            if (try? stored.isStored(destination)) == false { try? await versions.forgetCopy(of: destination, restoring: before) }
            throw error
        }
        if let copied = try await values.plainData(of: destination), destination.readsSame(copied, plain, width: width) {
            await versions.noteChange(ticket, of: destination, origin: .migration)
            return kept == nil ? found.present.count : 1
        }
        // What another process has set meanwhile can be read. It is the later one.
        if try stored.isShared(destination), case .some(.some) = try? await self.values.value(of: destination) { return 0 }
        // The destination was verified to be empty, or to hold something older than the source. So what is there now is this copy's: it must not hide the
        // source, nor count as a removal.
        try values.takeAway(destination, origin: .migration)
        if ticket != nil { try await versions.forgetCopy(of: destination, restoring: before) }
        throw MigrationError.verificationFailed(key: destination.name)
    }

    static func made<Value>(_ sources: MigrationSources, _ make: (MigrationSources) throws -> Value?) throws -> Value? {
        do {
            return try make(sources)
        } catch let error as MigrationError {
            throw error
        } catch let error as StorageError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            throw MigrationError.transformFailed(key: sources.destination, reason: "the transformation threw \(type(of: error))")
        }
    }

    /// Says durably, before the first deletion, that the destination has the value now. It was read before, which made it durable, except in preferences:
    /// there it may be lost, and the source, which is not deleted before, is still the value then.
    func mark(_ held: [any StorageKey], movedTo destination: any StorageKey, at to: StorageLocation) throws {
        // Who noted that the value was seen had made the marks durable before.
        let wasSeen = try marks.mayExist(.seen, at: to) && marks.exists(.seen, at: to)
        for source in held where try !moves.isInUse(source, besides: destination) {
            let place = try StorageLocation(of: source)
            if wasSeen, try moves.isMarkedMoved(place, to: to) {
                try moves.endSeen(at: place)
                continue
            }
            try moves.markMoved(place, to: to, edit: moves.extensionEdit(of: source))
        }
    }

    /// Deletes sources whose value lies elsewhere now. That is no removal of a value: the counterpart's older app keeps its own.
    func discard(_ held: [any StorageKey], movedTo destination: any StorageKey) async throws -> [MigrationError] {
        var errors: [MigrationError] = []
        for source in held {
            do {
                // Looked at anew for each: what one name leads to may have changed since.
                guard try !moves.isAtDestination(source) else { continue }
                let edit = try? sync.ledger.store.extensionEdit(of: source)
                if source.acceptedPolicies.acceptsPlain, !source.domain.isKeychain {
                    await sync.ledger.forgetDigest(of: source, movedTo: destination) { [stored] in
                        (try? await stored.syncRevision(of: source))?.value
                    }
                }
                try values.takeAway(source, origin: .migration)
                if let edit { sync.ledger.forget(edit, of: source) }
                sync.ledger.noteMovedAway(source, to: destination)
            } catch let error as StorageError {
                errors.append(MigrationError(error.at(key: source.name, domain: source.domain.kind, operation: "migrate")))
            }
        }
        return errors
    }

    private static func metadata(of sources: [AnyStorageKey]) -> [String: String] {
        guard sources.count != 1, !sources.isEmpty else {
            return sources.first.map { ["source": $0.name, "sourceDomain": $0.domain.kind] } ?? [:]
        }
        return ["sources": sources.map(\.name).joined(separator: ", ")]
    }
}
