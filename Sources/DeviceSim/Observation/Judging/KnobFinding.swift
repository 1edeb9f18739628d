import DeviceSimCore

/// A setting of the simulation that the logs tell.
package struct KnobFinding: Sendable {
    package let knob: Knobs.Descriptor
    package let setting: Knobs.Setting
    /// What it was found by.
    package let places: [LogPlace]
    /// For a person.
    package let text: String

    /// Whether the simulation has it so by itself.
    package var isDefault: Bool { Knobs()[knob] == setting }
}

/// Infers settings. Of what is measured the shortest counts, since all else can only be added to it.
struct KnobInference {
    let log: JoinedLog
    private var found: [String: KnobFinding] = [:]

    static func findings(in log: JoinedLog) -> [KnobFinding] {
        var inference = KnobInference(log: log)
        inference.inferActivation()
        inference.inferLatency()
        inference.inferMessages()
        inference.inferContexts()
        inference.inferTransfers()
        inference.inferLimits()
        inference.inferSwitch()
        inference.inferWaking()
        inference.inferWrist()
        return inference.found.keys.sorted().compactMap { inference.found[$0] }
    }

    private init(log: JoinedLog) {
        self.log = log
    }

    func event(_ index: Int) -> ObservedEvent { log.events[index] }

    /// What was found first counts.
    mutating func note(_ name: String, _ setting: Knobs.Setting, _ lines: [Int], _ text: String) {
        var knobs = Knobs()
        guard found[name] == nil, let knob = Knobs.descriptor(named: name), knobs.set(knob, to: setting) else { return }
        found[name] = KnobFinding(knob: knob, setting: setting, places: lines.map { event($0).place }, text: text)
    }

    func isKnown(_ name: String) -> Bool { found[name] != nil }

    /// The shortest of several spans, with its lines.
    mutating func noteShortest(_ name: String, _ spans: [(span: Int64, lines: [Int])], _ text: String) {
        guard let least = spans.filter({ $0.span >= 0 }).min(by: { $0.span < $1.span }) else { return }
        note(name, .duration(VirtualDuration(microseconds: least.span)), least.lines, text)
    }

    // MARK: What is measured

    private mutating func inferActivation() {
        var calls: [[Int]: Int] = [:]
        var spans: [(Int64, [Int])] = []
        for (index, event) in log.events.enumerated() {
            guard let device = event.device, let process = event.process else { continue }
            let key = [Int(device.index), process, event.place.file]
            if event.kind == .activate { calls[key] = index }
            if event.kind == .activated, let call = calls.removeValue(forKey: key) {
                spans.append((log.times[index] - log.times[call], [call, index]))
            }
        }
        noteShortest("activation.latency", spans, "from `activate()` to the callback")
    }

    private mutating func inferLatency() {
        var oneClock: [(Int64, [Int])] = []
        var there: [(Int64, [Int])] = []
        var back: [(Int64, [Int])] = []
        for exchange in log.exchanges where exchange.isCertain && exchange.channel != .file {
            let got = exchange.arrivals.first ?? exchange.deliveries.first
            guard let got, let sent = exchange.departures.last(where: { $0 < got }) ?? exchange.sent else { continue }
            let span = (log.times[got] - log.times[sent], [sent, got])
            if log.haveOneClock(sent, got) {
                oneClock.append(span)
            } else if exchange.sender.isPhone {
                there.append(span)
            } else {
                back.append(span)
            }
            guard let reply = exchange.replies.first, let told = exchange.endings.first(where: { event($0).kind == .messageReplyDelivered })
            else {
                continue
            }
            let way = (log.times[told] - log.times[reply], [reply, told])
            if log.haveOneClock(reply, told) {
                oneClock.append(way)
            } else if exchange.sender.isPhone {
                back.append(way)
            } else {
                there.append(way)
            }
        }
        if !oneClock.isEmpty { return noteShortest("link.latency", oneClock, "from one device to the other") }
        // Two clocks: what one way seems longer by their difference, the other way seems shorter by it.
        guard let one = there.min(by: { $0.0 < $1.0 }), let other = back.min(by: { $0.0 < $1.0 }), one.0 + other.0 >= 0 else { return }
        note(
            "link.latency", .duration(VirtualDuration(microseconds: (one.0 + other.0) / 2)), one.1 + other.1,
            "half of the shortest way there and the shortest way back")
    }

    private mutating func inferMessages() {
        var timeouts: [(Int64, [Int])] = []
        var handovers: [(Int64, [Int])] = []
        for exchange in log.exchanges where exchange.channel == .message && exchange.isCertain {
            guard let ending = exchange.endings.first, event(ending).kind == .messageFailed, let sent = exchange.sent else { continue }
            let span = log.times[ending] - log.times[sent]
            let failedReply = exchange.replies.first { event($0).text("error") != nil }
            switch event(ending).code {
            case 7012: timeouts.append((span, [sent, ending]))
            case 7017 where exchange.deliveries.isEmpty: handovers.append((span, [sent, ending]))
            case 7011 where failedReply != nil:
                note("message.badReplyFails", .flag(true), [failedReply ?? sent, ending], "a reply that could not be sent: 7011")
            case 7011 where !exchange.replies.isEmpty:
                note("message.lostReplyFails", .flag(true), exchange.replies + [ending], "a reply that was lost: 7011")
            case 7009 where failedReply != nil, 7010 where failedReply != nil:
                note("message.badReplyFails", .flag(false), [failedReply ?? sent, ending], "a reply that could not be sent: its own error")
            default: break
            }
        }
        noteShortest("message.replyTimeout", timeouts, "from the message to 7012")
        noteShortest("message.transferTimeout", handovers, "from the message to 7017")
    }

