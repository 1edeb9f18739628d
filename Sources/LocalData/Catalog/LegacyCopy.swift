/// What lies where an earlier version of the app kept a key's value. Never a value.
public struct LegacyCopy: Sendable, Hashable {
    /// Where the migration of such a value stands.
    public enum State: Sendable, Hashable {
        /// The key has its value, and the old one was not deleted.
        case residual
        /// The key has no value yet: its migration will bring this one over.
        case waiting
        /// Whether something is there cannot be told for now.
        case unreadable(StorageError.Code)
    }

    /// The name of the migration's source.
    public let name: String
    /// Where the source is stored, in words.
    public let place: String
    /// Where the migration of this value stands, as far as the device tells.
    public let state: State

    /// A copy as a report shows it. Reports of a device are made by ``StorageRouter/auditReport(opensValues:)``.
    public init(name: String, place: String, state: State) {
        self.name = name
        self.place = place
        self.state = state
    }
}
