import LocalData

/// What the devices are like at a place, and what happened on the way there.
extension DebugShell {
    /// What can be shown of a device.
    enum Part: String, CaseIterable {
        case keys, session, disk, keychain, pending, app
    }

    // MARK: Steps

    func list(_ count: Int) -> DebugReply {
        let done = timeline.doneSteps(at: place)
        let steps = timeline.story.steps
        let first = max(0, min(done - count / 2, steps.count - count))
        let lines = steps.indices.dropFirst(first).prefix(count).map { index in
            let mark =
                index == done
                ? (timeline.isWithinStep(at: place) ? "…" : "→") : index < done ? (steps[index].outcome == .failed ? "✗" : "✓") : " "
            return line(of: steps[index], mark: mark)
        }
        return DebugReply(
            lines: lines,
            members: [
                "steps": .list(
                    steps.map { step in
                        .object([
                            "path": .text(step.path), "line": .number(Int64(step.line)), "text": .text(step.text),
                            "outcome": .text(step.outcome.rawValue),
                        ])
                    })
            ])
    }

    // MARK: Events

    func events(_ rest: String) throws(DebugError) -> DebugReply {
        var words = rest.split(whereSeparator: \.isWhitespace).map(String.init)
        var device: DeviceID?
        if let index = words.firstIndex(where: { word in timeline.story.devices.contains { $0.description == word } }) {
            let name = words.remove(at: index)
            device = timeline.story.devices.first { $0.description == name }
        }
        var numbers = Array(0..<snapshot.eventCount)
        var limit = Int.max
        switch words.first {
        case nil:
            let done = timeline.doneSteps(at: place)
            let index = timeline.isWithinStep(at: place) ? done : done - 1
            if timeline.story.steps.indices.contains(index) {
                numbers = Array(timeline.story.steps[index].events.clamped(to: 0..<snapshot.eventCount))
            }
        case "all"?: break
        case let word?: limit = try count(word)
        }
        guard words.count < 2 else { throw DebugError("events takes a number or all, and a device") }
        numbers = numbers.filter { device == nil || timeline.story.trace.events[$0].device == device }.suffix(limit)
        let events = numbers.map { timeline.story.trace.events[$0] }
        return DebugReply(
            lines: events.isEmpty ? ["none"] : zip(numbers, TraceEvent.log(of: events)).map { "\($0)  \(SafeText.line($1))" },
            members: ["events": .list(numbers.map(json))])
    }

    private func json(ofEvent number: Int) -> JSONValue {
        let event = timeline.story.trace.events[number]
        let cause = timeline.story.causes.indices.contains(number) ? timeline.story.causes[number].foremost : nil
        return .object([
            "number": .number(Int64(number)), "microseconds": .number(event.time.microseconds),
            "device": .optional(event.device?.description),
            "kind": .text(event.kind.rawValue), "text": .text(TraceEvent.log(of: [event])[0].trimmingWhitespace), "cause": .optional(cause),
        ])
    }

    func eventLines(_ numbers: Range<Int>, limit: Int) -> [String] {
        // What every step begins with, its line says.
        let shown = numbers.filter { timeline.story.trace.events[$0].kind != .step }
        let lines = TraceEvent.log(of: shown.prefix(limit).map { timeline.story.trace.events[$0] }).map { "    " + SafeText.line($0) }
        return shown.count > limit ? lines + ["    … and \(shown.count - limit) more; events shows them"] : lines
    }

    // MARK: Devices

    func show(_ rest: String) throws(DebugError) -> DebugReply {
        let words = rest.split(whereSeparator: \.isWhitespace).map(String.init)
        var devices = snapshot.devices
        var parts: [Part] = words.isEmpty ? [.app, .keys] : []
        for word in words {
            if let device = snapshot.devices.first(where: { $0.id.description == word }) {
                devices = [device]
            } else if let part = Part(rawValue: word) {
                parts.append(part)
            } else {
                let known = snapshot.devices.map(\.id.description) + Part.allCases.map(\.rawValue)
                throw DebugError(
                    "there is nothing \"\(word)\" to show; there are \(known.joined(separator: ", "))",
                    suggestion: Suggestion.closest(to: word, among: known).map { "show \($0)" })
            }
        }
        if parts.isEmpty { parts = Part.allCases }
        var lines: [String] = []
        if words.isEmpty { lines.append("the link is \(snapshot.isLinkUp ? "up" : "down"), \(snapshot.activeWatch) is the active watch") }
        for device in devices {
            for part in parts {
                lines.append(style.paint("\(device.id) \(part.rawValue)", .bold))
                lines += self.lines(of: part, on: device).map { "  " + SafeText.line($0) }
            }
        }
        let members = devices.map { device in
            (
                device.id.description,
                JSONValue.object(Dictionary(parts.map { ($0.rawValue, json(of: $0, on: device)) }, uniquingKeysWith: { first, _ in first }))
            )
        }
        return DebugReply(
            lines: lines,
            members: [
                "devices": .object(Dictionary(members, uniquingKeysWith: { first, _ in first })), "isLinkUp": .flag(snapshot.isLinkUp),
            ])
    }

