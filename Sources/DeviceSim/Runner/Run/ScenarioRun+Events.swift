import DeviceSimCore
import DeviceSimLanguage

/// Events that expectations were about, for `expect nothing else`.
struct AccountedEvents: Hashable {
    let kind: TraceEvent.Kind
    let device: DeviceID?
    /// The watch that sent it, where it is about that one's alone.
    var sender: DeviceID?
}

extension TraceEvent {
    /// Of a delivery on the phone, the watch that it came from.
    fileprivate var senderOfDelivery: DeviceID? {
        guard device?.isPhone == true else { return nil }
        if case .text(DeviceID.watch2.description)? = self["from"] { return .watch2 }
        return .watch
    }

    /// Whether an event of a delivery is of what this device sent.
    fileprivate func isDelivery(of sender: DeviceID) -> Bool {
        sender.isPhone ? device?.isPhone == false : senderOfDelivery == sender
    }
}

/// Expectations about the trace.
extension ScenarioRun {
    func deliveries(
        _ device: DeviceID, _ end: Expectation.DeliveryEnd, _ channel: Expectation.DeliveryChannel, _ count: Expectation.CountCondition,
        since start: Int
    ) -> ExpectationResult {
        let kind = kind(of: channel, at: end)
        let found = simulation.trace.events[start...].filter { event in
            event.kind == kind && (channel != .complication || event["complication"] == .flag(true))
                && (end == .delivered ? event.isDelivery(of: device) : event.device == device)
        }.count
        let subject = "expect \(device) \(end.rawValue) \(channel.rawValue)"
        return .check(
            count.holds(for: found), "it happened \(times(found))", expected: "\(subject) \(count.notation)",
            actual: "\(subject) \(times(found))")
    }

    func events(_ pattern: EventPattern, _ count: Expectation.CountCondition, since start: Int) -> ExpectationResult {
        let found = simulation.trace.events[start...].filter(pattern.matches).count
        return .check(
            count.holds(for: found), "it happened \(times(found))", expected: "expect event \(pattern.standingNotation) \(count.notation)",
            actual: "expect event \(pattern.standingNotation) \(times(found))")
    }

    func inOrder(_ patterns: [EventPattern], since start: Int) -> ExpectationResult {
        var rest = simulation.trace.events[start...]
        for (line, pattern) in patterns.enumerated() {
            guard let index = rest.firstIndex(where: pattern.matches) else {
                let happened = simulation.trace.events[start...].contains(where: pattern.matches)
                let before = line == 0 ? "first" : "after \(patterns[line - 1].standingNotation)"
                var failure = StepFailure(
                    "event \(pattern.standingNotation) \(happened ? "came, but not \(before)" : "did not come")")
                failure.blockLine = line
                return .fails(failure)
            }
            rest = rest[(index + 1)...]
        }
        return .holds
    }

    /// Pairs patterns with events by augmenting paths, so that a general pattern does not take the only event of a narrower one. A free event is taken first, and lines
    /// that are the same have at least as many events as there are of them: so what goes by paths is rare.
    func inAnyOrder(_ patterns: [EventPattern], since start: Int) -> ExpectationResult {
        let events = simulation.trace.events[start...]
        var matches: [EventPattern: [Int]] = [:]
        var lines: [EventPattern: Int] = [:]
        for pattern in patterns {
            lines[pattern, default: 0] += 1
            if matches[pattern] == nil { matches[pattern] = events.indices.filter { pattern.matches(events[$0]) } }
        }
        var takenBy: [Int: Int] = [:]
        func place(_ pattern: Int, avoiding seen: inout Set<Int>) -> Bool {
            let found = matches[patterns[pattern]] ?? []
            if let free = found.first(where: { takenBy[$0] == nil }) {
                takenBy[free] = pattern
                return true
            }
            for index in found where seen.insert(index).inserted {
                guard let other = takenBy[index], place(other, avoiding: &seen) else { continue }
                takenBy[index] = pattern
                return true
            }
            return false
        }
        for pattern in patterns.indices {
            var seen: Set<Int> = []
            let isShort = (matches[patterns[pattern]]?.count ?? 0) < lines[patterns[pattern]] ?? 0
            guard !isShort, place(pattern, avoiding: &seen) else {
                let count = matches[patterns[pattern]]?.count ?? 0
                let same = patterns.indices.filter { patterns[$0] == patterns[pattern] }
                var failure = StepFailure(
                    count == 0
                        ? "event \(patterns[pattern].standingNotation) did not come"
                        : "event \(patterns[pattern].standingNotation) came \(times(count)), and "
                            + (same.count > 1 ? "there are \(same.count) lines for it" : "other lines are about the same"))
                failure.blockLine = isShort ? same[count] : pattern
                return .fails(failure)
            }
        }
        return .holds
    }

