/// What the migration of one key would do now.
public struct MigrationStep: Sendable {
    /// The name of the key that the value is brought to.
    public let key: String
    /// The ``StorageDomain/kind`` of the key.
    public let domain: String
    /// The names of the keys that it brings the value from; empty for a migration that does not say.
    public let sources: [String]
    /// What running the migration now would do.
    public let state: State

    /// What a migration that is run now would do.
    public enum State: Sendable {
        /// There is nothing to bring over.
        case nothingToDo
        /// There is a value to bring over.
        case ready
        /// The key has its value, and old ones wait to be deleted: a migration was interrupted, or the value was set anew.
        case interrupted
        /// Not possible for now, such as on a locked device.
        case deferred(StorageError)
        /// The condition of a ``ConditionalMigration`` does not hold.
        case waiting(for: String)
        /// Some sources hold a value, and the migration awaits these (see ``MissingSources/awaited``).
        case incomplete(missing: [String])
        /// The value was removed on purpose; only ``StorageRouter/forceMigration(for:)`` would bring it back.
        case removed
        /// A newer version of the app has moved the value on.
        case superseded(StorageError)
        /// It would fail, for good.
        case blocked(StorageError)
    }
}

extension MigrationStep.State: CustomStringConvertible {
    /// Such as `ready` or `deferred locked`. Also what scenario files write.
    public var description: String {
        switch self {
        case .nothingToDo: "nothing"
        case .ready: "ready"
        case .interrupted: "interrupted"
        case .deferred(let error): "deferred \(error.code.rawValue)"
        case .waiting: "waiting"
        case .incomplete: "incomplete"
        case .removed: "removed"
        case .superseded: "superseded"
        case .blocked(let error): "blocked \(error.code.rawValue)"
        }
    }
}

extension MigrationStep: CustomStringConvertible {
    /// One line, without values.
    public var description: String {
        let from = sources.isEmpty ? "" : " from \(sources.joined(separator: ", "))"
        switch state {
        case .waiting(let condition): return "\(key)\(from): waiting for \(condition)"
        case .incomplete(let missing): return "\(key)\(from): incomplete, missing \(missing.joined(separator: ", "))"
        default: return "\(key)\(from): \(state)"
        }
    }
}
