/// The app under test has no such action, or shows no such thing.
public struct AppActionError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    /// An error whose text is shown in the scenario's failure.
    public init(_ description: String) {
        self.description = description
    }
}