    /// - Parameter mark: `nil` for the first step.
    func nothingElse(since mark: String?) -> ExpectationResult {
        let start = mark.flatMap { marks[$0] } ?? firstStepEvent
        let step = mark.flatMap { markSteps[$0] } ?? 0
        let known = Set(accountedFor.filter { $0.value >= step }.keys)
        let others = simulation.trace.events[start...].filter { event in
            Self.noticed.contains(event.kind) && !known.contains(AccountedEvents(kind: event.kind, device: event.device))
                && !known.contains(AccountedEvents(kind: event.kind, device: nil))
                && !known.contains(AccountedEvents(kind: event.kind, device: event.device, sender: event.senderOfDelivery))
        }
        guard !others.isEmpty else { return .holds }
        let list = TraceEvent.log(of: Array(others.prefix(5))).joined(separator: "\n")
        return .fails(StepFailure("something else happened:\n\(list)"))
    }

    /// Notes what an expectation is about, so that `nothing else` does not count it.
    func account(for condition: Expectation.Condition) {
        switch condition {
        case .event(let pattern, _): accountedFor[AccountedEvents(kind: pattern.kind, device: pattern.device)] = stepCount
        case .inOrder(let patterns), .inAnyOrder(let patterns):
            for pattern in patterns {
                accountedFor[AccountedEvents(kind: pattern.kind, device: pattern.device)] = stepCount
            }
        case .deliveries(let id, let end, let channel, _):
            let kind = kind(of: channel, at: end)
            for device in simulation.devices where end == .delivered ? device.id.isPhone != id.isPhone : device.id == id {
                // Of the phone's, those that this watch sent.
                let sender = end == .delivered && device.id.isPhone && scenario.start.watch2 != nil ? id : nil
                accountedFor[AccountedEvents(kind: kind, device: device.id, sender: sender)] = stepCount
            }
        default: break
        }
    }

    /// Notes what an expectation has wanted to come, once it was looked at.
    func noteWanted(by expectation: Expectation, since start: Int) {
        if case .never = expectation.timing { return }
        let patterns: [EventPattern] =
            switch expectation.condition {
            case .event(let pattern, let count): count.holds(for: 0) ? [] : [pattern]
            case .inOrder(let patterns), .inAnyOrder(let patterns): patterns
            default: []
            }
        let failures = patterns.filter { $0.kind == .userInfoFailed || $0.kind == .fileFailed }
        wantedEvents += failures.map { ($0, start..<max(start, simulation.trace.events.count)) }
    }

    /// Deliveries and errors. What an app's own code does, what a person does and what is on its way are neither.
    private static let noticed: Set<TraceEvent.Kind> = [
        .contextDelivered, .contextRefused, .messageDelivered, .messageReplyDelivered, .messageFailed, .messageLost, .userInfoDelivered,
        .userInfoFailed, .fileDelivered, .fileFailed, .backgroundTaskExpired, .sessionError, .misuse, .unimplemented, .unobservedFailure,
        .failed, .refused, .putOff, .crash, .killed, .widgetCrash, .widgetKilled, .log,
    ]

    private func kind(of channel: Expectation.DeliveryChannel, at end: Expectation.DeliveryEnd) -> TraceEvent.Kind {
        switch (channel, end) {
        case (.context, .sent): .contextUpdated
        case (.context, .delivered), (.context, .received): .contextDelivered
        case (.message, .sent): .messageSent
        case (.message, .delivered), (.message, .received): .messageDelivered
        case (.userInfo, .sent), (.complication, .sent): .userInfoQueued
        case (.userInfo, .delivered), (.userInfo, .received), (.complication, .delivered), (.complication, .received): .userInfoDelivered
        case (.file, .sent): .fileQueued
        case (.file, .delivered), (.file, .received): .fileDelivered
        }
    }

    private func times(_ count: Int) -> String { count == 1 ? "1 time" : "\(count) times" }
}
