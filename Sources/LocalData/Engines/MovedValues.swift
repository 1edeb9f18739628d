import Foundation

/// What is known of values that lie elsewhere now, or are about to: the marks of migrations and removals, and whose a value at an old place is still.
/// It reads values and writes marks; ``MigrationEngine`` moves the values.
///
/// Its state is the marks, which engines share. Called in the key's turn.
final class MovedValues: Sendable {
    let environment: StorageEnvironment
    let files: FileStorageHelper
    let marks: MigrationMarks
    let processName: ProcessName
    let registered: RegisteredPlacesCache
    let turns: Turns
    let stored: StoredValues
    let edits: SyncLedgerStore

    init(
        environment: StorageEnvironment, files: FileStorageHelper, marks: MigrationMarks, processName: ProcessName,
        catalogs: CatalogRegistry, turns: Turns, stored: StoredValues, edits: SyncLedgerStore
    ) {
        self.environment = environment
        self.files = files
        self.marks = marks
        self.processName = processName
        registered = RegisteredPlacesCache(environment: environment, catalogs: catalogs)
        self.turns = turns
        self.stored = stored
        self.edits = edits
    }

    func migrationContext() -> MigrationContext {
        MigrationContext(
            appVersion: environment.device.appVersion, deviceInfo: environment.device.deviceInfo, systemInfo: environment.device.systemInfo,
            date: environment.clock.now)
    }
}

/// Marks of values that lie elsewhere now.
extension MovedValues {
    /// The migration that was asked for (``StorageRouter/forceMigration(for:)``) of a key that has its value, if the running one is that.
    @TaskLocal private static var forced: (places: [StorageLocation], span: TaskSpan)?

    /// Runs a migration that clears also what a removal left, before the value was set anew, at the key's place and at those that its sources are brought over
    /// from. It looks at that as at any older value: what turns out to be later than what the key has is no removed one, and is brought over.
    func clearingRemoved<Result>(
        _ key: any StorageKey, at location: StorageLocation, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let span = TaskSpan()
        defer { span.end() }
        let places = try [location] + key.allSources.map { try StorageLocation(of: $0) }
        return try await Self.$forced.withValue((places, span)) { try await body() }
    }

    private func isForced(at location: StorageLocation) -> Bool {
        guard let forced = Self.forced, forced.span.isOpen else { return false }
        return forced.places.contains(location)
    }

    /// Whether the value was removed on purpose and the key's migration is not to bring it back by itself. So it stays whatever a later version of the
    /// app declares, such as the migration without its condition. A migration from another place is not meant: a value that was set since may have moved
    /// there, and moves back.
    func isRetired(_ key: any StorageKey, at location: StorageLocation) throws -> Bool {
        guard let sources = key.migration?.base.sourceKeys, marks.mayExist(.removed, at: location),
            let data = try marks.contents(.removed, at: location)
        else { return false }
        guard let retired = Self.decodedMark(data)?.sources else { return true }
        return try sources.allSatisfy { try StorageLocation(of: $0.base).recordIdentity(in: environment).isAmong(retired) }
    }

    /// Those of the sources that no removal of the value was told of. What lies at the others was part of what was removed, and is not made a value of again, also where
    /// a version of the app has another source besides.
    func unretired(_ sources: [AnyStorageKey], at location: StorageLocation) throws -> [AnyStorageKey] {
        guard !isForced(at: location), marks.mayExist(.removed, at: location), let data = try marks.contents(.removed, at: location) else {
            return sources
        }
        guard let retired = Self.decodedMark(data)?.sources else { return [] }
        return try sources.filter { try !StorageLocation(of: $0.base).recordIdentity(in: environment).isAmong(retired) }
    }

