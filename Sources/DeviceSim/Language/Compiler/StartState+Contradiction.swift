extension StartState.Device {
    /// Why there is no such device.
    var contradiction: String? {
        if !hasPasscode, condition == .locked || condition == .beforeFirstUnlock { return "a device without a passcode is always unlocked" }
        if !hasPasscode, hasBiometry { return "biometry needs a passcode" }
        if hasComplication, !isInstalled { return "an app that is not installed has no complication" }
        if let app, !activatesSession { return "the app `\(app)` activates its session by itself" }
        guard launch != nil else { return nil }
        if !isInstalled { return "an app that is not installed is not launched either" }
        if condition == .off { return "no app runs on a device that is off" }
        if condition == .beforeFirstUnlock { return "an app is launched before the first unlock by a step: `launch in background`" }
        return nil
    }
}
