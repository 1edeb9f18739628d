import Foundation

/// What this process knows of the ``StorageKey/schemaVersion`` of stored values, by ``StorageLocation/physical``. Each is read once.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class SchemaMarks: @unchecked Sendable {
    private let lock = NSLock()
    private var versions: [String: Int] = [:]

    subscript(location: StorageLocation) -> Int? {
        get { lock.withLock { versions[location.physical] } }
        set { lock.withLock { versions[location.physical] = newValue } }
    }
}

/// Values in a form that older versions of the app do not know. Called in the key's turn.
extension StorageRouter {
    /// The schema version of the value at a key's place: 1 where no mark says more.
    private nonisolated func storedSchema(at location: StorageLocation) throws -> Int {
        if let known = schemas[location] { return known }
        var version = 1
        if mayHaveMark(.schema, at: location), let data = try readMark(.schema, at: location) {
            let mark = try? Coders.jsonDecoder.decode(MigrationMark.self, from: data)
            // Damaged, or of a newer format: some version above the first.
            version = mark.flatMap { $0.version == MigrationMark.formatVersion ? $0.schema : nil } ?? 2
        }
        schemas[location] = version
        return version
    }

    /// Refuses to read, or to replace, what a newer version of the app has stored in a newer form.
    /// - Throws: ``StorageError/Code/superseded``.
    nonisolated func requireKnownSchema(_ key: any StorageKey, at location: StorageLocation) throws {
        let stored = try storedSchema(at: location)
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
        guard try storedSchema(at: location) < key.schemaVersion else { return }
        let identity = try location.recordIdentity(in: environment)
        var mark = MigrationMark(.schema, location: identity)
        mark.schema = key.schemaVersion
        try writeMark(mark, at: identity)
        schemas[location] = key.schemaVersion
    }

    /// After a removal there is nothing of any form.
    nonisolated func forgetSchema(at location: StorageLocation) throws {
        guard try storedSchema(at: location) > 1 else { return }
        try removeMark(.schema, at: location)
        schemas[location] = 1
    }
}
