import DeviceSimCore
import DeviceSimLanguage

/// What a generator believes of a device, so that it draws few steps that cannot be done. A crash that may or may not happen makes it wrong at times; a
/// step that cannot be done is then passed over.
struct DeviceModel {
    var isOn = true
    var isLocked = false
    var isBeforeFirstUnlock = false
    var isInstalled = true
    var isRunning = true
    var isInForeground = true
    var isSuspended = false
    /// Whether the process was prewarmed, and the app not launched yet.
    var isPrewarmed = false
    var isWorn = true
    var isWristDown = false
    /// What keeps the watch's app running in the background.
    var session: BackgroundSession?
    var isInSession: Bool { session != nil }
    var hasFaults = false
    var isFull = false
    var hasBackup = false
    var version = AppVersion.first
    var hasWidget = false
    var isWidgetSuspended = false
    /// Whether the app, or its widget, holds a lock on a file that both share: it is not suspended then, but killed.
    var holdsLock = false
    var widgetHoldsLock = false

    var canRunCode: Bool { isOn && isInstalled && isRunning && !isSuspended && !isPrewarmed }

    var canRunWidget: Bool { isOn && isInstalled && hasWidget && !isWidgetSuspended }

    mutating func endWidget() {
        hasWidget = false
        isWidgetSuspended = false
        widgetHoldsLock = false
    }

    mutating func suspendWidget() {
        if widgetHoldsLock { endWidget() } else { isWidgetSuspended = true }
    }

    mutating func suspend() {
        if holdsLock { endApp() } else { isSuspended = true }
    }

    mutating func setLock(_ isHeld: Bool, of part: AppPart) {
        switch part {
        case .app: holdsLock = isHeld
        case .widget: widgetHoldsLock = isHeld
        }
    }

    mutating func endApp() {
        isRunning = false
        isInForeground = false
        isSuspended = false
        isPrewarmed = false
        session = nil
        holdsLock = false
    }

    mutating func follow(_ step: DeviceStep) {
        step.traits.effect(&self)
        follow(step.outcome)
    }

    /// Of a step of the app's, or one that the app takes part in.
    mutating func follow(_ outcome: StepOutcome) {
        if outcome.endsProcess { endApp() }
        if case .losesPower = outcome {
            isOn = false
            endWidget()
        }
    }

    mutating func launch(inForeground: Bool) {
        isRunning = true
        isInForeground = inForeground
        isSuspended = false
        isPrewarmed = false
        if inForeground { isWristDown = false }
    }

    /// The device starts anew, locked.
    mutating func boot() {
        isOn = true
        isLocked = true
        isBeforeFirstUnlock = true
    }

    mutating func endProcesses() {
        endApp()
        endWidget()
    }

    mutating func follow(_ change: WatchChange) {
        switch change {
        case .wristDown:
            isWristDown = true
            isInForeground = false
        case .wristUp: isWristDown = false
        case .crown: isInForeground = false
        case .covered:
            isWristDown = true
            isInForeground = false
        case .takenOff:
            isWorn = false
            isLocked = true
            isInForeground = false
        case .putOn:
            isWorn = true
            isWristDown = false
        case .starts(let kind): session = kind
        case .ends: session = nil
        case .refreshes where isOn && isInstalled && !isRunning:
            isRunning = true
            isInForeground = false
        case .complicationLoads where isOn && isInstalled && !isRunning:
            isRunning = true
            isInForeground = false
        case .frontmostTime, .complicationLoads, .refreshes, .computes: break
        }
    }
}
