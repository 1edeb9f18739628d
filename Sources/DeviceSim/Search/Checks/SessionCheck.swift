import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// Holds what the trace tells of the session against its rules: what is taken arrives, once and in order, and its sender is told once. LocalData repairs
/// much of what a session does wrong, so nothing else would notice.
///
/// Pure: it reads the trace, and says nothing of what it does not know, such as what became of the contexts of an app that was removed.
struct SessionCheck {
    /// What each side has sent to the other, by the sender's place.
    private var contexts = [ContextFlow(), ContextFlow()]
    private var messages = [MessageFlow(), MessageFlow()]
    private var userInfos = [TransferFlow(), TransferFlow()]
    private var files = [TransferFlow(), TransferFlow()]
    /// The devices, by place, whose app lacked a method or a delegate when something came: what became of that nobody knows.
    private var unheard: Set<Int> = []
    /// The processes whose session was activated.
    private var activated: [DeviceID: Set<Int>] = [:]
    private let knobs: Knobs
    private let step: Int

    /// - Parameter isAtRest: Whether both apps can do their work, the devices reach each other, and nothing is left to happen.
    static func check(_ trace: Trace, of scenario: Scenario, isAtRest: Bool, step: Int, _ recorder: CoverageRecorder?) -> Violation? {
        // With a second watch there are several sessions; in Apple's Simulator other rules hold; a lie is no session's.
        guard scenario.start.watch2 == nil, !scenario.knobs.simulatorMode, !scenario.steps.contains(where: \.action.isLie) else {
            return nil
        }
        recorder?.looked(.session, times: trace.events.count { $0["sequence"] != nil })
        var check = SessionCheck(knobs: scenario.knobs, step: step)
        for event in trace.events {
            if let fault = check.take(event) { return check.violation("\(event.device?.description ?? ""): \(fault)", event.device) }
        }
        return isAtRest ? check.remainder().map { check.violation("what the \($0.device) sent: \($0.text)", $0.device) } : nil
    }

    private init(knobs: Knobs, step: Int) {
        self.knobs = knobs
        self.step = step
    }

    private func violation(_ text: String, _ device: DeviceID?) -> Violation {
        Violation(.session, device: device, step: step, explanation: [text])
    }

    // MARK: What happens

    /// - Returns: Which rule is broken.
    private mutating func take(_ event: TraceEvent) -> String? {
        switch event.kind {
        case .uninstall, .install, .erase, .restore, .pair, .unpair, .switchWatch:
            // Contexts and queues are gone, or may be.
            for place in 0..<2 {
                contexts[place].forget()
                messages[place].forget()
                userInfos[place].forget()
                files[place].forget()
            }
            return nil
        case .terminate, .crash, .killed, .powerLoss, .powerOff, .update:
            guard let device = event.device, device.place < 2 else { return nil }
            messages[device.place].forget()
            messages[1 - device.place].receiverEnded()
            userInfos[1 - device.place].receiverEnded(redelivers: knobs.redeliversAfterCrash)
            files[1 - device.place].receiverEnded(redelivers: knobs.redeliversAfterCrash)
            return nil
        case .unimplemented, .sessionError, .unobservedFailure:
            if let device = event.device { unheard.insert(device.place) }
            return nil
        case .activated:
            if let device = event.device, let process = event.process { activated[device, default: []].insert(process) }
            return nil
        default: break
        }
        guard let device = event.device, device.place < 2, case .number(let number)? = event["sequence"], number > 0 else { return nil }
        if event.kind.isHandover, let process = event.process, activated[device]?.contains(process) != true {
            return "\(device) was given '\(event.kind.rawValue)' before its session was activated (W9)"
        }
        let (mine, other) = (device.place, 1 - device.place)
        switch event.kind {
        case .contextUpdated: return contexts[mine].take(number, event.size)
        case .contextSent: return contexts[mine].leave(number)
        case .contextArrived: return contexts[other].arrive(number)
        case .contextDelivered: return contexts[other].deliver(number, event.size, isRepeated: knobs.duplicateContexts)
        case .messageSent: return messages[mine].take(number, event.size, wantsReply: event["wantsReply"] == .flag(true))
        case .messageArrived: return messages[other].arrive(number)
        case .messageDelivered: return messages[other].deliver(number, event.size)
        case .messageReplied: return messages[other].answer(number)
        case .messageReplyDelivered: return messages[mine].end(number, isReply: true)
        case .messageFailed: return messages[mine].end(number, isReply: false)
        case .messageLost: messages[event["from"] == .text(device.description) ? mine : other].lose(number)
        case .userInfoQueued, .userInfoSent, .userInfoFinished, .userInfoFailed, .userInfoCancelled:
            return userInfos[mine].note(event, number, knobs)
        case .userInfoArrived, .userInfoDelivered: return userInfos[other].note(event, number, knobs)
        case .fileQueued, .fileSent, .fileFinished, .fileFailed, .fileCancelled: return files[mine].note(event, number, knobs)
        case .fileArrived, .fileDelivered: return files[other].note(event, number, knobs)
        default: break
        }
        return nil
    }

