import DeviceSimCore

/// Contexts, messages and transfers.
extension RuleJudge {
    mutating func judgeContexts() {
        for (index, event) in log.events.enumerated() {
            switch event.kind {
            case .contextUnchanged: confirm(48, index, "an equal context is taken, and nothing is sent")
            case .contextReplaced: confirm(42, index, "a newer context took its place")
            case .contextRefused: confirm(51, index, "refused at once, with \(event.code ?? 0)")
            default: break
            }
        }
        let contexts = log.exchanges.filter { $0.channel == .context && $0.isCertain }
        for exchange in contexts {
            guard let delivery = exchange.deliveries.first else { continue }
            confirm(44, delivery, against: exchange.sent, "delivered to the app")
            if exchange.deliveries.count > 1, event(exchange.deliveries[1]).device == event(delivery).device {
                confirm(43, exchange.deliveries[1], against: delivery, "the same context a second time")
            }
            if let sent = exchange.sent, event(sent).facts["keys"] != nil, event(sent).list("keys") == event(delivery).list("keys") {
                confirm(40, delivery, against: sent, "it has the keys of what was sent, and no others")
            }
        }
        judgeOrder(of: contexts, rule: 42, noun: "context")
        for exchange in contexts {
            if let sent = exchange.sent, let delivery = exchange.deliveries.first { judgeUnreachable(sent, delivery) }
        }
        judgeSkipped(contexts)
    }

    /// W41: it went although the counterpart was not reachable when it was sent.
    private mutating func judgeUnreachable(_ sent: Int, _ delivery: Int) {
        guard let device = event(sent).device else { return }
        if event(sent).flag("isReachable") == false {
            return confirm(41, delivery, against: sent, "sent while the counterpart was not reachable")
        }
        let last = log.events.indices[..<sent].last {
            event($0).device == device && event($0).process == event(sent).process && event($0).kind == .reachabilityChanged
        }
        if let last, event(last).flag("isReachable") == false {
            confirm(41, delivery, against: sent, "sent while the counterpart was not reachable")
        }
    }

    /// W42: of several contexts the last was delivered, and those before it were not.
    private mutating func judgeSkipped(_ contexts: [Exchange]) {
        var last: [DeviceID: Int] = [:]
        for exchange in contexts {
            guard let sent = exchange.sent, let sequence = event(sent).sequence else { continue }
            if let delivery = exchange.deliveries.first, let before = last[exchange.sender], before + 1 < sequence {
                confirm(42, delivery, against: sent, "those between were not delivered")
            }
            if !exchange.deliveries.isEmpty { last[exchange.sender] = sequence }
        }
    }

    /// What was sent later must not be delivered before what was sent earlier, where both are known by their numbers. What is delivered a second time is no matter
    /// of order: a context and a user info may be (W43, W87), and of messages no rule says anything.
    private mutating func judgeOrder(of exchanges: [Exchange], rule: Int, noun: String) {
        var deliveries: [(index: Int, exchange: Exchange, number: Int)] = []
        for exchange in exchanges {
            let number = exchange.sent.flatMap { event($0).sequence } ?? exchange.deliveries.first.flatMap { event($0).sequence }
            guard let number else { continue }
            deliveries += exchange.deliveries.map { ($0, exchange, number) }
        }
        deliveries.sort { $0.index < $1.index }
        // Over a removal or a restored backup a device may count anew.
        let isFresh = log.events.contains { $0.kind.map { [.uninstall, .restore, .erase, .update].contains($0) } ?? false }
        var last: [[Int]: (index: Int, number: Int)] = [:]
        for (index, exchange, number) in deliveries {
            let receiver = Int(event(index).device?.index ?? 0)
            let key = [Int(exchange.sender.index), receiver, event(index).place.file, exchange.sent.map { event($0).place.file } ?? -1]
            defer { last[key] = (index, max(number, last[key]?.number ?? number)) }
            guard let before = last[key] else { continue }
            if number > before.number {
                confirm(rule == 42 ? 44 : rule, index, against: before.index, "\(noun) \(number) after \(noun) \(before.number)")
            } else if number < before.number, !isFresh {
                contradict(rule, index, against: before.index, "\(noun) \(number) was delivered after \(noun) \(before.number)")
            }
        }
    }

    mutating func judgeMessages() {
        let messages = log.exchanges.filter { $0.channel == .message && $0.isCertain }
        judgeOrder(of: messages, rule: 61, noun: "message")
        for message in messages {
            let outcomes = message.endings
            if let first = outcomes.first, message.sent != nil { confirm(65, first, against: message.sent, "the outcome of the message") }
            for again in outcomes.dropFirst() where event(again).process == event(outcomes[0]).process {
                contradict(65, again, against: outcomes[0], "a second outcome of one message")
            }
            if let sent = message.sent, let delivery = message.deliveries.first,
                let wanted = event(sent).flag("wantsReply"), let had = event(delivery).flag("wantsReply")
            {
                if wanted == had {
                    confirm(64, delivery, against: sent, wanted ? "the variant with a reply" : "the variant without a reply")
                } else {
                    contradict(
                        64, delivery, against: sent,
                        had ? "the reply variant for a message without" : "the plain variant for a message that wants a reply")
                }
            }
            judgeFailure(of: message)
            judgeWaking(by: message)
        }
        for (index, event) in log.events.enumerated() {
            if event.kind == .messageLost { confirm(68, index, "a message is lost, and nobody is told") }
            guard event.kind == .messageFailed, event.code == 7007 else { continue }
            if log.sending(of: index) == nil || event.flag("isReachable") == false {
                confirm(60, index, "not reachable: 7007")
            }
        }
    }