    /// Notes that the value is being removed, and that a migration from these sources is not to bring it back.
    func markRemoved(at location: StorageLocation, sources: [any StorageKey]) throws {
        let identity = try location.recordIdentity(in: environment)
        var mark = MigrationMark(.removed, location: identity)
        let retired = try sources.map { try StorageLocation(of: $0).recordIdentity(in: environment).exact }
        mark.sources = retired
        if marks.mayExist(.removed, at: location), let data = try marks.contents(.removed, at: location) {
            // One that names no source is about all of them, and stays so.
            mark.sources = Self.decodedMark(data)?.sources.map { earlier in retired + earlier.filter { !retired.contains($0) } }
        }
        try marks.write(mark, at: identity)
    }

    /// The mark of an earlier removal; `nil` where there is none, or none that can be read.
    func removalMark(at location: StorageLocation) throws -> MigrationMark? {
        guard marks.mayExist(.removed, at: location) else { return nil }
        return try marks.contents(.removed, at: location).flatMap(Self.decodedMark)
    }

    /// Takes back what a removal noted that removed nothing.
    func restoreRemovalMark(_ earlier: MigrationMark?, at location: StorageLocation) throws {
        guard var now = try removalMark(at: location), now != earlier else { return }
        let identity = try location.recordIdentity(in: environment)
        guard let earlier else {
            do {
                return try marks.remove(.removed, at: location)
            } catch {
                // It is not to be deleted; then it is about no source.
                now.sources = []
                return try marks.write(now, at: identity)
            }
        }
        try marks.write(earlier, at: identity)
    }

    /// Notes, before it goes, that a value lies elsewhere now, for older versions of the app.
    /// - Parameter edit: What an extension left with the value.
    func markMoved(_ source: StorageLocation, to destination: StorageLocation, edit: ExtensionEdit? = nil) throws {
        let (from, to) = (try source.recordIdentity(in: environment), try destination.recordIdentity(in: environment))
        // Two directories outside of the app's containers may have one name: the mark would be about the destination as well.
        guard from.exact != to.exact else { return }
        var mark = MigrationMark(.moved, location: from, destination: to, appVersion: environment.device.appVersion)
        mark.edit = edit?.identifier
        try marks.updating(.moved, at: from) {
            // Several keys may be made of one value, each in its time, or two at once. What was left of it is none of theirs.
            if marks.mayExist(.moved, at: source), let earlier = try marks.contents(.moved, at: source).flatMap(Self.decodedMark) {
                mark.adopt(earlier)
            }
            try endSeen(at: source)
            try marks.write(mark, at: from)
        }
    }

    /// Whether a mark says so already.
    func isMarkedMoved(_ source: StorageLocation, to destination: StorageLocation) throws -> Bool {
        guard marks.mayExist(.moved, at: source), let mark = try marks.contents(.moved, at: source).flatMap(Self.decodedMark) else {
            return false
        }
        return try destination.recordIdentity(in: environment).isAmong(mark.destinations)
    }

