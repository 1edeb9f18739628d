import DeviceSimCore

/// Errors, waking, and the watch on the wrist.
extension RuleJudge {
    /// What the codes of refusals and failures say.
    mutating func judgeErrors() {
        for (index, event) in log.events.enumerated() {
            guard let code = event.code else {
                if event.kind == .sessionError, event.text("call") == "activate", event.text("error") == "watchOnlyApp" {
                    confirm(16, index, "a watch-only app's session is not activated")
                }
                continue
            }
            let isTransfer = [.userInfoFailed, .fileFailed].contains(event.kind)
            switch code {
            case 7004, 7016: confirm(7, index, "it failed on the channel's own error path, with \(code)")
            case 7003: confirm(8, index, "there is no delegate: 7003")
            case 7009 where event.kind == .fileFailed: confirm(119, index, "a file, or its metadata, is too large")
            case 7009:
                confirm(101, index, "too large: 7009")
                judgeSize(index)
            case 7010: confirm(102, index, "types that no property list has: 7010")
            case 7008 where event.kind == .fileFailed, 7013, 7015: confirm(91, index, "\(code) through `didFinish`")
            case 7019: confirm(16, index, "a watch-only app")
            default: break
            }
            if code == 7016 { confirm(13, index, "refused while inactive: 7016") }
            if code == 7004, hasEvent(.deactivated, of: event, before: index) { confirm(14, index, "the session is dead after the switch") }
            if isTransfer { confirm(85, index, "the failure of a transfer came through `didFinish`") }
            if event.kind == .userInfoFailed || event.kind == .fileFailed, [7006, 7018].contains(code) {
                confirm(122, index, "it failed with \(code)")
            }
        }
    }

    /// W100: what was too large is larger than the limit that the rule says.
    private mutating func judgeSize(_ index: Int) {
        let knobs = Knobs()
        let limit: Int? =
            switch event(index).kind {
            case .contextRefused: knobs.contextLimit
            case .messageFailed: knobs.messageLimit
            case .userInfoFailed: knobs.userInfoLimit
            default: nil
            }
        let bytes = event(index).int("bytes") ?? log.sending(of: index).flatMap { event($0).int("bytes") }
        if let limit, let bytes, bytes > limit { confirm(100, index, "\(bytes) bytes, where \(limit) are allowed") }
    }

    private func hasEvent(_ kind: TraceEvent.Kind, of event: ObservedEvent, before index: Int) -> Bool {
        guard let run = processes.first(where: { $0.lines.contains(index) }) else { return false }
        return run.lines.contains { $0 < index && self.event($0).kind == kind }
    }

    mutating func judgeWaking() {
        for (key, lines) in processes {
            let begun = lines.first { event($0).kind?.isLifeOfApp == true }
            let wasWoken = begun.map { event($0).kind == .launchInBackground } ?? false
            for index in lines {
                switch event(index).kind {
                case .backgroundTask where !key.device.isPhone:
                    confirm(110, index, "the watch app was given a task")
                case .contextDelivered, .userInfoDelivered, .fileDelivered:
                    if key.device.isPhone, wasWoken, let begun, event(index) == firstDelivery(lines) {
                        confirm(111, index, against: begun, "the phone's app was launched, and given `\(event(index).name)`")
                    }
                case .messageDelivered:
                    if key.device.isPhone, let task = openTask(ofSender: index) {
                        confirm(142, index, against: task, "sent by a watch app that held a refresh task")
                    }
                default: break
                }
            }
        }
    }

    private func firstDelivery(_ lines: [Int]) -> ObservedEvent? { lines.first { event($0).isDelivery }.map(event) }

    /// The task that the watch app held in the background while it sent this message.
    private func openTask(ofSender delivery: Int) -> Int? {
        guard let exchange = log.exchange(of: delivery), exchange.isCertain, let sent = exchange.sent,
            let run = processes.first(where: { $0.lines.contains(sent) })
        else { return nil }
        let before = run.lines.prefix { $0 < sent }
        let last = before.last { [.backgroundTask, .backgroundTaskCompleted, .foreground, .launch].contains(event($0).kind) }
        return last.flatMap { event($0).kind == .backgroundTask ? $0 : nil }
    }

    mutating func judgeWrist() {
        for (key, lines) in processes where !key.device.isPhone {
            for (position, index) in lines.enumerated() {
                let rest = lines[(position + 1)...]
                switch event(index).kind {
                case .wristUp:
                    guard let up = rest.first(where: { event($0).kind?.isLifeOfApp == true }), event(up).kind == .foreground,
                        let down = lines[..<position].last(where: { event($0).kind == .wristDown }),
                        log.times[index] - log.times[down] < 120_000_000
                    else { continue }
                    confirm(113, up, against: index, "a raised wrist shows the app again")
                case .frontmostEnded: confirm(115, index, "the app is frontmost no more")
                case .takenOff:
                    if let lock = rest.first, event(lock).kind == .lock { confirm(126, lock, against: index, "it locked itself") }
                default: break
                }
            }
        }
    }
}
