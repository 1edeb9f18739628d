import DeviceSimCore
import DeviceSimLanguage

/// What apps handed to their sessions.
extension ScenarioWriter {
    mutating func writeSending(_ kind: TraceEvent.Kind, _ index: Int, on device: DeviceID) {
        let event = event(index)
        let time = log.times[index]
        switch kind {
        case .contextUpdated:
            add("\(device) update context \(payload(of: event).notation)", at: time)
        case .contextUnchanged:
            add("\(device) update context \(unchanged(index).notation)", at: time)
        case .contextRefused:
            guard let name = event.text("error") else { return }
            add("\(device) update context \(refused(event).notation) fails \(Self.word(name))", at: time)
        case .messageSent: writeMessage(index, on: device)
        case .messageFailed where log.sending(of: index) == nil:
            add("\(device) send message \(refused(event).notation) as \(labels.next("m"))", at: time)
        case .userInfoQueued:
            let verb = event.flag("complication") == true ? "complication" : "user info"
            add("\(device) transfer \(verb) \(payload(of: event).notation) as \(transferLabel("t", index))", at: time)
        case .userInfoFailed where log.sending(of: index) == nil:
            add("\(device) transfer user info \(refused(event).notation) as \(labels.next("t"))", at: time)
        case .fileQueued: writeFile(index, on: device, name: event.text("name"), bytes: event.int("bytes"), at: time)
        case .fileFailed where log.sending(of: index) == nil:
            let path = Self.path(event.text("name"), "Missing")
            if event.code != 7013 { add("\(device) write file \(path) data(16 bytes)", at: time) }
            add("\(device) transfer file \(path) as \(labels.next("f"))", at: time)
        case .userInfoCancelled, .fileCancelled:
            guard let number = log.exchangeNumber(of: index), let label = labels.transfers[number] else {
                return
            }
            add("\(device) cancel \(label)", at: time)
        default: break
        }
    }

    // MARK: Payloads

    private mutating func payload(of event: ObservedEvent) -> ScenarioValue {
        let identity = event.digest ?? "\(event.device?.description ?? "")/\(event.name)/\(event.sequence ?? event.place.line)"
        return payloads.value(keys: event.list("keys"), bytes: event.int("bytes"), identity: identity)
    }

    /// What is equal to the context before.
    private mutating func unchanged(_ index: Int) -> ScenarioValue {
        let before = log.events.indices[..<index].last { event($0).device == event(index).device && event($0).kind == .contextUpdated }
        return payload(of: event(before ?? index))
    }

    /// What was refused: too large, of a type that no property list has, or anything else for any other reason.
    private mutating func refused(_ event: ObservedEvent) -> ScenarioValue {
        let key = event.text("keyPath").flatMap { path in path.allSatisfy { $0.isLetter || $0.isNumber } ? path : nil } ?? "n"
        if event.code == 7010 || event.text("error") == "payloadUnsupportedTypes" { return .object([key: .null]) }
        return payloads.value(keys: event.list("keys") ?? ["n"], bytes: event.int("bytes"), identity: "refused \(event.place)")
    }

    /// An error's name as a file says it; one with other signs in it is none.
    private static func word(_ name: String) -> String { name.allSatisfy { $0.isASCII && $0.isLetter } ? name : "genericError" }

    // MARK: Messages

    private mutating func writeMessage(_ index: Int, on device: DeviceID) {
        let event = event(index)
        let wantsReply = event.flag("wantsReply") == true
        let receiver = counterpart(of: device)
        if let exchange = log.exchange(of: index) {
            if wantsReply { writeAnswer(to: exchange, by: receiver, at: log.times[index]) }
            writeVariant(for: exchange, wantsReply: wantsReply, by: receiver, at: log.times[index])
        }
        let value = payload(of: event)
        let words = event.facts["keys"] == nil ? "send data" : "send message"
        let label = labels.next("m")
        add("\(device) \(words) \(value.notation)\(wantsReply ? " expecting reply" : "") as \(label)", at: log.times[index])
    }

    /// How the receiving app is to answer this one.
    private mutating func writeAnswer(to exchange: Exchange, by receiver: DeviceID, at time: Int64) {
        guard let answer = answer(to: exchange, by: receiver), answers[receiver, default: "replies as usual"] != answer else { return }
        answers[receiver] = answer
        add("\(receiver) \(answer)", at: time)
    }