    func lines(of part: Part, on device: DeviceSnapshot) -> [String] {
        switch part {
        case .app:
            let power = device.isPoweredOn ? "on, \(device.lock.word)" : "off"
            let app =
                device.app.isInstalled ? "version \(device.app.version), \(device.app.state?.rawValue ?? "not running")" : "not installed"
            let run = device.app.process.map { ", run #\($0)" } ?? ""
            let widget = device.widget.map { ["widget  \($0.rawValue)"] } ?? []
            let clock = device.clockSkew == .zero ? [] : ["clock   \(device.clockSkew) off"]
            return ["device  \(power)", "app     \(app)\(run)"] + widget + clock
        case .keys:
            let width = device.keys.map(\.identifier.count).max() ?? 0
            let lines = device.keys.map { key in
                key.identifier + String(repeating: " ", count: width - key.identifier.count) + "  " + text(of: key)
            }
            return lines.isEmpty ? ["none"] : lines
        case .session:
            guard !device.session.isEmpty else { return ["no app runs"] }
            let width = device.session.map(\.name.count).max() ?? 0
            let facts = device.session.map { $0.name + String(repeating: " ", count: width - $0.name.count) + "  " + $0.value.text }
            return facts
                + device.held.map { held in
                    "\(held.channel.rawValue) \(held.number) \(held.place.rawValue), with \(held.counterpart): [\(held.summary)] \(Plural.of(held.byteCount, "byte"))"
                }
        case .disk: return stored(device, .file) + stored(device, .preference)
        case .keychain: return stored(device, .keychain)
        case .pending:
            guard let pending = device.pending else { return ["no process says"] }
            return pending.isEmpty ? ["nothing"] : pending.map { "\($0.key)  because: \($0.because)" }
        }
    }

    private func stored(_ device: DeviceSnapshot, _ kind: DeviceStorage.StoredThing.Kind) -> [String] {
        let things = device.stored.filter { $0.kind == kind }
        guard !things.isEmpty else { return [kind == .keychain ? "no item" : "no \(kind.rawValue)"] }
        return things.map { thing in
            let sync = thing.isSynchronized ? "" : ", not synchronized"
            return
                "\(kind.rawValue)  \(thing.name)  \(Plural.of(thing.bytes, "byte"))  \(thing.protection)\(sync)  content \(thing.content)"
        }
    }

    /// What lies at a key's place: the value of a plain key, of any other a mark that tells values apart.
    func text(of key: DeviceSnapshot.Key) -> String {
        let content =
            switch key.content {
            case .missing: "missing"
            case .unreadable(let error): "unreadable (\(error))"
            case .stored(let mark, let isOpened, let bytes, let value):
                value.map { $0.count > 200 ? $0.prefix(199) + "…" : $0 }
                    ?? "\(isOpened ? "value" : "sealed value") \(mark), \(Plural.of(bytes, "byte"))\(key.isSecret ? ", secret" : "")"
            }
        guard let version = key.version else { return content }
        var text = "\(content)  (version \(version.counter) of \(version.writer)"
        if version.content != .value { text += ", \(version.content.rawValue)" }
        if version.isReduced { text += ", the smaller form" }
        if let announced = version.announcedCounter { text += ", \(announced) is announced" }
        return text + ")"
    }

    func keyLines(of key: String) -> [String] {
        snapshot.devices.compactMap { device in
            device.key(key).map { "  \(device.id) \(SafeText.line(key)): \(SafeText.line(text(of: $0)))" }
        }
    }

    private func json(of part: Part, on device: DeviceSnapshot) -> JSONValue {
        guard part == .keys else { return .texts(lines(of: part, on: device)) }
        return .object(
            Dictionary(
                device.keys.map { key in
                    var members: [String: JSONValue] = ["isSecret": .flag(key.isSecret), "text": .text(text(of: key))]
                    if case .stored(let mark, _, let bytes, let value) = key.content {
                        members["mark"] = .number(Int64(mark))
                        members["bytes"] = .number(Int64(bytes))
                        members["value"] = .optional(value)
                    }
                    if let version = key.version { members["version"] = .unsigned(version.counter) }
                    return (key.identifier, .object(members))
                }, uniquingKeysWith: { first, _ in first }))
    }
}

extension DeviceLockState {
    fileprivate var word: String {
        switch self {
        case .unlocked: "unlocked"
        case .locked: "locked"
        case .beforeFirstUnlock: "before first unlock"
        }
    }
}

extension TraceEvent.Value {
    fileprivate var text: String {
        switch self {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case .list(let list): "[\(list.joined(separator: " "))]"
        }
    }
}
