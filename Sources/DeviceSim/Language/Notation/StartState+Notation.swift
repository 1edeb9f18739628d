import DeviceSimCore

extension StartState {
    /// The `start` lines: what differs from the devices that a scenario finds otherwise.
    var notation: [String] {
        var lines: [String] = []
        if isWatchOnlyApp { lines.append("start watch-only app") }
        if isDependentWatchApp { lines.append("start dependent watch app") }
        if !phoneCanPair { lines.append("start phone without pairing") }
        if !isPaired, phoneCanPair { lines.append("start unpaired") }
        if !isLinkUp { lines.append("start link down") }
        if let watch2 {
            lines.append("start second watch")
            if !isWatch2Paired, phoneCanPair { lines.append("start watch2 unpaired") }
            lines += watch2.notation.map { "start watch2 \($0)" }
        }
        // Of a watch-only app, that it is not on the phone goes without saying.
        lines += phone.notation.filter { !isWatchOnlyApp || $0 != StartState.Device.notInstalled }.map { "start phone \($0)" }
        lines += watch.notation.map { "start watch \($0)" }
        return lines
    }
}

extension StartState.Device {
    fileprivate static let notInstalled = "not installed"

    /// Without the device. What follows from another line is left out.
    fileprivate var notation: [String] {
        var lines: [String] = []
        if !hasPasscode { lines.append("without passcode") }
        if hasBiometry { lines.append("with biometry") }
        if hasComplication { lines.append("with complication") }
        if !hasWristDetection { lines.append("without wrist detection") }
        if hasAlwaysOn { lines.append("with always on display") }
        if let app { lines.append("with app \(app)") }
        if appVersion != .first { lines.append("version \(appVersion)") }
        if !activatesSession { lines.append("not activated") }
        lines += lateCatalogs.map { "registers \($0) later" }
        var impliesNoLaunch = false
        switch condition {
        case .off:
            lines.append("off")
            impliesNoLaunch = true
        case .beforeFirstUnlock:
            lines.append("before first unlock")
            impliesNoLaunch = true
        case .locked: lines.append("locked")
        case .on, .unlocked: break
        }
        if !isInstalled {
            lines.append(Self.notInstalled)
            impliesNoLaunch = true
        }
        switch launch {
        case nil where !impliesNoLaunch: lines.append("not launched")
        case .background?: lines.append("in background")
        default: break
        }
        return lines
    }
}
