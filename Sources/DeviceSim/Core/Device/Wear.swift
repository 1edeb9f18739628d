/// How a watch is worn, and how long its app stays frontmost.
public struct Wear: Sendable, Hashable {
    /// Whether the watch is on a wrist.
    public var isOnWrist = true
    /// Whether the wrist is lowered, or the display covered: the screen is off, or dimmed where there is an Always On display.
    public var isWristDown = false
    /// Whether the watch is locked when it is taken off. A person may switch that off.
    public var hasWristDetection = true
    /// Whether the display stays on, dimmed, while the wrist is down.
    public var hasAlwaysOn = false
    /// How long an app stays frontmost after the wrist was lowered. An app or a person may choose more than the two minutes.
    public var frontmostTime = VirtualDuration.seconds(120)
}

/// A session of a watch app during which the system lets it run in the background (W117).
public enum BackgroundSession: String, Sendable, Hashable, Comparable, CaseIterable {
    /// An `HKWorkoutSession`.
    case workout
    /// Location updates in the background.
    case location
    /// Audio that plays in the background.
    case audio

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
