/// What the operating system is, for migrations that depend on it.
public struct SystemInfo: Sendable, Hashable, Codable {
    /// Such as `iOS`, `watchOS`, `Linux`.
    public let name: String
    /// Such as `17.4.1`.
    public let version: String

    /// A system as an environment describes it.
    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }
}