    private mutating func inferContexts() {
        for exchange in log.exchanges where exchange.channel == .context && exchange.isCertain && exchange.deliveries.count > 1 {
            let (first, second) = (event(exchange.deliveries[0]), event(exchange.deliveries[1]))
            guard first.device == second.device, first.process == second.process else { continue }
            note("context.duplicates", .flag(true), Array(exchange.deliveries.prefix(2)), "the same context twice in one run of the app")
        }
        if let unchanged = log.events.indices.first(where: { event($0).kind == .contextUnchanged }) {
            note("context.suppressEqual", .flag(true), [unchanged], "an equal context was not sent")
        }
        // Only digests tell whether two contexts are equal.
        for device in log.devices {
            let updates = log.events.indices.filter {
                event($0).device == device && event($0).kind == .contextUpdated && event($0).digest != nil
            }
            let deliveries = log.events.indices.filter { event($0).device != device && event($0).kind == .contextDelivered }
            for (one, other) in zip(updates, updates.dropFirst()) where event(one).digest == event(other).digest {
                let equal = deliveries.filter { event($0).digest == event(one).digest }
                guard let first = equal.first(where: { one < $0 && $0 < other }), let second = equal.first(where: { $0 > other }) else {
                    continue
                }
                note("context.suppressEqual", .flag(false), [one, first, other, second], "an equal context was delivered anew")
            }
        }
    }

    private mutating func inferTransfers() {
        var rates: [(bytes: Int, span: Int64, lines: [Int])] = []
        var latency = Knobs().linkLatency.microseconds
        if case .duration(let span)? = found["link.latency"]?.setting { latency = span.microseconds }
        for exchange in log.exchanges where [.userInfo, .file].contains(exchange.channel) && exchange.isCertain {
            let finished = exchange.endings.first { [.userInfoFinished, .fileFinished].contains(event($0).kind) }
            if let cancelled = exchange.endings.first(where: { [.userInfoCancelled, .fileCancelled].contains(event($0).kind) }),
                let told = exchange.endings.first(where: { $0 > cancelled && [.userInfoFailed, .fileFailed].contains(event($0).kind) })
            {
                note("transfer.finishAfterCancel", .flag(true), [cancelled, told], "`didFinish` after `cancel()`")
            }
            if exchange.arrivals.count > 1 {
                note("transfer.losesAcknowledgements", .flag(true), Array(exchange.arrivals.prefix(2)), "one transfer arrived twice")
            } else if exchange.deliveries.count > 1 {
                note("transfer.redeliverAfterCrash", .flag(true), Array(exchange.deliveries.prefix(2)), "delivered again")
            }
            if let delivery = exchange.deliveries.first, let arrival = exchange.arrivals.first, let finished,
                log.haveOneClock(delivery, finished), log.times[arrival] < log.times[delivery]
            {
                if log.times[finished] < log.times[delivery] {
                    note("transfer.endsWithReceipt", .flag(false), [finished, delivery], "finished before the app was given it")
                } else if log.times[finished] > log.times[arrival], isUndisturbed(arrival, finished) {
                    note("transfer.endsWithReceipt", .flag(true), [delivery, finished], "finished once the app was given it")
                }
            }
            if exchange.channel == .file, let arrival = exchange.arrivals.last, let sent = exchange.departures.last, sent < arrival,
                let bytes = exchange.sent.flatMap({ event($0).int("bytes") }), bytes > 0, log.haveOneClock(sent, arrival)
            {
                let span = log.times[arrival] - log.times[sent] - latency
                if span > 0 { rates.append((bytes, span, [sent, arrival])) }
            }
        }
        // The largest file says it best: spans are whole microseconds, between which the default may lie.
        guard let best = rates.max(by: { $0.bytes < $1.bytes }) else { return }
        let millions = Double(best.bytes) * 1_000_000
        let usual = Knobs().fileBandwidth
        let isUsual = millions / Double(best.span + 1) <= Double(usual) && Double(usual) <= millions / Double(max(1, best.span - 1))
        guard let bytes = isUsual ? usual : Int(exactly: (millions / Double(best.span)).rounded()), bytes > 0 else { return }
        note("file.bandwidth", .bytes(bytes), best.lines, "bytes of the largest file in a second")
    }

    /// Whether the app that was told of the end ran all the time, so that it was told at once.
    private func isUndisturbed(_ arrival: Int, _ finished: Int) -> Bool {
        let sender = event(finished).device
        guard arrival < finished else { return false }
        return !log.events.indices[arrival...finished].contains {
            event($0).device == sender && (event($0).kind?.isLifeOfApp == true || event($0).kind == .activated)
        }
            && !log.events[..<arrival].suffix(200).contains {
                $0.device == sender && ($0.kind == .suspend || $0.kind == .terminate || $0.kind == .crash)
            }
    }
}
