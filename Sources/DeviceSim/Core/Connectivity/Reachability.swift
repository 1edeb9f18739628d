/// One device as far as its counterpart's session depends on it.
struct SideFacts: Sendable, Hashable {
    var isPoweredOn = true
    /// Whether the device was unlocked since it was switched on.
    var wasUnlockedSinceBoot = true
    var isAppInstalled = true
    /// `nil` while the app does not run.
    var appState: AppState?
    /// Whether it runs in the background with high priority.
    var hasHighPriority = false
    /// Whether the running app's session is activated.
    var isSessionActivated = false
    /// Whether the app's complication is on the active face. On a watch only.
    var isComplicationOnFace = false
    /// Whether the app, in the background, has time for a refresh task and reaches the phone in it (W142). On a watch only.
    var hasRefreshTime = false
}

/// All that decides what the two sessions of a pair see of each other.
struct PairFacts: Sendable, Hashable {
    var isLinkUp = true
    var isPaired = true
    /// Whether the watch is the one that the phone speaks to: of two paired watches one is (W12).
    var isActive = true
    /// Whether reachability is lost for a moment although nothing happened (W36).
    var isFlapping = false
    /// What comes of it that the phone does not know that the watch app was installed; `nil` if it knows (W25).
    var unnoticed: Unnoticed?
    var phone = SideFacts()
    var watch = SideFacts()

    /// What a phone may make of a watch app that it did not notice (W25).
    enum Unnoticed: Sendable, Hashable {
        /// `isWatchAppInstalled` is false, and nothing else.
        case looksMissing
        /// What the phone sends to it is refused.
        case refused
        /// Nothing gets through, either way.
        case cutOff
    }

    /// Whether the radios can hear each other, know each other, and speak to each other.
    var isInRange: Bool { isLinkUp && isPaired && isActive && phone.isPoweredOn && watch.isPoweredOn }

    /// W38: after a restart the phone's data is locked until a person unlocks it once.
    var phoneNeedsUnlock: Bool { isInRange && !phone.wasUnlockedSinceBoot }

    /// Whether a person looks at both apps.
    var isIdleForeground: Bool { canReach && watch.appState == .foreground && phone.appState == .foreground }

    /// What both sides need, whatever the apps do.
    private var canReach: Bool {
        isInRange && !isFlapping && phone.wasUnlockedSinceBoot && phone.isAppInstalled && watch.isAppInstalled && unnoticed != .cutOff
    }

    /// Whether the watch app is in the foreground, or in the background with high priority.
    private var isWatchAppUp: Bool { watch.appState == .foreground || watch.appState == .background && watch.hasHighPriority }

    /// W30, W142: the phone is in range and the watch app up, or it holds a refresh task. The phone's app need not run, but be installed.
    private var isWatchSideReachable: Bool { canReach && (isWatchAppUp || watch.hasRefreshTime) }

    /// W31: the watch is in range, its app is up and is itself reachable, which it is once its session is activated. What the phone's own app does
    /// is of no importance.
    private var isPhoneSideReachable: Bool { canReach && isWatchAppUp && watch.isSessionActivated }

    /// What the session on `device` shows while it is activated.
    func state(of device: DeviceID) -> SessionState {
        let isPhone = device.isPhone
        let isWatchAppKnown = watch.isAppInstalled && unnoticed == nil
        return SessionState(
            isPaired: isPaired,
            isCounterpartInstalled: isPaired && (isPhone ? isWatchAppKnown : phone.isAppInstalled),
            takesSendsUnnoticed: isPhone && isPaired && watch.isAppInstalled && unnoticed != nil && unnoticed != .refused,
            isComplicationEnabled: isPhone && isPaired && isWatchAppKnown && watch.isComplicationOnFace,
            isReachable: isPhone ? isPhoneSideReachable : isWatchSideReachable,
            phoneNeedsUnlock: !isPhone && phoneNeedsUnlock
        )
    }

    /// W41: whether what the daemons exchange in the background can go from `device` to its counterpart. No app need run.
    func canTransfer(from device: DeviceID) -> Bool {
        isInRange && (device.isPhone ? watch : phone).isAppInstalled && unnoticed != .cutOff
    }
}

/// The properties of an activated session that depend on the counterpart.
struct SessionState: Sendable, Hashable {
    /// W20
    var isPaired = false
    /// W21 on the phone, W23 on the watch
    var isCounterpartInstalled = false
    /// Whether what is sent is taken although that is false (W25).
    var takesSendsUnnoticed = false
    /// W95, on the phone only
    var isComplicationEnabled = false
    /// W30, W31
    var isReachable = false
    /// W38, on the watch only
    var phoneNeedsUnlock = false

    /// The callbacks that tell an app of the change from `old` to this state, in the order in which they are made (W22, W23, W34).
    func callbacks(since old: SessionState, on device: DeviceID) -> [StateCallback] {
        var callbacks: [StateCallback] = []
        if device.isPhone {
            if isPaired != old.isPaired || isCounterpartInstalled != old.isCounterpartInstalled
                || isComplicationEnabled != old.isComplicationEnabled
            {
                callbacks.append(.watchState)
            }
        } else if isCounterpartInstalled != old.isCounterpartInstalled {
            callbacks.append(.companionAppInstalled)
        }
        if isReachable != old.isReachable { callbacks.append(.reachability) }
        return callbacks
    }
}

/// A callback that says that a property changed, and carries no value.
enum StateCallback: Sendable, Hashable {
    case watchState
    case companionAppInstalled
    case reachability
}

/// Context updates that follow each other too fast hold up contexts and messages (W52).
struct Congestion: Sendable, Hashable {
    /// Two updates of one device within this span are too many.
    static let span = VirtualDuration.seconds(2)

    /// Until then nothing leaves.
    private(set) var end = VirtualTime.start
    private var lastUpdate: [DeviceID: VirtualTime] = [:]

    mutating func contextWasUpdated(by device: DeviceID, at now: VirtualTime, delay: VirtualDuration) {
        if let last = lastUpdate[device], now - last < Self.span { end = now + delay }
        lastUpdate[device] = now
    }
}

/// A session that may miss that its counterpart is back: the rule of W35.
///
/// Where the counterpart was lost and is back within a second or two, the app is told of the loss only, and `isReachable` stays false until the
/// next loss and return.
struct StaleReachability: Sendable, Hashable {
    private var lost: VirtualTime?
    /// Whether the counterpart is back and the session does not know.
    private(set) var hidesReturn = false

    /// Takes in a change of what is true.
    /// - Parameter span: A return within this long goes unnoticed.
    /// - Returns: whether the session notices.
    mutating func change(to isReachable: Bool, at now: VirtualTime, within span: VirtualDuration) -> Bool {
        guard isReachable else {
            lost = now
            defer { hidesReturn = false }
            return !hidesReturn
        }
        if let lost, now - lost < span { hidesReturn = true }
        return !hidesReturn
    }
}
