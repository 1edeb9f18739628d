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
    var isInSession = false
    var hasFaults = false
    var isFull = false
    var hasBackup = false
    var version = AppVersion.first
    var hasWidget = false
    var isWidgetSuspended = false

    var canRunCode: Bool { isOn && isInstalled && isRunning && !isSuspended && !isPrewarmed }

    var canRunWidget: Bool { isOn && isInstalled && hasWidget && !isWidgetSuspended }

    mutating func endWidget() {
        hasWidget = false
        isWidgetSuspended = false
    }

    mutating func endApp() {
        isRunning = false
        isInForeground = false
        isSuspended = false
        isPrewarmed = false
        isInSession = false
    }

    mutating func follow(_ step: DeviceStep) {
        switch step.action {
        case .uninstall, .update, .powerOff, .powerLoss, .reboot, .restore, .widget(.terminate), .widget(.crash): endWidget()
        case .widget(.launch):
            hasWidget = true
            isWidgetSuspended = false
        case .widget(.suspend): isWidgetSuspended = true
        case .widget(.resume): isWidgetSuspended = false
        default: break
        }
        switch step.action {
        case .install: isInstalled = true
        case .uninstall:
            isInstalled = false
            endApp()
        case .launch, .foreground, .relaunch(inBackground: false):
            isRunning = true
            isInForeground = true
            isSuspended = false
            isPrewarmed = false
            isWristDown = false
        case .launchInBackground, .background, .relaunch(inBackground: true):
            isRunning = true
            isInForeground = false
            isSuspended = false
            isPrewarmed = false
        case .prewarm:
            isRunning = true
            isInForeground = false
            isPrewarmed = true
        case .suspend: isSuspended = true
        case .resume: isSuspended = false
        case .terminate, .swipeAway, .crash: endApp()
        case .update(let newVersion):
            version = newVersion
            endApp()
        case .powerOn:
            isOn = true
            isLocked = true
            isBeforeFirstUnlock = true
        case .powerOff, .powerLoss:
            isOn = false
            endApp()
        case .reboot:
            endApp()
            isLocked = true
            isBeforeFirstUnlock = true
        case .lock:
            isLocked = true
            isInForeground = false
        case .unlock:
            isLocked = false
            isBeforeFirstUnlock = false
        case .setFreeSpace(let count): isFull = count != nil
        case .backup: hasBackup = true
        case .watch(let change): follow(change)
        case .restore:
            endApp()
            isInstalled = true
            isLocked = true
            isBeforeFirstUnlock = true
        default: break
        }
        if step.outcome != .succeeds { endApp() }
        if case .losesPower = step.outcome {
            isOn = false
            endWidget()
        }
    }

    private mutating func follow(_ change: WatchChange) {
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
        case .starts: isInSession = true
        case .ends: isInSession = false
        case .refreshes where isOn && isInstalled && !isRunning:
            isRunning = true
            isInForeground = false
        case .frontmostTime, .complicationLoads, .refreshes, .computes: break
        }
    }
}
