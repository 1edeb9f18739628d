import DeviceSimCore

/// Activation, another watch, and what the session tells of the counterpart.
extension RuleJudge {
    mutating func judgeActivation() {
        for (key, lines) in processes {
            var activated: Int?
            var called: Int?
            var isInactive: Int?
            for index in lines {
                switch event(index).kind {
                case .activate:
                    called = index
                case .activated:
                    judgeActivated(index, called: called, before: activated, on: key.device, lines: lines)
                    activated = index
                    isInactive = nil
                case .inactive:
                    isInactive = index
                    if key.device.isPhone { confirm(3, index, "the session of the phone is inactive for a time") }
                    if !key.device.isPhone { contradict(12, index, "a watch's session became inactive") }
                case .deactivated:
                    if let isInactive { confirm(12, index, against: isInactive, "inactive first, then deactivated") }
                    if !key.device.isPhone { contradict(12, index, "a watch's session was deactivated") }
                    isInactive = nil
                    activated = nil
                case .contextDelivered, .userInfoDelivered, .fileDelivered:
                    if let isInactive { confirm(13, index, against: isInactive, "content is delivered while the session is inactive") }
                    if let activated, event(index).kind != .contextDelivered || called != nil {
                        confirmBacklog(index, after: activated, key)
                    }
                default: break
                }
            }
        }
    }

    private mutating func judgeActivated(_ index: Int, called: Int?, before: Int?, on device: DeviceID, lines: [Int]) {
        if event(index).text("error") != nil {
            contradict(3, index, "the session is activated, and the callback has an error")
        } else {
            confirm(3, index, "activated without an error")
        }
        if let called { confirm(2, index, against: called, "the result of `activate()` came through the callback") }
        // On the phone a switch of watches may lie between, and its lines may be lost. A watch's own session stays as it is.
        guard !device.isPhone else { return }
        if let before { contradict(5, index, against: before, "activated a second time in one run of the app") }
        for earlier in lines.prefix(while: { $0 != index }) where before == nil {
            if event(earlier).isDelivery {
                contradict(9, earlier, against: index, "`\(event(earlier).name)` before the session was activated")
            } else if event(earlier).kind == .contextUpdated {
                contradict(7, earlier, against: index, "a context was taken before the session was activated")
            }
        }
    }

    /// What had come before the run of the app began was delivered after the activation.
    private mutating func confirmBacklog(_ index: Int, after activated: Int, _ key: ProcessKey) {
        guard let begin = processes.first(where: { $0.key == key })?.lines.first,
            let exchange = log.exchange(of: index), exchange.isCertain
        else { return }
        if let arrival = exchange.arrivals.first, arrival < begin {
            confirm(9, index, against: activated, "what had arrived before is delivered after the activation")
            if exchange.channel != .context { confirm(82, index, against: begin, "it had arrived before this run of the app began") }
            if exchange.channel == .context { confirm(44, index, against: begin, "delivered at the next launch") }
        } else if exchange.arrivals.isEmpty, let sent = exchange.sent, log.times[sent] + 1_000_000 < log.times[begin] {
            confirm(9, index, against: activated, "what was sent before is delivered after the activation")
            if exchange.channel != .context { confirm(82, index, against: sent, "it was sent before this run of the app began") }
            if exchange.channel == .context { confirm(44, index, against: sent, "delivered at the next launch") }
        }
    }

    mutating func judgePairing() {
        var shown: [ProcessKey: (index: Int, isReachable: Bool)] = [:]
        for (index, event) in log.events.enumerated() {
            guard let device = event.device else { continue }
            let key = event.process.map { ProcessKey(device: device, process: $0, file: event.place.file) }
            switch event.kind {
            case .watchStateChanged: confirm(22, index, "the app is told that the watch's state has changed")
            case .companionAppInstalledChanged: confirm(23, index, "the app is told that the phone's app has come or gone")
            case .reachabilityChanged:
                guard let key, let isReachable = event.flag("isReachable") else { continue }
                if let before = shown[key], before.isReachable != isReachable {
                    confirm(34, index, against: before.index, "told of a change to \(isReachable)")
                }
                shown[key] = (index, isReachable)
                if device.isPhone, !isReachable, let cause = watchLeft(before: index) {
                    confirm(33, index, against: cause, "the watch app has left the foreground")
                }
                if !device.isPhone, isReachable, let phone = phoneIsOff(before: index) {
                    confirm(32, index, against: phone, "the phone's app does not run, and is reachable")
                }
            case .messageFailed:
                guard let key, let before = shown[key], before.isReachable, let sent = log.sending(of: index), before.index < sent,
                    [7007, 7012, 7014, 7017].contains(event.code ?? 0), event.flag("isReachable") == true
                else { continue }
                confirm(37, index, against: before.index, "it failed with \(event.code ?? 0), and the counterpart is reachable")
            default: break
            }
        }
    }

    /// That the watch app went to the background within the second before; by two clocks, or the second after.
    private func watchLeft(before index: Int) -> Int? {
        log.events.indices.last { other in
            guard let device = event(other).device, !device.isPhone, other < index || !log.haveOneClock(other, index) else { return false }
            return [.background, .terminate, .crash, .lock, .wristDown].contains(event(other).kind)
                && abs(log.times[index] - log.times[other]) <= 1_000_000
        }
    }

    /// That the phone's app had ended, by the last that its log says of it.
    private func phoneIsOff(before index: Int) -> Int? {
        let last = log.events.indices[..<index].last { event($0).device == .phone && event($0).kind?.isLifeOfApp == true }
        return last.flatMap { [.terminate, .crash].contains(event($0).kind) ? $0 : nil }
    }
}

extension ObservedEvent {
    var isDelivery: Bool { [.messageDelivered, .contextDelivered, .userInfoDelivered, .fileDelivered].contains(kind) }
}

extension TraceEvent.Kind {
    /// Whether it says that the app runs from here on, or does not.
    var isLifeOfApp: Bool {
        [.launch, .launchInBackground, .prewarm, .foreground, .background, .suspend, .resume, .terminate, .crash, .killed].contains(self)
    }
}

extension JoinedLog {
    /// The line that sent what this line is the ending of.
    func sending(of ending: Int) -> Int? { exchange(of: ending)?.sent }
}