    // MARK: What is left

    private func remainder() -> (text: String, device: DeviceID)? {
        let mayStick = knobs.transferSticksAfter > 0 || knobs.interruptionSticks || knobs.stuckUntilCancelled
        for sender in [DeviceID.phone, .watch] where !unheard.contains(1 - sender.place) {
            if let text = contexts[sender.place].remainder() ?? messages[sender.place].remainder() { return (text, sender) }
            guard !mayStick, let text = userInfos[sender.place].remainder() ?? files[sender.place].remainder() else { continue }
            return (text, sender)
        }
        return nil
    }
}

/// The application contexts of one device, on their way to the other.
private struct ContextFlow {
    /// `nil` where nobody knows.
    private var taken: Int?
    private var left: Int?
    private var arrived: Int?
    private var delivered: Int?
    private var sizes: [Int: TraceEvent.Value] = [:]

    mutating func forget() { self = ContextFlow() }

    mutating func take(_ number: Int, _ size: TraceEvent.Value?) -> String? {
        taken = number
        sizes[number] = size
        return nil
    }

    mutating func leave(_ number: Int) -> String? {
        guard let taken else { return nil }
        defer { left = number }
        return number == taken ? nil : "context \(number) left, which context \(taken) had replaced (W42)"
    }

    mutating func arrive(_ number: Int) -> String? {
        defer { arrived = number }
        if let left, left != number { return "context \(number) arrived, and context \(left) was on the link (W41)" }
        if let arrived, number <= arrived { return "context \(number) arrived after context \(arrived) (W42)" }
        return nil
    }

    mutating func deliver(_ number: Int, _ size: TraceEvent.Value?, isRepeated: Bool) -> String? {
        defer { delivered = number }
        if let sent = sizes[number], sent != size { return "context \(number) was delivered with another content" }
        guard let arrived else { return nil }
        if let delivered, number < delivered || (number == delivered && !isRepeated) {
            return "context \(number) was delivered after context \(delivered) (W42)"
        }
        return number == arrived || (isRepeated && number < arrived)
            ? nil : "context \(number) was delivered, and context \(arrived) arrived last (W42)"
    }

    func remainder() -> String? {
        guard let taken else { return nil }
        if arrived != taken { return "context \(taken) was taken last and never arrived, though the devices are in range (W41)" }
        return delivered == taken ? nil : "context \(taken) arrived last and was never delivered, though the app runs (W44)"
    }
}

/// The messages of one device.
private struct MessageFlow {
    private struct State {
        var wantsReply = false
        var size: TraceEvent.Value?
        var hasArrived = false
        var isDelivered = false
        var isAnswered = false
        var isEnded = false
        var isLost = false
    }

    private var states: [Int: State] = [:]
    private var lastArrival = 0

    /// The sender's process is gone, and what it waited for with it.
    mutating func forget() { states = [:] }

    /// What the receiver had and did not say is gone.
    mutating func receiverEnded() {
        for number in states.keys { states[number]?.isLost = true }
    }

    mutating func take(_ number: Int, _ size: TraceEvent.Value?, wantsReply: Bool) -> String? {
        states[number] = State(wantsReply: wantsReply, size: size)
        return nil
    }

    mutating func arrive(_ number: Int) -> String? {
        guard let state = states[number] else { return nil }
        if state.hasArrived { return "message \(number) arrived twice" }
        defer { lastArrival = number }
        states[number]?.hasArrived = true
        return number < lastArrival ? "message \(number) arrived after message \(lastArrival) (W61)" : nil
    }

    mutating func deliver(_ number: Int, _ size: TraceEvent.Value?) -> String? {
        guard let state = states[number] else { return nil }
        if state.isDelivered { return "message \(number) was delivered twice" }
        if !state.hasArrived { return "message \(number) was delivered before it arrived" }
        states[number]?.isDelivered = true
        return state.size == size ? nil : "message \(number) was delivered with another content"
    }

    mutating func answer(_ number: Int) -> String? {
        states[number]?.isAnswered = true
        return nil
    }

    mutating func end(_ number: Int, isReply: Bool) -> String? {
        guard let state = states[number] else { return nil }
        if state.isEnded { return "the sender of message \(number) was told twice what came of it (W65)" }
        states[number]?.isEnded = true
        guard isReply else { return nil }
        if !state.wantsReply { return "message \(number) wants no reply and got one (W60)" }
        return state.isAnswered ? nil : "the sender of message \(number) got a reply that nobody gave"
    }

    mutating func lose(_ number: Int) { states[number]?.isLost = true }

    func remainder() -> String? {
        for (number, state) in states.sorted(by: { $0.key < $1.key }) where !state.isEnded {
            if state.wantsReply { return "the sender of message \(number) was never told what came of it (W67)" }
            if !state.isDelivered, !state.isLost { return "message \(number) was neither delivered nor lost (W68)" }
        }
        return nil
    }
}

