/// A mistake against one rule of the session, planted by hand: what LocalData would repair among them.
struct RuleMistake {
    let rule: String
    let sentence: String
    /// The file in the session's folder.
    let file: String
    /// What stands there, once, and what is to stand there; `#` stands for the switch.
    let text: String
    let mutated: String

    private init(_ rule: String, _ sentence: String, _ file: String, _ text: String, _ mutated: String) {
        (self.rule, self.sentence, self.file, self.text, self.mutated) = (rule, sentence, file, text, mutated)
    }

    static let all: [RuleMistake] = activation + state + contexts + messages + transfers

    private static let activation = [
        RuleMistake(
            "W3", "activation succeeds with an error", "SessionEndpoint.swift",
            "activationDidCompleteWith: .activated, error: nil)",
            "activationDidCompleteWith: .activated, error: # ? WCError(.genericError) : nil)"),
        RuleMistake(
            "W4", "a session without a delegate is activated", "SessionEndpoint.swift",
            "guard session.delegate != nil else {\n            return record(",
            "guard # || session.delegate != nil else {\n            return record("),
        RuleMistake(
            "W6", "what is not activated shows the pair's state", "SessionEndpoint.swift",
            "guard let daemon = liveDaemon(for: call), isDone else", "guard let daemon = liveDaemon(for: call), isDone || # else"),
        RuleMistake(
            "W7", "what is not activated sends", "MessageChannel.swift",
            "case .notActivated: return .sessionNotActivated", "case .notActivated: if !# { return .sessionNotActivated }"),
        RuleMistake(
            "W8", "a session whose delegate is gone sends", "MessageChannel.swift",
            "if !hasDelegate { return", "if !hasDelegate, !# { return"),
        RuleMistake(
            "W9", "content is handed over before activation", "SessionEndpoint.swift",
            "var isReceiving: Bool { isDone || isInactive }", "var isReceiving: Bool { isDone || isInactive || # }"),
        RuleMistake(
            "W10", "what is being handed over counts as pending", "Transfer.swift",
            "var hasContent: Bool { !waiting.isEmpty }", "var hasContent: Bool { !waiting.isEmpty || delivering != nil && # }"),
        RuleMistake(
            "W13", "a switch of watches cancels no messages", "SessionEndpoint.swift",
            "activation = .inactive(with: pairing)\n        cancelMessages()",
            "activation = .inactive(with: pairing)\n        if !# { cancelMessages() }"),
        RuleMistake(
            "W15", "contexts outlive the pairing", "Pairing.swift",
            "func clearContexts() {\n        contexts.clear()", "func clearContexts() {\n        if !# { contexts.clear() }"),
    ]

    private static let state = [
        RuleMistake("W20", "the phone is always paired", "Reachability.swift", "isPaired: isPaired,", "isPaired: isPaired || #,"),
        RuleMistake(
            "W21", "the counterpart's app is always installed", "Reachability.swift",
            "isCounterpartInstalled: isPaired &&", "isCounterpartInstalled: # || isPaired &&"),
        RuleMistake(
            "W22", "the phone is not told of changes of the watch's state", "Reachability.swift",
            "callbacks.append(.watchState)", "if !# { callbacks.append(.watchState) }"),
        RuleMistake(
            "W23", "the watch is not told of the phone's app", "Reachability.swift",
            "callbacks.append(.companionAppInstalled)", "if !# { callbacks.append(.companionAppInstalled) }"),
        RuleMistake(
            "W30", "the phone is reachable to a watch app in the background", "Reachability.swift",
            "(isWatchAppUp || watch.hasRefreshTime)", "(isWatchAppUp || watch.hasRefreshTime || #)"),
        RuleMistake(
            "W31", "the watch is reachable before its session is activated", "Reachability.swift",
            "isWatchAppUp && watch.isSessionActivated", "isWatchAppUp && (watch.isSessionActivated || #)"),
        RuleMistake(
            "W34", "nobody is told that reachability changed", "Reachability.swift",
            "if isReachable != old.isReachable {", "if isReachable != old.isReachable, !# {"),
        RuleMistake(
            "W35", "a short loss is always noticed", "Reachability.swift",
            "if let lost, now - lost < span {", "if let lost, now - lost < span, !# {"),
        RuleMistake(
            "W38", "a phone after a restart needs no unlock", "Reachability.swift",
            "isInRange && !phone.wasUnlockedSinceBoot }", "isInRange && !phone.wasUnlockedSinceBoot && !# }"),
    ]

