import Foundation

/// What this process knows of the ``StorageKey/schemaVersion`` of stored values, by ``StorageLocation/physical``. Each is read once.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class SchemaMarks: @unchecked Sendable {
    private let lock = NSLock()
    private var versions: [String: Int] = [:]
    private var durable: Set<String> = []
    private var awaited: [String: Int] = [:]

    subscript(location: StorageLocation) -> Int? {
        get { lock.withLock { versions[location.physical] } }
        set { lock.withLock { versions[location.physical] = newValue } }
    }

    /// Whether this process has made the mark at a place durable. One that it found may have been left by a process that died before that, and what is
    /// built on it would outlast it.
    func isDurable(at location: StorageLocation) -> Bool { lock.withLock { durable.contains(location.physical) } }

    func noteDurable(_ version: Int, at location: StorageLocation) {
        lock.withLock {
            versions[location.physical] = version
            durable.insert(location.physical)
        }
    }

    /// The mark at a place is about to change: should that fail halfway, what is there must be read again.
    func forget(_ location: StorageLocation) {
        lock.withLock {
            versions[location.physical] = nil
            durable.remove(location.physical)
        }
    }

    /// The schema version of a value of the counterpart that this process has seen and could not store for now; `nil` where there is none.
    func awaited(_ name: String) -> Int? { lock.withLock { awaited[name] } }

    func noteAwaited(_ version: Int?, of name: String) { lock.withLock { awaited[name] = version } }
}

/// Values in a form that older versions of the app do not know. Called in the key's turn.
extension StorageRouter {
    /// What a ``StorageKey/schemaVersion`` may be, on devices of any width.
    static let schemaVersions = 1...Int(Int32.max)

    /// The schema version of the value at a key's place: 1 where no mark says more. After a crash the value may be older than that.
    nonisolated func storedSchema(at location: StorageLocation) throws -> Int {
        if let known = schemas[location] { return known }
        var version = 1
        if mayHaveMark(.schema, at: location), let data = try readMark(.schema, at: location) {
            let mark = try? Coders.jsonDecoder.decode(MigrationMark.self, from: data)
            // Damaged, or of a newer format: some version above the first.
            version = mark.flatMap { $0.version == MigrationMark.formatVersion ? $0.schema.map { Int(clamping: $0) } : nil } ?? 2
        }
        schemas[location] = version
        return version
    }

    /// Refuses to read, or to replace, what a newer version of the app has stored in a newer form.
    /// - Throws: ``StorageError/Code/superseded``.
    nonisolated func requireKnownSchema(_ key: any StorageKey, at location: StorageLocation) throws {
        try require(try storedSchema(at: location), of: key)
    }

    private nonisolated func require(_ stored: Int, of key: any StorageKey) throws {
        guard stored > key.schemaVersion else { return }
        throw StorageError(
            .superseded, key: key.name, domain: key.domain.kind,
            facts: ["the value has schema version \(stored), this app knows \(key.schemaVersion)"])
    }

    /// Notes durably, before the first value of a newer form is stored, that it is one.
    nonisolated func raiseSchema(of key: any StorageKey, at location: StorageLocation) throws {
        // A newer value that is gone, purged by the system for one, keeps nobody from storing another.
        if try storedSchema(at: location) > key.schemaVersion, try !isStored(key) { try forgetSchema(at: location) }
        try requireKnownSchema(key, at: location)
        try require(schemas.awaited(key.name) ?? 1, of: key)
        try raiseSchema(to: key.schemaVersion, at: location)
    }

    /// Notes durably, before a value of the counterpart is stored, that its form may be a newer one than what lies there.
    nonisolated func raiseSchema(to version: Int, at location: StorageLocation) throws {
        let stored = try storedSchema(at: location)
        guard stored < version || (version > 1 && !schemas.isDurable(at: location)) else { return }
        try noteSchema(max(stored, version), at: location)
    }

    /// Notes that the value that lies there now has an older form than the one before. Too high a mark keeps an older app from a value that it could
    /// read, which is all: so it is no reason to fail.
    nonisolated func lowerSchema(to version: Int, at location: StorageLocation) {
        guard let stored = try? storedSchema(at: location), stored > version else { return }
        if version == 1 { try? forgetSchema(at: location) } else { try? noteSchema(version, at: location) }
    }

    private nonisolated func noteSchema(_ version: Int, at location: StorageLocation) throws {
        let identity = try location.recordIdentity(in: environment)
        var mark = MigrationMark(.schema, location: identity)
        mark.schema = Int64(version)
        schemas.forget(location)
        try writeMark(mark, at: identity)
        schemas.noteDurable(version, at: location)
    }

    /// After a removal there is nothing of any form.
    nonisolated func forgetSchema(at location: StorageLocation) throws {
        guard try storedSchema(at: location) > 1 else { return }
        schemas.forget(location)
        try removeMark(.schema, at: location)
        schemas[location] = 1
    }
}
