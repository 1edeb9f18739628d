import LocalData

/// Why a value that another device has did not come: how far it is, or where its way ended.
extension DebugShell {
    /// - Returns: For each device with a later version of the key: who wrote it, whether it was sent, where it is now and what it waits for. Nothing where
    ///   this device has what the others have.
    func wayHere(of key: String, to device: DeviceSnapshot) -> [String] {
        guard let here = device.key(key), let declared = timeline.scenario.keys.first(where: { $0.identifier == key }) else { return [] }
        return snapshot.devices.flatMap { other -> [String] in
            // Watches know nothing of each other.
            guard other.id != device.id, other.id.isPhone || device.id.isPhone, let there = other.key(key) else { return [] }
            guard there.isLater(than: here), declared.availability.isAvailable(on: device.id.isPhone ? .phone : .watch) else { return [] }
            var lines = ["  the \(other.id) has \(SafeText.line(text(of: there))), which has not come"]
            guard declared.syncPolicy != .never, declared.availability.allowsSync else {
                return lines + ["    not sent  the key does not sync"]
            }
            let written = there.version.flatMap { origin(of: key, $0) }
            if let written { lines += chain(from: written, as: "  written by") }
            return lines + way(of: there, isManual: declared.syncPolicy == .manual, since: written ?? 0, from: other, to: device)
        }
    }

    private func way(
        of key: DeviceSnapshot.Key, isManual: Bool, since written: Int, from other: DeviceSnapshot, to device: DeviceSnapshot
    ) -> [String] {
        let events = timeline.story.trace.events
        let names: Set<String> = [key.identifier, key.name]
        // What a step sends may be in the trace before what it wrote.
        let begin = timeline.story.step(ofEvent: written).map { timeline.story.steps[$0].events.lowerBound } ?? written
        let known = begin..<max(begin, snapshot.eventCount)
        guard let sent = known.last(where: { events[$0].device == other.id && events[$0].kind == .sync && events[$0].isAbout(names) })
        else {
            let refused = known.last { events[$0].device == other.id && events[$0].kind == .contextRefused }
            return ["    not sent  " + reasonNotSent(key, isManual: isManual, by: other)]
                + (refused.map { ["    refused   " + Self.text(of: events[$0])] } ?? [])
        }
        var lines = ["    sent      " + Self.text(of: events[sent])]
        let sequence = events[sent].sequence ?? 0
        // A later context has what an earlier one had.
        func isCarrier(_ held: HeldContent, _ counterpart: DeviceID) -> Bool {
            held.channel == .context && held.counterpart == counterpart && held.number >= sequence
        }
        if let held = other.held.first(where: { isCarrier($0, device.id) && $0.place != .arrived }) {
            let reasons = reasonsNotArrived(from: other, to: device)
            let why = reasons.isEmpty ? held.place.rawValue : "\(held.place.rawValue): \(reasons.joined(separator: ", and "))"
            return lines + ["    waits     context \(held.number) in the queue of the \(other.id), \(why)"]
        }
        if let held = device.held.first(where: { isCarrier($0, other.id) && $0.place == .arrived }) {
            let why =
                device.app.state.map { $0 == .suspended ? "the app is suspended" : "its session has not given it yet" }
                ?? "no app runs there"
            return lines + ["    waits     context \(held.number) has arrived at the \(device.id), whose app was not given it: \(why)"]
        }
        let came = known.filter { $0 > sent && events[$0].device == device.id }
        lines += came.filter { events[$0].kind == .contextDelivered && (events[$0].sequence ?? 0) >= sequence }.suffix(1).map {
            "    delivered " + Self.text(of: events[$0])
        }
        let judged = came.filter { Self.merging.contains(events[$0].kind) && (events[$0].isAbout(names) || events[$0]["key"] == nil) }
        lines += judged.suffix(2).map { "    and then  " + Self.text(of: events[$0]) }
        if lines.count == 1 {
            let last = known.last { $0 > sent && events[$0].kind.rawValue.hasPrefix("context.") && events[$0].sequence == sequence }
            lines.append(last.map { "    last seen " + Self.text(of: events[$0]) } ?? "    no event tells what became of it")
        }
        return lines
    }

    private func reasonNotSent(_ key: DeviceSnapshot.Key, isManual: Bool, by other: DeviceSnapshot) -> String {
        guard other.app.state != nil else { return "no app runs on the \(other.id); it sends when it is launched" }
        if let pending = other.pending?.first(where: { $0.key == key.name || $0.key == key.identifier }) {
            return Self.obstacles[pending.because] ?? pending.because
        }
        if other.app.state == .suspended { return "the app on the \(other.id) is suspended; it sends when it runs again" }
        return isManual ? "the key is sent by `\(other.id) sync` only" : "no event tells why"
    }

    private func reasonsNotArrived(from other: DeviceSnapshot, to device: DeviceSnapshot) -> [String] {
        var reasons: [String] = []
        if !snapshot.isLinkUp { reasons.append("the link is down") }
        for one in [other, device] where !one.isPoweredOn { reasons.append("the \(one.id) is off") }
        let watch = device.id.isPhone ? other.id : device.id
        if snapshot.activeWatch != watch { reasons.append("the phone speaks to the \(snapshot.activeWatch)") }
        if !device.app.isInstalled { reasons.append("the app is not installed on the \(device.id)") }
        for one in [other, device] where one.isPoweredOn && one.lock == .beforeFirstUnlock {
            reasons.append("the \(one.id) was not unlocked since it started")
        }
        return reasons
    }

    /// By the words of ``SyncObstacle/lookText``.
    private static let obstacles: [String: String] = [
        "sessionNotSupported": "the device has no session", "sessionNotActivated": "the session is not activated",
        "sessionInactive": "the session goes over to another watch", "counterpartNotPaired": "no watch is paired",
        "counterpartAppNotInstalled": "the app is not installed on the other device",
        "notRequested": "the key is sent when the app asks for it only",
        "tooLarge": "the value is too large to be sent", "didNotFit": "there was no room for it beside other values",
        "waiting": "its turn has not come",
    ]
}

extension DeviceSnapshot.Key {
    /// Whether it has what the other has not. Of a key that does not sync no version is known: then whatever differs.
    fileprivate func isLater(than other: DeviceSnapshot.Key) -> Bool {
        if case .stored(let mark, _, _, _) = content, case .stored(mark, _, _, _) = other.content { return false }
        guard let version else {
            if case .stored = content { return other.version == nil }
            return false
        }
        guard let known = other.version else { return true }
        // A change that is announced where it was made is made; where it came to, it may wait for what keeps it from being stored.
        let isWaiting = content != .missing && other.content == .missing
        let there = (version.announcedCounter ?? version.counter, version.announcedWriter ?? version.writer)
        let here =
            isWaiting ? (known.counter, known.writer) : (known.announcedCounter ?? known.counter, known.announcedWriter ?? known.writer)
        return there > here
    }
}

extension TraceEvent {
    fileprivate var sequence: Int? { if case .number(let number)? = self["sequence"] { number } else { nil } }
}
