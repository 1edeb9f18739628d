import Foundation

/// When a value in preferences is safe enough for its migration to delete what it was made of.
///
/// Preferences are written to the disk by the system, in its own time. `synchronize` waits for pending updates; nowhere does Apple say that they survive a
/// power loss then. So the sources go only when a later process has seen the value, and a minute after an earlier one, or a restart: by then the system
/// has written it. Until that the plan says `interrupted`, and everything that is there is there twice.
extension MovedValues {
    /// In seconds. What is published of the system's writing speaks of less than ten.
    private static let settlingTime: Int64 = 60

    /// Whether the destination's value outlives a power loss, as far as its sources are concerned. Notes that it was seen, where that is not so yet.
    /// - Parameters:
    ///   - held: The sources that hold a value.
    ///   - isNew: Whether it was stored just now.
    func isSettled(
        _ destination: any StorageKey, copiedFrom held: [any StorageKey], isNew: Bool, at location: StorageLocation
    ) async throws -> Bool {
        guard case .defaults = destination.place else { return true }
        if held.count == 1, try held.allSatisfy({ try isWritten(before: destination, $0) }) { return true }
        let revision = try await revision(of: destination)
        if !isNew, let mark = try markOfSeen(at: location), mark.revision == revision { return try isPast(mark) }
        var mark = try markOfNow(.seen, at: location)
        mark.revision = revision
        try marks.write(mark, at: location.recordIdentity(in: environment))
        return false
    }

    /// A power loss takes the last sets of a suite, in their order: the deletion before the copy. With several sources a mark is in the play, a file.
    /// So it is with a source that waits itself: what it was made of goes with it.
    private func isWritten(before destination: any StorageKey, _ source: any StorageKey) throws -> Bool {
        guard source.place == destination.place else { return false }
        return try markOfSeen(at: StorageLocation(of: source)) == nil
    }

    /// Of a value in preferences, as it lies there. A digest says no more than the preferences do.
    private func revision(of key: any StorageKey) async throws -> String? {
        try await stored.storedForm(of: key, asksPerson: false).map { SyncRevision.digest(of: $0).hexadecimal }
    }

    func markOfSeen(at location: StorageLocation) throws -> MigrationMark? {
        guard marks.mayExist(.seen, at: location), let data = try marks.contents(.seen, at: location) else { return nil }
        return try (try? Coders.jsonDecoder.decode(MigrationMark.self, from: data))
            ?? MigrationMark(.seen, location: location.recordIdentity(in: environment))
    }

    func markOfNow(_ state: MigrationMark.State, at location: StorageLocation) throws -> MigrationMark {
        var mark = MigrationMark(state, location: try location.recordIdentity(in: environment))
        mark.process = try processName.drawn(from: environment.entropy)
        mark.uptime = environment.clock.uptime.map { Int64($0) }
        return mark
    }

    /// Whether an earlier process left the mark, and the system has had the time to write what it is about.
    func isPast(_ mark: MigrationMark) throws -> Bool {
        guard mark.process != processName.text else { return false }
        guard let uptime = environment.clock.uptime.map({ Int64($0) }), let then = mark.uptime else { return true }
        return SystemUptime.hasPassed(Self.settlingTime, since: then, at: uptime)
    }

    /// Notes, before a value that was seen is replaced, by what: after a crash either is the one that is not to be taken for what lay there before.
    /// - Returns: The mark that speaks of the value; `nil` where there is none, or it speaks of one that is gone.
    /// - Throws: Why that cannot be noted. Nothing is replaced then.
    func announce(_ form: StoredForm, afterSeen key: any StorageKey, at location: StorageLocation) async throws -> MigrationMark? {
        guard case .defaults = key.place else { return nil }
        try admit(form, of: key, at: location)
        guard var mark = try? markOfSeen(at: location), let found = try? await revision(of: key),
            mark.knows(found)
        else { return nil }
        mark.revision = found
        mark.next = SyncRevision.digest(of: form).hexadecimal
        try marks.write(mark, at: location.recordIdentity(in: environment))
        return mark
    }

    /// An edit of a value that was seen: a power loss takes the edit, or nothing. Where this cannot be noted, the value waits once more.
    func renew(_ mark: MigrationMark?, for key: any StorageKey, at location: StorageLocation) async {
        guard var mark, let revision = try? await revision(of: key) else { return }
        mark.revision = revision
        mark.next = nil
        guard let identity = try? location.recordIdentity(in: environment) else { return }
        try? marks.write(mark, at: identity)
    }

    /// Whether the value in preferences is one that was seen, rather than what lay there before.
    func isSeen(_ key: any StorageKey, at location: StorageLocation) async throws -> Bool {
        guard case .defaults = key.place, let mark = try markOfSeen(at: location) else { return false }
        return try await revision(of: key).map(mark.knows) ?? false
    }

    /// Notes which value was stored in preferences, unless that is known.
    func noteSeen(_ key: any StorageKey, at location: StorageLocation) async throws {
        guard try await !isSeen(key, at: location) else { return }
        var mark = try markOfNow(.seen, at: location)
        mark.revision = try await revision(of: key)
        try marks.write(mark, at: location.recordIdentity(in: environment))
    }

