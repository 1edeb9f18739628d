import Foundation

/// The marks of this app's migrations, as they lie in LocalData's own folder, and what a process remembers of them.
///
/// It knows files and places, and nothing of keys or values. Synchronous, from any thread; callers have the turn of the place that a mark is about.
struct MigrationMarks: Sendable {
    let environment: StorageEnvironment
    let files: FileStorageHelper
    private let names = MarkNames()
    private let digests = DigestedNames()
    private let locks = MarkLocks()

    init(environment: StorageEnvironment, files: FileStorageHelper) {
        self.environment = environment
        self.files = files
    }

    // MARK: What there may be

    /// False where there is no such mark at all.
    func mayExist(_ state: MigrationMark.State) -> Bool { (try? known(state))?.isEmpty != true }

    /// False where an earlier process left no such mark at the location, nor this one.
    func mayExist(_ state: MigrationMark.State, at location: StorageLocation) -> Bool {
        // Where that cannot be listed for now, the mark itself is looked for.
        guard let names = try? known(state) else { return true }
        guard !names.isEmpty, let identity = try? location.recordIdentity(in: environment) else { return !names.isEmpty }
        return MigrationMark.named(by: identity).contains { names.contains(digests.file(of: $0)) }
    }

    private func known(_ state: MigrationMark.State) throws -> Set<String> {
        if let known = names.durable(state) { return known }
        let folder = MigrationMark.folder(of: state)
        // Who only looks changes nothing, not even that.
        guard !ReadOnly.isOn else { return try names.seen(state) { try files.listInternal(folder) } }
        return try names.durable(state) { try files.listInternalDurably(folder) }
    }

    // MARK: Reading and writing

    /// - Throws: ``StorageError`` where that cannot be told.
    func exists(_ state: MigrationMark.State, at location: StorageLocation) throws -> Bool {
        try contents(state, at: location) != nil
    }

    /// The contents of the mark's file, whatever they say; `nil` on verified absence.
    func contents(_ state: MigrationMark.State, at location: StorageLocation) throws -> Data? {
        for name in try MigrationMark.files(state, of: location.recordIdentity(in: environment)) {
            if let data = try files.readInternal(name: name) { return data }
        }
        return nil
    }

    /// Writes a mark that says no more than what it is about. Durable when it returns.
    func write(_ state: MigrationMark.State, at location: StorageLocation) throws {
        let identity = try location.recordIdentity(in: environment)
        try write(MigrationMark(state, location: identity), at: identity)
    }

    /// Reads the mark of a place and writes what becomes of it, with nobody else writing one of that state there meanwhile. Not to be nested.
    func updating<Result>(_ state: MigrationMark.State, at location: RecordIdentity, _ body: () throws -> Result) rethrows -> Result {
        try locks.exclusively(MigrationMark.file(state, of: location), body)
    }

    func write(_ mark: MigrationMark, at location: RecordIdentity) throws {
        let (name, data) = (MigrationMark.file(mark.state, of: location), try Coders.jsonEncoder.encode(mark))
        // Should the write fail halfway, the mark may be there.
        names.note(mark.state, MigrationMark.fileNames(of: location)[0])
        // Perhaps left by a process that died before its mark was durable.
        guard try files.readInternal(name: name) != data else { return try files.settleInternal(name: name) }
        try files.writeInternal(data, name: name)
    }

    /// Durable when it returns. Removing an absent mark succeeds.
    func remove(_ state: MigrationMark.State, at location: StorageLocation) throws {
        for name in try MigrationMark.files(state, of: location.recordIdentity(in: environment)) {
            do {
                guard try files.readInternal(name: name) != nil else { continue }
            } catch {
                // One that cannot be read, as before the first unlock, can be removed all the same.
            }
            do {
                try files.removeInternal(name: name)
            } catch {
                // It may be gone, and not for good: whoever goes by that makes it durable first.
                names.reread(state)
                throw error
            }
        }
    }
}
