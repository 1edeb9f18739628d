import DeviceSimCore
import WatchConnectivity

/// What a log says of how it began.
extension ScenarioWriter {
    /// What happens so soon after the first line that it belongs to the launch of both apps.
    private static let span: Int64 = 1_000_000

    /// The lines of the launch of both apps, on each device the first ones.
    func linesOfStart() -> Set<Int> {
        var launched: Set<DeviceID> = []
        var begun: Set<DeviceID> = []
        var lines: Set<Int> = []
        guard let first = log.times.min() else { return [] }
        for (index, event) in log.events.enumerated() where log.times[index] - first <= Self.span {
            // A step of a scenario, and what happens between the devices, ends it for both.
            guard let device = event.device else {
                if event.kind == .linkDown, launched.isEmpty, begun.isEmpty { lines.insert(index) } else { begun.formUnion(DeviceID.all) }
                continue
            }
            guard !begun.contains(device), isOfStart(index, launched) else {
                begun.insert(device)
                continue
            }
            if event.kind == .launch || event.kind == .launchInBackground { launched.insert(device) }
            lines.insert(index)
        }
        return lines
    }

    private func isOfStart(_ index: Int, _ launched: Set<DeviceID>) -> Bool {
        let event = event(index)
        guard let device = event.device else { return false }
        switch event.kind {
        case .launch, .launchInBackground: return !launched.contains(device)
        // A call that is not of the launch is a step of its own.
        case .activate: return launched.contains(device) && isAtLaunch(index)
        case .activated: return true
        // A loss comes of something that happened.
        case .reachabilityChanged: return event.flag("isReachable") == true
        case nil: return event.name == ObservedEvent.header
        default: return false
        }
    }

    func isAtLaunch(_ index: Int) -> Bool {
        let event = event(index)
        let launch = log.events.indices[..<index].last {
            self.event($0).device == event.device && self.event($0).process == event.process
                && [.launch, .launchInBackground, .resume].contains(self.event($0).kind)
        }
        return launch.map { log.times[index] - log.times[$0] <= Self.span && self.event($0).place.file == event.place.file } ?? true
    }

    mutating func writeStart() {
        let watches = log.devices.filter { !$0.isPhone }
        if watches.contains(.watch2) { begin(with: "start second watch") }
        for device in [DeviceID.phone] + (watches.isEmpty ? [.watch] : watches) { writeStart(of: device) }
        if startLines.contains(where: { event($0).kind == .linkDown }) { begin(with: "start link down") }
        if log.events.contains(where: { $0.flag("complication") == true && $0.kind == .userInfoQueued }) {
            begin(with: "start watch with complication")
            assume("the complication was on the face from the beginning.")
        }
    }

    private mutating func writeStart(of device: DeviceID) {
        guard log.devices.contains(device) else { return writeAbsent(device) }
        let lines = log.events.indices.filter { event($0).device == device }
        let telling = lines.first {
            event($0).process != nil || [.powerOn, .install, .unlock].contains(event($0).kind)
        }
        guard let telling else { return begin(with: "start \(device) not launched") }
        switch event(telling).kind {
        case .powerOn: begin(with: "start \(device) off")
        case .install: begin(with: "start \(device) not installed")
        case .unlock where !isLaunched(device, before: telling): begin(with: "start \(device) locked")
        case .launch, .launchInBackground, .prewarm:
            if !startLines.contains(telling) {
                begin(with: "start \(device) not launched")
            } else if event(telling).kind == .launchInBackground {
                begin(with: "start \(device) in background")
            }
            if !activates(device, from: telling) { begin(with: "start \(device) not activated") }
        default: assume("the app on the \(device) was launched, and its session activated, before the log begins.")
        }
    }

    private func isLaunched(_ device: DeviceID, before index: Int) -> Bool {
        log.events[..<index].contains { $0.device == device && $0.kind == .launch }
    }

    /// Whether the app activates its session by itself at its launch. Lines may be missing: only what says otherwise counts.
    private func activates(_ device: DeviceID, from launch: Int) -> Bool {
        let run = log.events.indices.filter { event($0).device == device && event($0).process == event(launch).process }
        guard let call = run.first(where: { [.activate, .activated].contains(event($0).kind) }) else {
            let isWaitedFor = log.events.contains { $0.device != device && $0.code == 7017 }
            return !isWaitedFor && !run.contains { event($0).code == 7004 }
        }
        return event(call).kind == .activated
            || log.times[call] - log.times[launch] <= Self.span && isAtLaunch(call)
                && (startLines.contains(call) || !startLines.contains(launch))
    }

    /// A device of which there is no log.
    private mutating func writeAbsent(_ device: DeviceID) {
        guard log.events.contains(where: { $0.device != nil && $0.kind != nil }) else { return }
        if device.isPhone {
            assume("the phone is as a scenario starts by itself: its app launched, its session activated.")
        } else if seemsReachable {
            assume("the watch is as a scenario starts by itself: its app launched, its session activated.")
        } else {
            begin(with: "start \(device) not launched")
            assume("the watch app was not launched where the phone had not seen it reachable.")
        }
    }

    /// Whether the phone has seen a watch app that ran from the beginning: the first that it says of that is not that the app came.
    private var seemsReachable: Bool {
        let telling = log.events.indices.first { index in
            let event = event(index)
            return event.kind == .reachabilityChanged || event.flag("isReachable") == true || event.kind == .messageReplyDelivered
                || event.kind == .messageDelivered
        }
        return telling.map { startLines.contains($0) || event($0).kind != .reachabilityChanged || event($0).flag("isReachable") == false }
            ?? false
    }

    // MARK: What apps are like

    mutating func writeHabits() {
        for device in log.devices {
            let lacking = log.events.filter { $0.device == device && $0.kind == .unimplemented }.compactMap { $0.text("method") }
            for method in WCSessionDelegateMethod.allCases where lacking.contains(method.rawValue) && !isGiven(method, on: device) {
                habits.append("\(device) app does not implement \(method.scenarioName)")
            }
            let tasks = log.events.filter { $0.device == device }
            if tasks.contains(where: { $0.kind == .backgroundTaskExpired }), !tasks.contains(where: { $0.kind == .backgroundTaskCompleted })
            {
                habits.append("\(device) never completes refresh tasks")
            }
        }
    }

    /// Whether the delegate has the method at another time.
    private func isGiven(_ method: WCSessionDelegateMethod, on device: DeviceID) -> Bool {
        log.events.contains { event in
            guard event.device == device else { return false }
            let isData = event.facts["keys"] == nil
            switch method {
            case .didReceiveMessage: return event.kind == .messageDelivered && event.flag("wantsReply") == false && !isData
            case .didReceiveMessageWithReply: return event.kind == .messageDelivered && event.flag("wantsReply") == true && !isData
            case .didReceiveMessageData: return event.kind == .messageDelivered && event.flag("wantsReply") == false && isData
            case .didReceiveMessageDataWithReply: return event.kind == .messageDelivered && event.flag("wantsReply") == true && isData
            case .didReceiveApplicationContext: return event.kind == .contextDelivered
            case .didReceiveUserInfo: return event.kind == .userInfoDelivered
            case .didReceiveFile: return event.kind == .fileDelivered
            default: return false
            }
        }
    }
}
