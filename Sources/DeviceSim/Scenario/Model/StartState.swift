/// What a scenario finds when its first step begins.
public struct StartState: Sendable, Hashable {
    public var phone = Device()
    public var watch = Device()
    public var isLinkUp = true
    public var isPaired = true
    /// The phone's second watch; `nil` where it has none.
    public var watch2: Device?
    public var isWatch2Paired = true
    /// False for a phone that cannot have a watch. No watch is paired with it.
    public var phoneCanPair = true
    /// Whether the app has no part on the phone (W16).
    public var isWatchOnlyApp = false
    /// Whether the watch's app cannot be without that of the phone (W120).
    public var isDependentWatchApp = false

    public init() {}

    public subscript(device: DeviceID) -> Device {
        get {
            switch device {
            case .phone: phone
            case .watch: watch
            default: watch2 ?? Device()
            }
        }
        set {
            switch device {
            case .phone: phone = newValue
            case .watch: watch = newValue
            default: watch2 = newValue
            }
        }
    }

    public struct Device: Sendable, Hashable {
        /// `off`, and what was done to it last otherwise. A device with a passcode that is `locked` was unlocked before:
        /// its app, if it was launched, went to the background then.
        public var condition = Expectation.DeviceCondition.unlocked
        public var hasPasscode = true
        public var hasBiometry = false
        /// Whether the app's complication is on the active face; of a watch only.
        public var hasComplication = false
        /// Whether a watch is locked when it is taken off, and whether its display stays on while the wrist is down.
        public var hasWristDetection = true
        public var hasAlwaysOn = false
        public var isInstalled = true
        /// How the app was launched; `nil`: it was not. Apps that were have come to rest: activated, synced.
        public var launch: AppState? = .foreground
        /// Whether the app activates its session when it is launched. Also holds for later launches.
        public var activatesSession = true
        public var appVersion = AppVersion.first
        /// The name of the app that the device runs, instead of the one that scenario files configure.
        public var app: String?

        public init() {}
    }
}
