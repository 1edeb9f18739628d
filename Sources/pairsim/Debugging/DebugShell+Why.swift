import LocalData

/// What made a key's value: the write, the delivery, the merge, back to the step.
extension DebugShell {
    func why(_ rest: String) throws(DebugError) -> DebugReply {
        var words = rest.split(whereSeparator: \.isWhitespace).map(String.init)
        var devices = timeline.story.devices
        if words.count == 2, let device = devices.first(where: { $0.description == words[0] }) {
            devices = [device]
            words.removeFirst()
        }
        guard words.count == 1 else {
            throw DebugError(
                "why takes a key, and before it a device if one is meant", suggestion: "why watch \(timeline.story.keys.first ?? "KEY")")
        }
        let key = try key(named: words[0])
        var lines: [String] = []
        var members: [String: JSONValue] = [:]
        for device in devices {
            let story = explanation(of: key, on: device)
            lines += story.lines
            members[device.description] = .texts(story.lines)
        }
        return DebugReply(lines: lines, members: ["why": .object(members)])
    }

    private func explanation(of key: String, on device: DeviceID) -> (lines: [String], event: Int?) {
        guard let now = snapshot[device]?.key(key) else { return ([], nil) }
        var lines = ["\(device) \(SafeText.line(key)): \(SafeText.line(text(of: now)))"]
        let names: Set<String> = [key, now.name]
        guard let changed = (0...place).reversed().first(where: { $0 > 0 && changedDevices(of: key, at: $0).contains(device) }) else {
            lines.append("  nothing has changed it since the start")
            return (lines + later(than: 0, of: names, on: device) + (snapshot[device].map { wayHere(of: key, to: $0) } ?? []), nil)
        }
        let range = timeline.story.snapshots[changed - 1].eventCount..<timeline.story.snapshots[changed].eventCount
        let events = timeline.story.trace.events
        let about = range.filter { events[$0].device == device && events[$0].isAbout(names) }
        // What stored something says more than what only came in between.
        guard
            let event = about.last(where: { Self.storing.contains(events[$0].kind) }) ?? about.last
                ?? range.last(where: { events[$0].device == device })
        else {
            lines.append("  it changed at \(timeline.time(at: changed)), in \(stepText(ofEvent: range.last)), and no event tells more")
            return (lines, nil)
        }
        lines += chain(from: event, as: Self.merging.contains(events[event].kind) ? "merged by " : "made by   ")
        if let version = now.version, let origin = origin(of: key, version) {
            if origin != event { lines += chain(from: origin, as: "written by") }
            lines += gaveWay(to: version, since: origin, of: key)
        }
        return (lines + later(than: event, of: names, on: device) + (snapshot[device].map { wayHere(of: key, to: $0) } ?? []), event)
    }

    /// The event that wrote a version, on whichever device: the one at the first place where it is anywhere.
    func origin(of key: String, _ version: StorageRouter.RecordedVersion) -> Int? {
        for place in timeline.places.dropFirst() {
            let before = timeline.story.snapshots[place - 1].eventCount
            let snapshot = timeline.story.snapshots[place]
            let devices = snapshot.devices.filter { device in
                device.key(key)?.version.map { $0.counter == version.counter && $0.writer == version.writer } ?? false
            }
            guard !devices.isEmpty else { continue }
            let events = timeline.story.trace.events
            // It may have been merged elsewhere by the same look; whoever wrote it comes first.
            return (before..<max(before, snapshot.eventCount)).first { number in
                guard let device = devices.first(where: { $0.id == events[number].device }), let name = device.key(key)?.name else {
                    return false
                }
                return Self.storing.contains(events[number].kind) && events[number].isAbout([key, name])
            }
        }
        return nil
    }

