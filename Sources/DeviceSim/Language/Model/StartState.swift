import DeviceSimCore

/// What a scenario finds when its first step begins.
public struct StartState: Sendable, Hashable {
    /// What the phone is like.
    public var phone = Device()
    /// What the watch is like.
    public var watch = Device()
    /// Whether the devices are in range of each other.
    public var isLinkUp = true
    /// Whether the watch is paired.
    public var isPaired = true
    /// The phone's second watch; `nil` where it has none.
    public var watch2: Device?
    /// Whether the second watch is paired, where there is one.
    public var isWatch2Paired = true
    /// False for a phone that cannot have a watch. No watch is paired with it.
    public var phoneCanPair = true
    /// Whether the app has no part on the phone (W16).
    public var isWatchOnlyApp = false
    /// Whether the watch's app cannot be without that of the phone (W120).
    public var isDependentWatchApp = false

    /// Both devices on, unlocked and paired, the app launched and at rest.
    public init() {}

    /// What that device is like.
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

    /// What a device is like at the start.
    public struct Device: Sendable, Hashable {
        /// `off`, and what was done to it last otherwise. A device with a passcode that is `locked` was unlocked before:
        /// its app, if it was launched, went to the background then.
        public var condition = Expectation.DeviceCondition.unlocked
        /// Whether a passcode is set.
        public var hasPasscode = true
        /// Whether a face or finger is enrolled.
        public var hasBiometry = false
        /// Whether the app's complication is on the active face; of a watch only.
        public var hasComplication = false
        /// Whether a watch is locked when it is taken off, and whether its display stays on while the wrist is down.
        public var hasWristDetection = true
        /// Whether a watch's display is dimmed instead of going off.
        public var hasAlwaysOn = false
        /// Whether the app is installed.
        public var isInstalled = true
        /// How the app was launched; `nil`: it was not. Apps that were have come to rest: activated, synced.
        public var launch: AppState? = .foreground
        /// Whether the app activates its session when it is launched. Also holds for later launches.
        public var activatesSession = true
        /// The names of the catalogs that the app does not register when it is launched, this time and later. Sorted.
        public var lateCatalogs: [String] = []
        /// The version of the installed app.
        public var appVersion = AppVersion.first
        /// The name of the app that the device runs, instead of the one that scenario files configure.
        public var app: String?

        /// A device that is on and unlocked, with the app launched.
        public init() {}
    }
}