    /// Refuses to take an absent value for none where a newer version of the app has moved it away.
    /// - Throws: ``StorageError/Code/superseded``.
    func requireNotMovedAway(_ key: any StorageKey, at location: StorageLocation) throws {
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
    func requireIsHere(_ key: any StorageKey, at location: StorageLocation) throws {
        guard marks.mayExist(.moved, at: location), let data = try marks.contents(.moved, at: location),
            Self.decodedMark(data)?.appVersion != nil
        else { return }
        try requireNotMovedAway(key, at: location)
    }

    /// What was stored here lies here: what marks said of an earlier value is over. After the value, so that a crash in between leaves the earlier one.
    func endMarks(of key: any StorageKey, at location: StorageLocation) async throws {
        for source in try seenUnbound(key.allSources, of: key) { try forgetSeen(source, at: StorageLocation(of: source)) }
        guard case .defaults = key.place else { return try forgetMoved(at: location) }
        // A power loss may bring back what was left here. So it is noted which value is the new one, until that has settled.
        if marks.mayExist(.moved, at: location), try marks.exists(.moved, at: location) { try await noteSeen(key, at: location) }
    }

    func forgetMoved(at location: StorageLocation) throws {
        guard marks.mayExist(.moved, at: location), let data = try marks.contents(.moved, at: location) else { return }
        // What a newer version of the app says stays for that.
        if let mover = Self.decodedMark(data)?.appVersion, isNewer(mover) { return }
        try marks.remove(.moved, at: location)
    }

    private func isNewer(_ version: String) -> Bool {
        guard let own = VersionNumber(environment.device.appVersion), let newer = VersionNumber(version) else { return false }
        return own < newer
    }

    static func decodedMark(_ data: Data) -> MigrationMark? {
        guard let mark = try? Coders.jsonDecoder.decode(MigrationMark.self, from: data), mark.version == MigrationMark.formatVersion
        else { return nil }
        return mark
    }
}

/// Values that are set while their migration still waits.
extension MovedValues {
    /// Refuses to replace a value that lies at a source of the key's migration in a form that only newer versions of the app know, as the counterpart sent it to the
    /// version before this one: once it is updated it would be read there.
    /// - Parameter form: Of a value of the counterpart: its form.
    /// - Throws: ``StorageError/Code/superseded``.
    func requireReadableSources(of key: any StorageKey, inForm form: Int?) throws {
        guard let migration = key.migration?.base else { return }
        for source in migration.sourceKeys.withTheirSources {
            // Where it cannot be told for now, the value is not refused for it.
            guard let schema = try? stored.storedSchema(of: source), schema > max(source.schemaVersion, form ?? key.schemaVersion),
                try isHeld(source), try !isInUse(source, besides: key)
            else { continue }
            throw StorageError(
                .superseded, key: key.name, domain: key.domain.kind,
                facts: [
                    "'\(source.name)' in \(source.domain.kind) holds a value of schema version \(schema), which a newer version of the app brings over"
                ])
        }
    }

    /// Notes, before a value is stored, that what still lies at the sources of its key's migration is older: a later version of the app may have the value
    /// at one of those places again, and would take the old one for it. So it notes where nothing lies: an older version of the app would store there what
    /// the next update would not look for. A source that is registered itself has a value of its own.
    ///
    /// Not in the turns of the sources: a set must not wait for another key's migration. Another migration of the same source writes a mark as well, and
    /// either holds.
    /// - Throws: Why that cannot be noted. Nothing was stored then.
    func markWhatIsReplaced(by key: any StorageKey, at location: StorageLocation) throws {
        guard let migration = key.migration?.base, !turns.isMigrating(into: location) else { return }
        let sources = (migration as? any PlannedMigration)?.clearableSources(in: migrationContext()) ?? migration.sourceKeys
        for source in sources.withTheirSources {
            guard let place = try placeToBeMarked(of: source, replacedBy: key, at: location) else { continue }
            // Where it cannot be told, there may be one.
            if (try? isHeld(source)) != false {
                try markMoved(place, to: location, edit: extensionEdit(of: source))
            } else {
                try markEmpty(source, at: place, movedTo: location)
            }
        }
    }

    /// Notes, once a value was made of several, that those of its sources which were empty have moved with the others.
    func markEmptySources(_ sources: [AnyStorageKey], of key: any StorageKey, at location: StorageLocation) throws {
        for source in sources.withTheirSources where try !isHeld(source) {
            guard let place = try placeToBeMarked(of: source, replacedBy: key, at: location) else { continue }
            try markEmpty(source, at: place, movedTo: location)
        }
    }

    /// The value is not refused for it, such as on a full disk. Not where another process may store one, which cannot see the mark.
    private func markEmpty(_ source: any StorageKey, at place: StorageLocation, movedTo location: StorageLocation) throws {
        if try !stored.isShared(source) { try? markMoved(place, to: location) }
    }

    /// - Returns: `nil` where marks lead from the source to the key's place already, and where the source is somebody else's.
    private func placeToBeMarked(of source: any StorageKey, replacedBy key: any StorageKey, at location: StorageLocation) throws
        -> StorageLocation?
    {
        let place = try StorageLocation(of: source)
        guard try !isKnownToHaveMoved(place, to: location.recordIdentity(in: environment)), try !isInUse(source, besides: key),
            try !stored.isOneFile(source, key)
        else { return nil }
        return place
    }

