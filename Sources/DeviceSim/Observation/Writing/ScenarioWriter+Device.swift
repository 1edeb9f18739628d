import DeviceSimCore
import DeviceSimLanguage

/// What happened to the devices: steps, where it is not what follows from another line.
extension ScenarioWriter {
    mutating func writeStep(_ index: Int) {
        let event = event(index)
        if event.name == ObservedEvent.handDone, let step = event.text("step"), Self.isHandStep(step) {
            return add(step, at: log.times[index])
        }
        guard let kind = event.kind else { return }
        if let line = Self.link(kind, event) {
            add(line, at: log.times[index])
        } else if let device = event.device {
            if let words = deviceWords(kind, index) {
                add("\(device) \(words)", at: log.times[index])
            } else {
                writeSending(kind, index, on: device)
            }
        }
    }

    /// What a recorder may say that a person has done. Anything else in its place is left out: a log comes from outside.
    private static func isHandStep(_ step: String) -> Bool {
        let things = [
            "lock", "unlock", "power off", "power on", "reboot", "background", "foreground", "swipe away", "uninstall", "install",
        ]
        let watches = ["wrist down", "wrist up", "crown", "covered", "taken off", "put on", "complication on", "complication off"]
        let lines =
            ["link up", "link down", "devices pair", "devices unpair"] + things.flatMap { ["phone \($0)", "watch \($0)"] }
            + watches.map { "watch \($0)" }
        return lines.contains(step)
    }

    private static func link(_ kind: TraceEvent.Kind, _ event: ObservedEvent) -> String? {
        switch kind {
        case .linkUp: "link up"
        case .linkDown: "link down"
        case .pair: "devices pair"
        case .unpair: "devices unpair"
        case .switchWatch: DeviceID.all.first { $0.description == event.text("to") }.map { "phone switches to \($0)" }
        default: nil
        }
    }

    private mutating func deviceWords(_ kind: TraceEvent.Kind, _ index: Int) -> String? {
        let event = event(index)
        switch kind {
        case .powerOn: return "power on"
        case .powerOff: return "power off"
        case .powerLoss: return "power loss"
        case .lock: return follows(index, [.takenOff]) ? nil : "lock"
        case .unlock: return "unlock"
        case .passcodeSet: return "passcode set"
        case .passcodeRemoved: return "passcode removed"
        case .wristDown: return "wrist down"
        case .wristUp: return "wrist up"
        case .crown: return "crown"
        case .covered: return "covered"
        case .takenOff: return "taken off"
        case .putOn: return "put on"
        case .complicationLoads: return "complication loads"
        case .complicationChanged:
            if let flag = event.flag("isOnFace") { return "complication \(flag ? "on" : "off")" }
            return event.flag("isInSmartStack").map { "smart stack \($0 ? "on" : "off")" }
        case .sessionBegan, .sessionEnded:
            guard let word = event.text("kind"), BackgroundSession(rawValue: word) != nil else { return nil }
            return "\(word) \(kind == .sessionBegan ? "starts" : "ends")"
        case .install: return hasNeighbour(index, [.pair, .erase]) ? nil : "install"
        case .uninstall: return "uninstall"
        case .launch: return "launch"
        case .launchInBackground: return isWoken(index) ? nil : "launch in background"
        case .prewarm: return "prewarm"
        case .foreground: return follows(index, [.unlock, .wristUp]) ? nil : "foreground"
        case .background:
            return follows(index, [.lock, .wristDown, .crown, .covered, .takenOff, .frontmostEnded, .sessionEnded]) ? nil : "background"
        case .suspend: return runsForAWake(index) ? nil : "suspend"
        case .resume: return hasNeighbour(index, [.foreground]) || isWoken(index) ? nil : "resume"
        case .terminate:
            return hasNeighbour(index, [.powerOff, .powerLoss, .uninstall, .update, .erase, .restore, .pair, .unpair]) ? nil : "terminate"
        case .crash: return crashWords(index)
        case .activate where !isAtLaunch(index) && !follows(index, [.deactivated]): return "activate"
        default: return nil
        }
    }

    /// A crash in the callback that gives something, or by itself. One that the system makes of an expired task follows from that.
    private mutating func crashWords(_ index: Int) -> String? {
        if follows(index, [.backgroundTaskExpired]) { return nil }
        guard let last = neighbours(before: index).last, event(last).isDelivery, let device = event(index).device else { return "crash" }
        // It is said before what is delivered was sent.
        let sent = log.exchange(of: last)?.sent
        add("\(device) crashes while receiving", at: sent.map { log.times[$0] - 1 } ?? log.times[last])
        return nil
    }

    // MARK: What follows from what

    /// The lines of the same device at the same instant before this one.
    private func neighbours(before index: Int) -> [Int] {
        log.events.indices[..<index].reversed().prefix { log.times[$0] == log.times[index] }.filter {
            event($0).device == event(index).device
        }.reversed()
    }

    private func follows(_ index: Int, _ kinds: [TraceEvent.Kind]) -> Bool {
        neighbours(before: index).contains { event($0).kind.map(kinds.contains) ?? false }
    }

    /// Likewise before or after it, on this device or between the two.
    private func hasNeighbour(_ index: Int, _ kinds: [TraceEvent.Kind]) -> Bool {
        let before = log.events.indices[..<index].reversed().prefix { log.times[$0] == log.times[index] }
        let after = log.events.indices[(index + 1)...].prefix { log.times[$0] == log.times[index] }
        return (Array(before) + Array(after)).contains { other in
            (event(other).device == event(index).device || event(other).device == nil) && (event(other).kind.map(kinds.contains) ?? false)
        }
    }

    /// Whether the system has launched or resumed the app for what had come: something arrived at this instant, there is a task, or what the app is
    /// given first was sent before it ran.
    private func isWoken(_ index: Int) -> Bool {
        let arrivals: [TraceEvent.Kind] = [.messageArrived, .contextArrived, .userInfoArrived, .fileArrived]
        if follows(index, arrivals) || hasNeighbour(index, [.backgroundTask]) { return true }
        let run = log.events.indices[(index + 1)...].filter {
            event($0).device == event(index).device && event($0).process == event(index).process
                && event($0).place.file == event(index).place.file
        }
        guard let first = run.first(where: { event($0).isDelivery || event($0).kind?.isLifeOfApp == true }), event(first).isDelivery,
            let exchange = log.exchange(of: first)
        else { return false }
        return exchange.sent.map { $0 < index } ?? true
    }

    /// Whether the app was woken, and nobody has opened it since: the system suspends it then by itself.
    private func runsForAWake(_ index: Int) -> Bool {
        let run = log.events.indices[..<index].filter {
            event($0).device == event(index).device && event($0).process == event(index).process
        }
        guard let begin = run.last(where: { [.launch, .launchInBackground, .resume, .foreground, .background].contains(event($0).kind) })
        else {
            return false
        }
        return [.launchInBackground, .resume].contains(event(begin).kind) && isWoken(begin)
    }
}