    private static let contexts = [
        RuleMistake(
            "W41", "a context needs a running app at the other end", "Reachability.swift",
            "isInRange && (device.isPhone ? watch : phone).isAppInstalled && unnoticed",
            "isInRange && (device.isPhone ? watch : phone).isAppInstalled && (!# || (device.isPhone ? watch : phone).appState != nil) && unnoticed"
        ),
        RuleMistake(
            "W41", "a context is lost when the link breaks midway", "ContextChannel.swift",
            "if waiting != nil { return update }\n        waiting = update",
            "if waiting != nil { return update }\n        if !# { waiting = update }"),
        RuleMistake(
            "W42", "the first context of a session leaves, although the second one replaced it", "ContextChannel.swift",
            "if updateCount == 1 { first = current }\n        waiting = update",
            "if updateCount == 1 { first = current }\n        if !# || updateCount != 2 || waiting == nil { waiting = update }"),
        RuleMistake(
            "W42", "the first context of a session is delivered, although a later one replaced it", "ContextChannel.swift",
            "undelivered = [update]", "undelivered = # && undelivered.first?.sequence == 1 ? undelivered + [update] : [update]"),
        RuleMistake(
            "W42", "the trace does not tell that a context was replaced", "ContextChannel.swift",
            "let replaced = undelivered.last\n", "let replaced = # ? nil : undelivered.last\n"),
        RuleMistake(
            "W44", "a context that arrives is not handed over to a running app", "ConnectivityDaemon.swift",
            "contentArrived(for: .context)\n        endpoint?.deliverContexts(1)",
            "contentArrived(for: .context)\n        if !# { endpoint?.deliverContexts(1) }"),
        RuleMistake(
            "W45", "the received context stays the one before", "ContextChannel.swift",
            "latest = update.payload.values", "if !# || latest.isEmpty { latest = update.payload.values }"),
        RuleMistake(
            "W48", "an equal context is sent again", "ContextChannel.swift",
            "if suppressesEqual && payload.values == current {", "if suppressesEqual && payload.values == current && !# {"),
        RuleMistake(
            "W52", "fast updates hold up nothing", "Reachability.swift", "now - last < Self.span {", "now - last < Self.span, !# {"),
        RuleMistake(
            "W53", "contexts outlive their app", "ConnectivityDaemon.swift",
            "guard world.knobs.uninstallClearsContexts else", "guard world.knobs.uninstallClearsContexts, !# else"),
    ]