    /// What an extension left with the value of a key; `nil` also where that cannot be told.
    func extensionEdit(of key: any StorageKey) -> ExtensionEdit? { (try? readExtensionEdit(of: key)).flatMap(\.self) }

    /// - Throws: Where it cannot be told. What an extension set would be taken for what was left there, and replaced.
    func readExtensionEdit(of key: any StorageKey) throws -> ExtensionEdit? {
        guard case .keychain(let service) = key.domain else { return try edits.extensionEdit(of: key) }
        guard key.accessGroup != nil || key.syncPolicy != .never else { return nil }
        return try stored.keychain.syncTag(of: key, service: service).flatMap(ExtensionEdit.init(tag:))
    }

    /// Whether marks lead from a place to that of an identity. One that a newer version of the app left, or that cannot be read, stays as it is.
    private func isKnownToHaveMoved(_ place: StorageLocation, to own: RecordIdentity) throws -> Bool {
        guard marks.mayExist(.moved, at: place), let data = try marks.contents(.moved, at: place) else { return false }
        guard let mark = Self.decodedMark(data), let mover = mark.appVersion, !isNewer(mover) else { return true }
        var due = mark.destinations
        var visited: Set<String> = []
        while let identity = due.popLast() {
            if own.allExact.contains(identity) { return true }
            if visited.insert(identity).inserted { due += try destinations(ofMarkAt: identity) }
        }
        return false
    }
}

/// Values that moved away and move back, before what was left of them was deleted.
extension MovedValues {
    /// Whether what lies at a key's place is what was left there when its value moved away, and one of the sources of its migration, or of theirs, has
    /// that value.
    func isLeftover(
        _ key: any StorageKey, replacedBy sources: [AnyStorageKey], at location: StorageLocation
    ) async throws -> Bool {
        if try await isOvertakenByExtension(key, at: location, setting: sources) { return true }
        let sources = sources.withTheirSources
        guard mayBeLeftover(among: sources, at: location), try stored.isStored(key) else { return false }
        if try !seenUnbound(sources, of: key).isEmpty { return true }
        // A value that moved away left its mark under the name that the place had then.
        let locations = try [location] + formerLocations(of: key, among: sources)
        guard locations.contains(where: { marks.mayExist(.moved, at: $0) }), try await !isSeen(key, at: location),
            try await !isSetByExtensionSince(key, at: locations)
        else { return false }
        var names: [String: any StorageKey] = [:]
        for source in sources {
            for name in try StorageLocation(of: source).recordIdentity(in: environment).allExact { names[name] = source }
        }
        var visited: Set<String> = []
        var due = try locations.flatMap { try $0.recordIdentity(in: environment).allExact }
        while let place = due.popLast() {
            guard visited.insert(place).inserted else { continue }
            for next in try destinations(ofMarkAt: place) {
                if let source = names[next], try isHeld(source), try !stored.isOneFile(source, key) { return true }
                due.append(next)
            }
        }
        return false
    }

    /// Whether what lies at a source was left there when its value moved on, past `location`, to where a migration of this task leads, and is there.
    func hasMovedOn(_ source: any StorageKey, past location: StorageLocation) async throws -> Bool {
        let place = try StorageLocation(of: source)
        guard marks.mayExist(.moved, at: place), try await !isSeen(source, at: place),
            try await !isSetByExtensionSince(source, at: [place])
        else { return false }
        return try Self.destinations.map(\.base).contains { destination in
            let end = try StorageLocation(of: destination)
            return try end.physical != location.physical && isKnownToHaveMoved(place, to: end.recordIdentity(in: environment))
                && stored.isStored(destination)
        }
    }

    /// False where nothing says of the key's place, under any name, that a value moved away from it. Looks at no file but the marks.
    func mayBeLeftover(among sources: [any StorageKey], at location: StorageLocation) -> Bool {
        guard marks.mayExist(.moved) || marks.mayExist(.seen) else { return false }
        if marks.mayExist(.seen) || marks.mayExist(.moved, at: location) { return true }
        return sources.contains { source in
            guard let place = try? stored.location(of: source), place != location else { return false }
            return marks.mayExist(.moved, at: place)
        }
    }

