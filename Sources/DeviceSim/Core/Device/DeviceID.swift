/// Names a simulated device: the phone, or one of its watches.
public struct DeviceID: Sendable, Hashable, Comparable {
    /// 0 is the phone, 1 the watch, 2 the second watch.
    public let index: UInt8

    /// A device by its number.
    public init(index: UInt8) {
        self.index = index
    }

    /// The iPhone. Its index is 0.
    public static let phone = DeviceID(index: 0)
    /// The first watch.
    public static let watch = DeviceID(index: 1)
    /// The phone's second watch, where it has one.
    public static let watch2 = DeviceID(index: 2)

    /// Whether it is the phone.
    public var isPhone: Bool { index == 0 }

    public static func < (lhs: DeviceID, rhs: DeviceID) -> Bool { lhs.index < rhs.index }
}

extension DeviceID: CustomStringConvertible {
    /// As scenario files and traces write it: `phone`, `watch`, `watch2`.
    public var description: String {
        switch index {
        case 0: "phone"
        case 1: "watch"
        default: "watch\(index)"
        }
    }
}