    /// The last write of each writer that came after that version's, and has given way to it, since whoever wrote did not know of it.
    private func gaveWay(to version: StorageRouter.RecordedVersion, since written: Int, of key: String) -> [String] {
        // Which of two equal counters stays is known once they have met.
        let held = Set(snapshot.devices.compactMap { $0.key(key)?.version })
        var known: Set<StorageRouter.RecordedVersion> = [version]
        var last: [String: (version: StorageRouter.RecordedVersion, event: Int)] = [:]
        for at in timeline.places.dropFirst() where at <= place {
            for device in timeline.story.snapshots[at].devices {
                guard let other = device.key(key)?.version, other.writer != version.writer, known.insert(other).inserted,
                    let event = origin(of: key, other), event > written
                else { continue }
                last[other.writer] = (other, event)
            }
        }
        let kept = "version \(version.counter) of \(version.writer)"
        let lost = last.values.filter {
            $0.version.counter < version.counter || $0.version.counter == version.counter && !held.contains($0.version)
        }
        return lost.sorted { $0.event < $1.event }.flatMap { lost in
            chain(from: lost.event, as: "gave way  ") + [
                "    it is version \(lost.version.counter) of \(lost.version.writer), and \(kept) stays"
            ]
        }
    }

    /// The event, and what it comes of, back to the step.
    func chain(from event: Int, as label: String) -> [String] {
        var lines: [String] = []
        var next: Int? = event
        var known: Set<Int> = []
        while let number = next, known.insert(number).inserted, known.count <= 24 {
            let event = timeline.story.trace.events[number]
            if event.kind == .step {
                lines.append("    because of \(stepText(ofEvent: number))")
                return lines
            }
            lines.append(lines.isEmpty ? "  \(label) \(Self.text(of: event))" : "    from     \(Self.text(of: event))")
            guard timeline.story.causes.indices.contains(number) else { break }
            let cause = timeline.story.causes[number]
            // What a merge comes of is the delivery; what that comes of is what travelled.
            next = Self.merging.contains(event.kind) ? cause.trigger ?? cause.carried : cause.foremost
        }
        // A cause that nobody noted is still in a step.
        return lines + ["    in \(stepText(ofEvent: event))"]
    }

    /// What came of it afterwards, such as an older version that arrived and was refused.
    private func later(than event: Int, of names: Set<String>, on device: DeviceID) -> [String] {
        let events = timeline.story.trace.events
        let later = (event + 1..<max(event + 1, snapshot.eventCount)).filter { number in
            events[number].device == device && Self.merging.contains(events[number].kind) && events[number].isAbout(names)
        }
        return later.suffix(3).map { "  since then " + Self.text(of: events[$0]) }
    }

    private func stepText(ofEvent number: Int?) -> String {
        guard let number, let index = timeline.story.step(ofEvent: number) else { return "the start" }
        let step = timeline.story.steps[index]
        let text = step.text.split(separator: "\n").joined(separator: " ; ")
        return "\(SafeText.line(step.path)):\(step.line)  \(SafeText.line(text))"
    }

    static func text(of event: TraceEvent) -> String {
        let line = TraceEvent.log(of: [event])[0].split(separator: " ").joined(separator: " ")
        return SafeText.line(line) + "  (\(event.kind.meaning))"
    }

    private static let storing: Set<TraceEvent.Kind> = [.set, .remove, .applied, .migrate, .reseal, .rotate, .erase, .restore, .uninstall]
    static let merging: Set<TraceEvent.Kind> = [.applied, .kept, .equal, .putOff, .ignored, .refused, .outdated, .failed]
}

extension TraceEvent {
    /// Whether a fact names one of the keys, as the scenario or the storage calls it.
    func isAbout(_ names: Set<String>) -> Bool {
        facts.contains { fact in
            switch fact.value {
            case .text(let text): fact.name == "key" && names.contains(text)
            case .list(let list): ["keys", "deletions"].contains(fact.name) && !names.isDisjoint(with: list)
            case .number, .flag: false
            }
        }
    }
}