    /// What versions of the app before called the key's place.
    private func formerLocations(of key: any StorageKey, among sources: [any StorageKey]) throws -> [StorageLocation] {
        let own = try stored.location(of: key)
        return try sources.compactMap { source in
            let place = try stored.location(of: source)
            guard place != own, marks.mayExist(.moved, at: place), try stored.isOneFile(source, key) else { return nil }
            return place
        }
    }

    /// Whether an extension has set the value at a source, near or far, in a version of the app that never ran itself and would have brought it over from
    /// the key's place: what lies there is older then. No version of a synced value is judged by this: those are compared.
    private func isOvertakenByExtension(
        _ key: any StorageKey, at location: StorageLocation, setting sources: [AnyStorageKey]
    ) async throws -> Bool {
        guard key.syncPolicy == .never, sources.count == 1, try stored.isStored(key) else { return false }
        let own = try location.recordIdentity(in: environment)
        var nearer: [any StorageKey] = []
        var visited: Set<[String]> = []
        var next = sources.first?.base
        while let source = next, try visited.insert(source.linkOfChain).inserted, try !stored.isOneFile(source, key) {
            if try await hasExtensionEdit(source, orMovedItTo: nearer), try !isKnownToHaveMoved(StorageLocation(of: source), to: own),
                try source.allSources.contains(where: {
                    try StorageLocation(of: $0).physical == location.physical || stored.isOneFile($0, key)
                })
            {
                return try await extensionEditThatLies(at: key) == nil
            }
            nearer.append(source)
            next = source.onlySource
        }
        return false
    }

    /// Whether an extension set what lies at a source, or what was brought from there to a key that comes after it. What cannot be looked at is not
    /// brought over now either.
    private func hasExtensionEdit(_ source: any StorageKey, orMovedItTo nearer: [any StorageKey]) async throws -> Bool {
        if (try? isHeld(source)) == true { return (try? await extensionEditThatLies(at: source)) != nil }
        let place = try StorageLocation(of: source)
        guard !nearer.isEmpty, try editMoved(from: place) != nil else { return false }
        return try nearer.contains {
            try (try? isHeld($0)) == true && isKnownToHaveMoved(place, to: StorageLocation(of: $0).recordIdentity(in: environment))
        }
    }

    /// The edit of an extension that what lies at the key's place is; `nil` where nobody knows of one.
    private func extensionEditThatLies(at key: any StorageKey) async throws -> ExtensionEdit? {
        guard let noted = try readExtensionEdit(of: key) else { return nil }
        if key.domain.isKeychain { return noted }
        return try await stored.storedForm(of: key, asksPerson: false).flatMap { noted.edit(finding: key.revision(of: $0)) }
    }

    /// Whether an extension set what lies at the key's place after its value moved away, and back. Nothing else tells.
    /// - Parameter locations: The place, and what versions of the app before called it.
    private func isSetByExtensionSince(_ key: any StorageKey, at locations: [StorageLocation]) async throws -> Bool {
        guard let edit = try await extensionEditThatLies(at: key) else { return false }
        return try !locations.contains { try editMoved(from: $0) == edit.identifier }
    }

    /// Which edit of an extension's it was that moved away from a place.
    func editMoved(from location: StorageLocation) throws -> String? {
        guard marks.mayExist(.moved, at: location) else { return nil }
        return try marks.contents(.moved, at: location).flatMap(Self.decodedMark)?.edit
    }

    private func destinations(ofMarkAt identity: String) throws -> [String] {
        let name = MigrationMark.file(.moved, of: RecordIdentity(original: identity))
        return try files.readInternal(name: name).flatMap(Self.decodedMark)?.destinations ?? []
    }

    /// Sources in preferences whose value an earlier version of LocalData saw while that of this key was still there to be deleted: it left no other mark.
    private func seenUnbound(_ sources: [any StorageKey], of key: any StorageKey) throws -> [any StorageKey] {
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
}