    /// The value that was seen moves away: what is left of it is not one that was seen.
    func endSeen(at location: StorageLocation) throws {
        guard var mark = try markOfSeen(at: location), let revision = mark.revision, revision != Self.none else { return }
        (mark.revision, mark.next) = (Self.none, nil)
        try marks.write(mark, at: location.recordIdentity(in: environment))
    }

    /// No value has this revision.
    private static let none = ""

    /// The migration is done, or its value was removed: what was seen before says nothing of a later one.
    func forgetSeen(_ destination: any StorageKey, at location: StorageLocation) throws {
        guard case .defaults = destination.place, marks.mayExist(.seen, at: location) else { return }
        try marks.remove(.seen, at: location)
    }
}

/// What a power loss brings back to preferences after it was deleted.
extension MovedValues {
    /// Whether a source holds a value that somebody stored there.
    func isHeld(_ source: any StorageKey) throws -> Bool {
        guard try stored.isStored(source) else { return false }
        return try !isCleared(source)
    }

    private func isCleared(_ source: any StorageKey) throws -> Bool {
        guard case .defaults = source.place else { return false }
        let location = try StorageLocation(of: source)
        guard marks.mayExist(.cleared, at: location), let data = try marks.contents(.cleared, at: location) else { return false }
        if let lying = try lyingRevision(of: source), Self.decodedMark(data)?.admits(lying) == true { return false }
        return try !isSetByExtension(source, sinceCleared: data)
    }

    /// Of a value in preferences, as it lies there.
    private func lyingRevision(of key: any StorageKey) throws -> String? {
        try stored.storedFront(of: key).map { SyncRevision.digest(of: $0).hexadecimal }
    }

    /// Notes, before a value is stored where another was cleared, which one it is: a power loss may take it and bring back what was cleared, and that is as
    /// little a value as before.
    private func admit(_ form: StoredForm, of key: any StorageKey, at location: StorageLocation) throws {
        guard marks.mayExist(.cleared, at: location), let data = try marks.contents(.cleared, at: location) else { return }
        let lying = try lyingRevision(of: key)
        let earlier = Self.decodedMark(data)
        let isKnown = lying.map { earlier?.admits($0) == true } ?? true
        if let earlier, isKnown, try isPast(earlier) { return try marks.remove(.cleared, at: location) }
        var mark = try markOfNow(.cleared, at: location)
        (mark.edit, mark.admitted) = (earlier?.edit, earlier?.admitted)
        // The minute after which nothing comes back counts from the deletion; where it came back already, anew.
        if let earlier, isKnown { (mark.process, mark.uptime) = (earlier.process, earlier.uptime) }
        if let lying, try isSetByExtension(key, sinceCleared: data) { mark.admit(lying) }
        mark.admit(SyncRevision.digest(of: form).hexadecimal)
        try marks.write(mark, at: location.recordIdentity(in: environment))
    }

    /// Forgets which values were stored where another was cleared, once no power loss brings that one back. They may have been plain ones.
    func forgetAdmitted(of key: any StorageKey, at location: StorageLocation) throws {
        guard case .defaults = key.place, let mark = try clearedMark(at: location), mark.admitted != nil, try isPast(mark) else { return }
        guard try lyingRevision(of: key).map(mark.admits) ?? true else { return }
        try marks.remove(.cleared, at: location)
    }

    /// The same after a removal: what a power loss brings back now is nobody's value, whatever it is.
    func forgetAdmitted(ofRemoved key: any StorageKey, at location: StorageLocation) throws {
        guard case .defaults = key.place, let mark = try clearedMark(at: location), mark.admitted != nil else { return }
        try noteCleared(at: location, edit: mark.edit)
    }

    private func clearedMark(at location: StorageLocation) throws -> MigrationMark? {
        guard marks.mayExist(.cleared, at: location) else { return nil }
        return try marks.contents(.cleared, at: location).flatMap(Self.decodedMark)
    }

    /// Whether an extension set what lies at a place since it was cleared. It cannot take the mark away.
    func isSetByExtension(_ source: any StorageKey, sinceCleared mark: Data) throws -> Bool {
        guard let edit = try readExtensionEdit(of: source) else { return false }
        return Self.decodedMark(mark).map { $0.edit != edit.identifier } ?? false
    }

    /// Whether a power loss may bring back what is being deleted at a source, or was deleted before. Nothing comes back where nothing was.
    func mayReturn(_ source: any StorageKey, at location: StorageLocation) -> Bool {
        guard case .defaults = source.place else { return false }
        if (try? stored.isStored(source)) != false { return true }
        return [.moved, .cleared].contains { marks.mayExist($0, at: location) && (try? marks.exists($0, at: location)) != false }
    }

    /// Notes, before the value that was made of it goes, that what may reappear at a source is no value.
    /// - Parameter edit: What an extension left with the value that is gone, and may reappear with it.
    func noteCleared(at location: StorageLocation, edit: String?) throws {
        var mark = try markOfNow(.cleared, at: location)
        mark.edit = edit
        try marks.write(mark, at: location.recordIdentity(in: environment))
    }
}
