import DeviceSimCore
import WatchConnectivity

/// Limits, another watch, waking, the wrist.
extension KnobInference {
    mutating func inferLimits() {
        let channels: [(knob: String, taken: TraceEvent.Kind, refused: TraceEvent.Kind)] = [
            ("context.limit", .contextUpdated, .contextRefused), ("message.limit", .messageSent, .messageFailed),
            ("userInfo.limit", .userInfoQueued, .userInfoFailed),
        ]
        for channel in channels {
            let refused = log.events.indices.filter { event($0).kind == channel.refused && event($0).code == 7009 }
            if let index = refused.first(where: { event($0).int("limit") != nil }), let limit = event(index).int("limit") {
                note(channel.knob, .bytes(limit), [index], "the error says the limit")
                continue
            }
            // A recorder knows sizes only: the limit lies between what was taken and what was refused.
            let taken = log.exchanges.filter { !$0.deliveries.isEmpty && $0.isCertain }.compactMap(\.sent).filter {
                event($0).kind == channel.taken
            }
            let most = taken.max { (event($0).int("bytes") ?? 0) < (event($1).int("bytes") ?? 0) }
            let least = refused.min { (event($0).int("bytes") ?? .max) < (event($1).int("bytes") ?? .max) }
            let usual = Knobs.descriptor(named: channel.knob).map { Knobs()[$0] }
            guard case .bytes(let usual)? = usual else { continue }
            if let least, let bytes = event(least).int("bytes"), bytes <= usual {
                note(channel.knob, .bytes(bytes - 1), [least], "less than the smallest that was refused")
            } else if let most, let bytes = event(most).int("bytes"), bytes > usual {
                note(channel.knob, .bytes(bytes), [most], "at least the largest that was delivered")
            }
        }
    }

    mutating func inferSwitch() {
        var spans: [(Int64, [Int])] = []
        var inactive: Int?
        for (index, event) in log.events.enumerated() where event.device == .phone {
            switch event.kind {
            case .inactive where event.text("because") == nil:
                inactive = index
                cancelledMessages(at: index)
            case .deactivated:
                // An app that slept meanwhile is told of both at once.
                if let begin = inactive, log.times[index] > log.times[begin] {
                    spans.append((log.times[index] - log.times[begin], [begin, index]))
                }
                inactive = nil
            case .crash, .terminate, .launch: inactive = nil
            default: break
            }
        }
        noteShortest("switch.handover", spans, "from `sessionDidBecomeInactive` to `sessionDidDeactivate`")
    }

    /// What messages failed with that were under way when the phone's session became inactive.
    private mutating func cancelledMessages(at inactive: Int) {
        let names = CancelledMessageError.allCases
        for exchange in log.exchanges where exchange.channel == .message && exchange.sender == .phone && exchange.isCertain {
            guard let sent = exchange.sent, sent < inactive, let ending = exchange.endings.first, event(ending).kind == .messageFailed,
                log.times[ending] == log.times[inactive],
                let name = names.first(where: { WCError.Code.number(of: $0) == event(ending).code })
            else { continue }
            note("switch.messageError", .choice(name.rawValue), [inactive, ending], "what a message failed with that was cancelled")
        }
    }

    mutating func inferWaking() {
        var cold: [(Int64, [Int])] = []
        var warm: [(Int64, [Int])] = []
        var task: [DeviceID: (index: Int, isCold: Bool)] = [:]
        var woken: [DeviceID: Int] = [:]
        for (index, event) in log.events.enumerated() {
            guard let device = event.device else { continue }
            switch event.kind {
            case .launchInBackground:
                woken[device] = index
                if device.isPhone { phoneWoken(at: index) }
            case .backgroundTask:
                if task[device] == nil { task[device] = (index, woken[device].map { log.times[$0] == log.times[index] } ?? false) }
            case .backgroundTaskCompleted: task[device] = nil
            case .backgroundTaskExpired:
                guard let begun = task.removeValue(forKey: device) else { continue }
                let span = (log.times[index] - log.times[begun.index], [begun.index, index])
                if begun.isCold { cold.append(span) } else { warm.append(span) }
                let next = log.events.indices[(index + 1)...].first { self.event($0).device == device }
                guard let next, log.times[next] == log.times[index] else { continue }
                if self.event(next).kind == .crash {
                    note("wake.expiredTaskCrashes", .flag(true), [index, next], "the app was ended with a crash")
                } else if self.event(next).kind == .suspend {
                    note("wake.expiredTaskCrashes", .flag(false), [index, next], "the app was suspended")
                }
            case .launch, .foreground, .terminate, .crash:
                woken[device] = nil
                task[device] = nil
            default: break
            }
        }
        noteShortest("wake.coldTaskLimit", cold, "from the task to its end, of an app that was launched for it")
        noteShortest("wake.taskLimit", warm, "from the task to its end, of an app that ran before")
    }

    /// W111: what the phone's app is given first after the system has launched it.
    private mutating func phoneWoken(at launch: Int) {
        let rest = log.events.indices[(launch + 1)...].filter {
            event($0).device == .phone && event($0).process == event(launch).process && event($0).place.file == event(launch).place.file
        }
        guard let delivery = rest.first(where: { event($0).isDelivery || [.launch, .foreground].contains(event($0).kind) }) else { return }
        let names: [TraceEvent.Kind: String] = [
            .contextDelivered: "wake.phoneForContexts", .userInfoDelivered: "wake.phoneForUserInfos", .fileDelivered: "wake.phoneForFiles",
        ]
        guard let kind = event(delivery).kind, let name = names[kind] else { return }
        // Of several kinds that were given at once it is not known which one launched it.
        let others = rest.filter { event($0).isDelivery && event($0).kind != kind && log.times[$0] == log.times[delivery] }
        if others.isEmpty { note(name, .flag(true), [launch, delivery], "the phone's app was launched for it") }
    }

    mutating func inferWrist() {
        for (index, event) in log.events.enumerated() where event.kind == .wristDown {
            let rest = log.events.indices[(index + 1)...].filter { self.event($0).device == event.device }
            guard let next = rest.first(where: { self.event($0).kind == .wristUp || self.event($0).kind?.isLifeOfApp == true }) else {
                continue
            }
            if self.event(next).kind == .background, log.times[next] == log.times[index] {
                note("wrist.lowered", .choice(LoweredWrist.background.rawValue), [index, next], "in the background at once")
            } else if let told = rest.first(where: { self.event($0).kind == .messageDelivered }), told < next,
                log.times[told] > log.times[index]
            {
                note(
                    "wrist.lowered", .choice(LoweredWrist.foreground.rawValue), [index, told], "a message arrived while the wrist was down")
            }
        }
    }
}

extension WCError.Code {
    fileprivate static func number(of error: CancelledMessageError) -> Int {
        switch error {
        case .sessionInactive: WCError.Code.sessionInactive.rawValue
        case .notReachable: WCError.Code.notReachable.rawValue
        case .deliveryFailed: WCError.Code.deliveryFailed.rawValue
        case .messageReplyTimedOut: WCError.Code.messageReplyTimedOut.rawValue
        case .genericError: WCError.Code.genericError.rawValue
        }
    }
}