/// The user infos, or the files, of one device.
private struct TransferFlow {
    private struct State {
        var size: TraceEvent.Value?
        var isUrgent = false
        var hasArrived = false
        var deliveries = 0
        var mayComeAgain = false
        var mayBeMissing = false
        var ending: TraceEvent.Kind?
        var isCancelled = false
    }

    private var states: [Int: State] = [:]
    private var lastArrival = 0
    private var lastDelivery = 0

    mutating func forget() { states = [:] }

    /// W87: what was being handed over comes again, or does not.
    mutating func receiverEnded(redelivers: Bool) {
        for number in states.keys {
            states[number]?.mayComeAgain = redelivers
            if !redelivers, states[number]?.hasArrived == true { states[number]?.mayBeMissing = true }
        }
        lastDelivery = 0
    }

    mutating func note(_ event: TraceEvent, _ number: Int, _ knobs: Knobs) -> String? {
        let noun = event.kind.isOfFiles ? "file" : "user info"
        switch event.kind {
        case .userInfoQueued, .fileQueued:
            states[number] = State(size: event["bytes"], isUrgent: event["complication"] == .flag(true))
        case .userInfoArrived, .fileArrived: return arrive(number, noun, knobs)
        case .userInfoDelivered, .fileDelivered: return deliver(number, noun, event["bytes"], knobs)
        case .userInfoCancelled, .fileCancelled: states[number]?.isCancelled = true
        case .userInfoFinished, .userInfoFailed, .fileFinished, .fileFailed: return end(number, noun, event.kind)
        default: break
        }
        return nil
    }

    private mutating func arrive(_ number: Int, _ noun: String, _ knobs: Knobs) -> String? {
        guard let state = states[number] else { return nil }
        if state.isCancelled { return "\(noun) \(number) arrived, and was cancelled before (W86)" }
        if state.hasArrived, !knobs.losesAcknowledgements { return "\(noun) \(number) arrived twice (W80)" }
        states[number]?.hasArrived = true
        guard !state.isUrgent else { return nil }
        defer { lastArrival = max(lastArrival, number) }
        return number < lastArrival && !state.hasArrived ? "\(noun) \(number) arrived after \(noun) \(lastArrival) (W80)" : nil
    }

    private mutating func deliver(_ number: Int, _ noun: String, _ size: TraceEvent.Value?, _ knobs: Knobs) -> String? {
        guard let state = states[number] else { return nil }
        if !state.hasArrived { return "\(noun) \(number) was delivered before it arrived" }
        if state.deliveries > 0, !state.mayComeAgain, !knobs.losesAcknowledgements { return "\(noun) \(number) was delivered twice (W80)" }
        states[number]?.deliveries += 1
        states[number]?.mayComeAgain = false
        if state.size != size, !knobs.readsFileWhenSent { return "\(noun) \(number) was delivered with another content" }
        guard !state.isUrgent else { return nil }
        defer { lastDelivery = number }
        return number < lastDelivery && state.deliveries == 0 ? "\(noun) \(number) was delivered after \(noun) \(lastDelivery) (W80)" : nil
    }

    private mutating func end(_ number: Int, _ noun: String, _ kind: TraceEvent.Kind) -> String? {
        guard let state = states[number] else { return nil }
        if state.ending != nil { return "the sender of \(noun) \(number) was told twice how it ended (W83)" }
        states[number]?.ending = kind
        let isFinished = kind == .userInfoFinished || kind == .fileFinished
        return isFinished && !state.hasArrived ? "\(noun) \(number) was said to have arrived, and did not (W84)" : nil
    }

    func remainder() -> String? {
        for (number, state) in states.sorted(by: { $0.key < $1.key }) where !state.isCancelled {
            let noun = "transfer \(number)"
            guard let ending = state.ending else { return "the sender of \(noun) was never told how it ended (W83)" }
            guard ending == .userInfoFinished || ending == .fileFinished, !state.mayBeMissing else { continue }
            if state.deliveries == 0 { return "\(noun) arrived and was never delivered, though the app runs (W82)" }
        }
        return nil
    }
}

extension TraceEvent {
    /// How many bytes, and under which names.
    fileprivate var size: Value? { self["bytes"] }
}

extension TraceEvent.Kind {
    /// Whether something of the counterpart is given to the app.
    fileprivate var isHandover: Bool {
        switch self {
        case .contextDelivered, .messageDelivered, .userInfoDelivered, .fileDelivered: true
        default: false
        }
    }

    fileprivate var isOfFiles: Bool {
        switch self {
        case .fileQueued, .fileSent, .fileArrived, .fileDelivered, .fileFinished, .fileFailed, .fileCancelled: true
        default: false
        }
    }
}

extension ScenarioStep.Action {
    fileprivate var isLie: Bool {
        if case .fault(let fault) = self, case .lie = fault.action { true } else { false }
    }
}