    private mutating func judgeFailure(of message: Exchange) {
        guard let ending = message.endings.first, event(ending).kind == .messageFailed, let sent = message.sent else { return }
        let replyFailed = message.replies.first { event($0).text("error") != nil }
        switch event(ending).code {
        case 7012 where event(sent).flag("wantsReply") == true:
            confirm(67, ending, against: sent, "no reply came in time")
            if message.sender != .phone, let delivery = message.deliveries.first,
                let suspended = suspension(after: delivery, before: ending)
            {
                confirm(71, ending, against: suspended, "the phone's app was suspended before it replied")
            }
        case 7014:
            if log.events.contains(where: { $0.kind == .unimplemented && $0.device != message.sender }) {
                confirm(66, ending, against: sent, "the receiver lacks the method")
            }
        case 7007 where log.times[ending] > log.times[sent]: confirm(69, ending, against: sent, "lost before it had left")
        case 7017: confirm(140, ending, against: sent, "not handed over in time")
        case 7011: confirm(141, ending, against: sent, "the reply did not come back")
        case 7009 where replyFailed != nil, 7010 where replyFailed != nil:
            confirm(73, ending, against: replyFailed, "the reply could not be sent")
        default: break
        }
    }

    private func suspension(after delivery: Int, before ending: Int) -> Int? {
        guard delivery < ending else { return nil }
        return log.events.indices[delivery..<ending].first { event($0).device == .phone && event($0).kind == .suspend }
    }

    /// W62: the run of the phone's app that was given the message was begun by the system, after the message was sent.
    private mutating func judgeWaking(by message: Exchange) {
        guard message.sender != .phone, let sent = message.sent, let delivery = message.deliveries.first,
            let run = processes.first(where: { $0.lines.contains(delivery) }),
            let launch = run.lines.first(where: { event($0).kind == .launchInBackground }), launch > sent, launch < delivery
        else { return }
        confirm(62, launch, against: sent, "the message launched the phone's app in the background")
    }

    mutating func judgeTransfers() {
        let transfers = log.exchanges.filter { [.userInfo, .file].contains($0.channel) && $0.isCertain }
        // Complication infos go before the others.
        judgeOrder(
            of: transfers.filter { transfer in
                transfer.channel == .userInfo
                    && !(transfer.deliveries + [transfer.sent].compactMap { $0 }).contains { event($0).flag("complication") == true }
            }, rule: 80, noun: "user info")
        for transfer in transfers { judge(transfer) }
        judgeReplay(of: transfers.filter { $0.channel == .userInfo })
    }

    /// W88: what was queued over more than five seconds was delivered together, and all of it.
    private mutating func judgeReplay(of transfers: [Exchange]) {
        for (one, other) in zip(transfers, transfers.dropFirst()) where one.sender == other.sender {
            guard let first = one.sent, let second = other.sent, let came = one.deliveries.first, let next = other.deliveries.first,
                first < second, second < came, log.times[came] - log.times[second] > 5_000_000,
                log.times[next] - log.times[came] < 5_000_000
            else { continue }
            confirm(88, next, against: second, "what was queued before came together")
        }
    }

    private mutating func judge(_ transfer: Exchange) {
        let told = transfer.endings.filter { [.userInfoFinished, .userInfoFailed, .fileFinished, .fileFailed].contains(event($0).kind) }
        if let first = told.first, let sent = transfer.sent { confirm(83, first, against: sent, "`didFinish` for the transfer") }
        // A recorder knows a transfer of an earlier run by its content only, which another may have too.
        for again in told.dropFirst() where event(again).sequence != nil {
            contradict(83, again, against: told[0], "`didFinish` a second time for one transfer")
        }
        if let cancelled = transfer.endings.first(where: { [.userInfoCancelled, .fileCancelled].contains(event($0).kind) }),
            transfer.deliveries.isEmpty
        {
            confirm(86, cancelled, against: transfer.sent, "it was taken back")
        }
        guard let delivery = transfer.deliveries.first else { return }
        if let again = transfer.deliveries.dropFirst().first,
            let crash = log.events.indices[delivery..<again].first(where: {
                event($0).device == event(delivery).device && [.crash, .powerLoss, .terminate].contains(event($0).kind)
            })
        {
            confirm(87, again, against: crash, "delivered again after the app had ended in the callback")
        }
        guard let sent = transfer.sent else { return }
        if let end = log.events.indices[sent..<max(sent, delivery)].first(where: {
            event($0).device == transfer.sender && [.terminate, .crash, .suspend].contains(event($0).kind)
        }), !transfer.arrivals.contains(where: { $0 < end }) {
            confirm(81, delivery, against: end, "it arrived after the sending app had ended or was suspended")
        }
        if transfer.channel == .userInfo, event(delivery).flag("complication") == true {
            confirm(96, delivery, against: sent, "a complication info is delivered")
        }
    }
}
