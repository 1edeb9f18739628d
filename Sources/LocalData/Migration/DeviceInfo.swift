/// What the device is, for migrations that depend on it.
public struct DeviceInfo: Sendable, Hashable, Codable {
    /// Such as `iPhone17,1`.
    public let model: String
    /// Such as `iPhone`, `Apple Watch`, `Linux`.
    public let family: String

    public init(model: String, family: String) {
        self.model = model
        self.family = family
    }
}