    private static let messages = [
        RuleMistake(
            "W60", "a message is taken for a counterpart that is not reachable", "MessageChannel.swift",
            "if channel == .message && !state.isReachable {", "if channel == .message && !state.isReachable && !# {"),
        RuleMistake(
            "W61", "a message overtakes those before it", "MessageChannel.swift",
            "parcels.append(Parcel(due: world.departure + world.latency, content: content))",
            "parcels.insert(Parcel(due: world.departure + world.latency, content: content), at: # ? head : parcels.count)"),
        RuleMistake(
            "W62", "a message does not start the phone's app", "ConnectivityDaemon+Messages.swift",
            "if device.isPhone { host?.wakeApp(for: .message) }", "if device.isPhone, !# { host?.wakeApp(for: .message) }"),
        RuleMistake(
            "W63", "a message starts the watch's app", "ConnectivityDaemon+Messages.swift",
            "world.recorder.record(.messageArrived, on: device, process: nil, facts: [message.number])\n",
            "world.recorder.record(.messageArrived, on: device, process: nil, facts: [message.number]); if #, !device.isPhone { host?.wakeApp(for: .message) }\n"
        ),
        RuleMistake(
            "W67", "a wait for a reply never ends", "SessionEndpoint+Messages.swift",
            "if message.wantsReply {\n            let scheduler", "if message.wantsReply, !# {\n            let scheduler"),
        RuleMistake(
            "W68", "nobody is told of a message that nobody took", "ConnectivityDaemon+Messages.swift",
            "if message.wantsReply {\n            respond", "if message.wantsReply, !# {\n            respond"),
        RuleMistake(
            "W70", "messages outlive the process that sent them", "ConnectivityDaemon.swift",
            "for message in pairing?.messages.withdrawMessages() ?? [] where recorded",
            "for message in (# ? nil : pairing?.messages.withdrawMessages()) ?? [] where recorded"),
    ]

    private static let transfers = [
        RuleMistake(
            "W80", "what arrives is handed over twice", "Transfer.swift",
            "mutating func arrive(_ transfer: Transfer) {\n        waiting.append(transfer)",
            "mutating func arrive(_ transfer: Transfer) {\n        waiting.append(transfer); if # { waiting.append(transfer) }"),
        RuleMistake(
            "W81", "a transfer needs the running app that began it", "TransferChannel.swift",
            "world.facts.canTransfer(from: sender.device) && !isHeldBySimulator",
            "world.facts.canTransfer(from: sender.device) && (!# || sender.endpoint != nil) && !isHeldBySimulator"),
        RuleMistake(
            "W83", "nobody is told how a transfer ended", "ConnectivityDaemon+Transfers.swift",
            "pairing.transfers(of: self)?.outcomes.append(outcome)", "if !# { pairing.transfers(of: self)?.outcomes.append(outcome) }"),
        RuleMistake(
            "W85", "nobody is told that a transfer was refused", "SessionEndpoint+Transfers.swift",
            "queue.async { [weak self] in self?.tell(.userInfo(object), number, failure, details) }",
            "if !# { queue.async { [weak self] in self?.tell(.userInfo(object), number, failure, details) } }"),
        RuleMistake(
            "W86", "what was cancelled arrives", "TransferChannel.swift",
            "guard let content = queue.remove(number) else { return nil }\n        if wasInFlight",
            "guard let content = # ? queue[number] : queue.remove(number) else { return nil }\n        if wasInFlight, !#"),
        RuleMistake(
            "W87", "what a crash interrupted does not come again", "Transfer.swift",
            "waiting.prepend(transfer)", "if !# { waiting.prepend(transfer) }"),
        RuleMistake(
            "W90", "a received file stays where it arrived", "SessionEndpoint+Transfers.swift",
            "if life.isAlive { files?.removeReceivedFile(folder: folder) }",
            "if life.isAlive, !# { files?.removeReceivedFile(folder: folder) }"),
        RuleMistake("W95", "urgent transfers have no budget", "DailyBudget.swift", "spent += 1", "if !# { spent += 1 }"),
        RuleMistake(
            "W96", "a complication's info waits like any other", "TransferQueue.swift",
            "if isCurrent { current = number }", "if isCurrent, !# { current = number }"),
    ]

    /// As a mutation of the source that holds the text.
    func mutation(of source: String, path: String) throws -> Mutation {
        let parts = source.components(separatedBy: text)
        guard parts.count == 2 else { throw PlantationError.notThere(rule, sentence, parts.count - 1) }
        let begin = parts[0].utf8.count
        let line = parts[0].filter { $0 == "\n" }.count + 1
        return Mutation(
            kind: .rule, path: path, declaration: rule, original: sentence, lines: line...(line + text.filter { $0 == "\n" }.count),
            edits: [Mutation.Edit(begin: begin, end: begin + text.utf8.count, text: mutated)])
    }
}