    private mutating func answer(to exchange: Exchange, by receiver: DeviceID) -> String? {
        if let delivery = exchange.deliveries.first {
            guard let reply = exchange.replies.first else { return "never replies" }
            if event(reply).text("error") != nil {
                return words(for: refused(event(reply)), after: log.times[reply] - log.times[delivery])
            }
            return words(for: payload(of: event(reply)), after: log.times[reply] - log.times[delivery])
        }
        guard let ending = exchange.endings.first, let sent = exchange.sent, !log.devices.contains(receiver) else { return nil }
        if event(ending).kind == .messageReplyDelivered {
            assume("the app of which there is no log answered after what remains of the time, less the link's.")
            let both = 2 * latency
            return words(for: payload(of: event(ending)), after: max(0, log.times[ending] - log.times[sent] - both))
        }
        guard event(ending).code == 7012 else { return nil }
        assume("the app of which there is no log never answered where the sender was told 7012.")
        return "never replies"
    }

    private func words(for reply: ScenarioValue, after delay: Int64) -> String {
        if reply == .object([:]), delay <= 0 { return "replies as usual" }
        return "replies \(reply.notation)" + (delay > 0 ? " after \(VirtualDuration(microseconds: delay))" : "")
    }

    /// Where the log of the receiver is missing, 7014 says that its delegate lacks the method.
    private mutating func writeVariant(for exchange: Exchange, wantsReply: Bool, by receiver: DeviceID, at time: Int64) {
        guard let ending = exchange.endings.first, event(ending).code == 7014, !log.devices.contains(receiver) else { return }
        assume("the app of which there is no log lacks the method where the sender was told 7014.")
        add("\(receiver) app does not implement didReceiveMessage\(wantsReply ? "WithReply" : "")", at: time)
    }

    func counterpart(of device: DeviceID) -> DeviceID {
        guard device.isPhone else { return .phone }
        return log.devices.contains(.watch) || !log.devices.contains(.watch2) ? .watch : .watch2
    }

    /// The link's, as found or as by default.
    var latency: Int64 {
        let found = settings.first { $0.knob.name == "link.latency" }?.setting
        if case .duration(let span)? = found { return span.microseconds }
        return Knobs().linkLatency.microseconds
    }

    // MARK: Transfers

    private mutating func transferLabel(_ letter: Character, _ index: Int) -> String {
        let label = labels.next(letter)
        if let number = log.exchangeNumber(of: index) { labels.transfers[number] = label }
        return label
    }

    private mutating func writeFile(_ index: Int, on device: DeviceID, name: String?, bytes: Int?, at time: Int64) {
        let label = transferLabel("f", index)
        let path = Self.path(name, label)
        let size = min(max(16, bytes ?? 16), 1 << 24)
        add("\(device) write file \(path) data(\(size) bytes)", at: time)
        add("\(device) transfer file \(path) as \(label)", at: time)
    }

    /// A name from outside is a file's only where it is a plain one.
    private static func path(_ name: String?, _ other: String) -> String {
        let isPlain = name.map {
            !$0.isEmpty && $0.count <= 64 && $0.first != "."
                && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
        }
        return ScenarioValue.quoted("Documents/\(isPlain == true ? name ?? other : other)")
    }

    // MARK: What no log says

    /// What was delivered, and of which no log says that it was sent.
    mutating func writeUnsent() {
        for exchange in log.exchanges where exchange.sent == nil {
            guard let delivery = exchange.deliveries.first, !startLines.contains(delivery), !log.devices.contains(exchange.sender) else {
                continue
            }
            assume("what was delivered and is sent in no log was sent \(VirtualDuration(microseconds: latency)) before.")
            position = delivery
            let time = log.times[exchange.arrivals.first ?? delivery] - latency
            let event = event(delivery)
            let sender = exchange.sender
            switch exchange.channel {
            case .context: add("\(sender) update context \(payload(of: event).notation)", at: time)
            case .userInfo: add("\(sender) transfer user info \(payload(of: event).notation) as \(labels.next("t"))", at: time)
            case .file:
                let bytes = Int64(max(0, min(event.int("bytes") ?? 0, 1 << 30)))
                writeFile(
                    -1, on: sender, name: event.text("name"), bytes: event.int("bytes"),
                    at: time - bytes * 1_000_000 / Int64(Knobs().fileBandwidth))
            case .message:
                let wantsReply = event.flag("wantsReply") == true
                if wantsReply, let receiver = event.device { writeAnswer(to: exchange, by: receiver, at: time) }
                let words = event.facts["keys"] == nil ? "send data" : "send message"
                add(
                    "\(sender) \(words) \(payload(of: event).notation)\(wantsReply ? " expecting reply" : "") as \(labels.next("m"))",
                    at: time)
            }
        }
    }

