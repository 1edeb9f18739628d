/// What the device is, for migrations that depend on it.
public struct DeviceInfo: Sendable, Hashable, Codable {
    /// Such as `iPhone17,1`.
    public let model: String
    /// Such as `iPhone`, `iPad`, `Apple Watch`, `Mac`, `Linux`.
    public let family: String

    /// A device as an environment describes it. On Apple's systems both are the system's own words.
    public init(model: String, family: String) {
        self.model = model
        self.family = family
    }
}

extension DeviceInfo {
    /// The family that a model's identifier names, such as `iPad` for `iPad14,1`; `nil` where it names none that is known, as a Mac's does not.
    static func family(ofModel model: String) -> String? {
        switch model.prefix(while: \.isLetter) {
        case "iPhone": "iPhone"
        case "iPad": "iPad"
        case "iPod": "iPod touch"
        case "Watch": "Apple Watch"
        case "MacBookPro", "MacBookAir", "Macmini", "MacPro", "iMac", "Mac": "Mac"
        default: nil
        }
    }
}