    /// Devices do not say when a person changes watches. The phone's session that becomes inactive, and is deactivated, does.
    mutating func writeSwitches() {
        guard log.devices.contains(.watch2), log.devices.contains(.phone),
            !log.events.contains(where: { $0.kind == .switchWatch || $0.kind == .unpair || $0.name == ObservedEvent.handDone })
        else { return }
        var worn = DeviceID.watch
        for (index, event) in log.events.enumerated() where event.device == .phone && event.kind == .inactive {
            worn = worn == .watch ? .watch2 : .watch
            assume("the person put on the other watch where the phone's session became inactive.")
            position = index
            add("phone switches to \(worn)", at: log.times[index])
        }
    }

    /// Devices do not say when they are out of range of each other. What changes what they can reach, and nothing else explains, is taken for that.
    mutating func writeRangeFromReachability() {
        guard !log.events.contains(where: { $0.kind == .linkDown || $0.kind == .linkUp || $0.kind == .switchWatch || $0.kind == .unpair })
        else { return }
        guard !log.events.contains(where: { $0.name == ObservedEvent.handDone }) else { return }
        var isUp: Bool?
        for (index, event) in log.events.enumerated() where event.kind == .reachabilityChanged {
            guard let device = event.device, let isReachable = event.flag("isReachable") else { continue }
            guard !startLines.contains(index), isReachable != isUp, !isExplained(index) else {
                // What is told at the launch is known; what else is explained says nothing of the range.
                if startLines.contains(index) { isUp = isReachable }
                continue
            }
            position = index
            if device.isPhone, !log.devices.contains(.watch) {
                assume("the watch app was opened and left where the phone was told that it came and went.")
                add(
                    "watch \(isUp == nil && isReachable ? "launch" : isReachable ? "foreground" : "background")",
                    at: opening(index, isReachable))
                isUp = isReachable
            } else {
                // Of a counterpart that comes into reach first of all, it was out of it before.
                if isUp == nil, isReachable { begin(with: "start link down") }
                isUp = isReachable
                assume("the devices were out of range of each other where one lost the other, and no line says why.")
                add("link \(isReachable ? "up" : "down")", at: log.times[index])
            }
        }
    }

    /// When the watch app was opened that the phone reaches from this line on: its session was activated first.
    private func opening(_ index: Int, _ isReachable: Bool) -> Int64 {
        let isFirst = !log.events[..<index].contains { $0.kind == .reachabilityChanged }
        return log.times[index] - (isFirst && isReachable ? Knobs().activationLatency.microseconds : 0)
    }

    /// Whether an app or a device changed within the second before or after.
    private func isExplained(_ index: Int) -> Bool {
        var causes: [TraceEvent.Kind] = [
            .lock, .unlock, .powerOn, .powerOff, .powerLoss, .inactive, .deactivated, .wristDown, .wristUp, .backgroundTask,
            .backgroundTaskCompleted, .backgroundTaskExpired, .install, .uninstall, .sessionBegan, .sessionEnded, .complicationLoads,
            .crown,
            .covered, .foreground, .background, .terminate, .crash, .killed, .suspend, .resume,
        ]
        if event(index).flag("isReachable") == true { causes += [.activated, .launch, .launchInBackground] }
        return log.events.indices.contains { other in
            !startLines.contains(other) && abs(log.times[other] - log.times[index]) <= 1_000_000
                && (event(other).kind.map { causes.contains($0) } ?? false)
        }
    }
}
