/// Going through a run.
extension DebugShell {
    func step(_ count: Int) throws(DebugError) -> DebugReply {
        let done = timeline.doneSteps(at: place)
        if count > 0, place == timeline.last { throw DebugError("this is the end; back goes back, branch lists the branches") }
        if count < 0, place == 0 { throw DebugError("this is the start") }
        // A step that is under way is taken back first.
        let target = count < 0 && timeline.isWithinStep(at: place) ? done + count + 1 : done + count
        let reply = move(to: timeline.place(afterSteps: max(0, target)))
        // A command for several steps says what came of each.
        guard count > 1 else { return reply }
        var lines: [String] = []
        for index in done..<max(done, timeline.doneSteps(at: place) - 1) {
            lines.append(line(of: timeline.story.steps[index], mark: "✓"))
        }
        return DebugReply(lines: lines + reply.lines)
    }

    func go(instants count: Int) throws(DebugError) -> DebugReply {
        if count > 0, place == timeline.last { throw DebugError("this is the end; prev goes back") }
        if count < 0, place == 0 { throw DebugError("this is the start") }
        var reply = move(to: place + count)
        if count > 0 { reply.lines += eventLines(timeline.events(from: origin, through: place), limit: 40) }
        return reply
    }

    // MARK: Until

    func until(_ rest: String) throws(DebugError) -> DebugReply {
        guard !rest.isEmpty else { throw DebugError("until what? A line, an event, a key, an expectation, failure, end or start") }
        switch rest {
        case "end": return move(to: timeline.last)
        case "start": return move(to: 0)
        case "failure", "fail", "failed":
            guard timeline.failure != nil else { throw DebugError("nothing fails: the run \(timeline.result.outcome.word)") }
            return move(to: timeline.last)
        default: break
        }
        if let line = Int(rest) { return try until(line: line, of: timeline.scenario.path) }
        let words = rest.split(whereSeparator: \.isWhitespace).map(String.init)
        if words[0] == "expect" || words[0] == "never" { return try until(expectation: rest) }
        if let colon = rest.lastIndex(of: ":"), let line = Int(rest[rest.index(after: colon)...]) {
            return try until(line: line, of: String(rest[..<colon]))
        }
        let device = words.count == 2 ? timeline.story.devices.first { $0.description == words[0] } : nil
        if let word = words.last, words.count == 1 || device != nil {
            if let kind = TraceEvent.Kind(rawValue: word) { return try until(kind, on: device) }
            if timeline.story.keys.contains(word) { return try untilChange(of: word, on: device) }
        }
        let known = TraceEvent.Kind.allCases.map(\.rawValue) + timeline.story.keys + ["failure", "end", "start"]
        throw DebugError(
            "\"\(rest)\" is no line, event, key or expectation",
            suggestion: Suggestion.closest(to: words.last ?? "", among: known).map { "until \($0)" })
    }

    private func until(line: Int, of path: String) throws(DebugError) -> DebugReply {
        let steps = timeline.story.steps
        let indices = steps.indices.filter { steps[$0].path == path }
        guard let index = indices.first(where: { steps[$0].line == line }) ?? indices.first(where: { steps[$0].line > line }) else {
            throw DebugError(
                indices.isEmpty
                    ? "no step of this run is in \(path)"
                    : "there is no step at line \(line) or behind it; the last is at line \(steps[indices[indices.count - 1]].line)")
        }
        guard steps[index].outcome != .notRun else {
            throw DebugError("line \(steps[index].line) is never reached: the run \(timeline.result.outcome.word) before it")
        }
        let target = timeline.place(afterSteps: index)
        guard target != place else { throw DebugError("line \(steps[index].line) is next already") }
        return move(to: target)
    }

    private func until(_ kind: TraceEvent.Kind, on device: DeviceID?) throws(DebugError) -> DebugReply {
        let events = timeline.story.trace.events
        let next = events.indices.first {
            $0 >= snapshot.eventCount && events[$0].kind == kind && (device == nil || events[$0].device == device)
        }
        guard let next, let target = timeline.story.snapshot(afterEvent: next) else {
            throw DebugError("no \(kind.rawValue)\(device.map { " on the \($0)" } ?? "") comes after this place")
        }
        var reply = move(to: target)
        reply.lines += eventLines(next..<(next + 1), limit: 1)
        return reply
    }

    private func untilChange(of key: String, on device: DeviceID?) throws(DebugError) -> DebugReply {
        let target = timeline.places.dropFirst(place + 1).first { place in
            changedDevices(of: key, at: place).contains { device == nil || $0 == device }
        }
        guard let target else { throw DebugError("\(key) does not change after this place") }
        let devices = changedDevices(of: key, at: target)
        var reply = move(to: target)
        if !watched.contains(key) { reply.lines += keyLines(of: key).filter { line in devices.contains { line.contains($0.description) } } }
        return reply
    }

    /// The devices on which a key is another one at a place than at the place before.
    func changedDevices(of key: String, at place: Int) -> [DeviceID] {
        guard place > 0 else { return [] }
        let (before, now) = (timeline.story.snapshots[place - 1], timeline.story.snapshots[place])
        return now.devices.map(\.id).filter { id in
            let (old, new) = (before[id]?.key(key), now[id]?.key(key))
            return old?.content != new?.content || old?.version != new?.version
        }
    }

    /// Where an expectation holds, found by running again what leads to each place, with the expectation behind it.
    private func until(expectation text: String) throws(DebugError) -> DebugReply {
        let steps = try compile([text], in: timeline.scenario)
        guard steps.count == 1, case .expect = steps[0].action else { throw DebugError("\"\(text)\" is no expectation") }
        func holds(after prefix: [ScenarioStep]) -> Bool {
            if case .passed = run(timeline.scenario.replacing(steps: prefix + steps)).outcome { true } else { false }
        }
        let all = timeline.scenario.steps
        let reached = timeline.story.steps.prefix { $0.outcome == .passed }.count
        let done = timeline.doneSteps(at: place)
        // A step that is under way ends later.
        for count in (done + 1)..<(max(done, reached) + 1) where holds(after: Array(all[..<count])) {
            let (first, last) = (timeline.place(afterSteps: count - 1), timeline.place(afterSteps: count))
            // Where time passes, some instant within the step was the first.
            if all[count - 1].letsTimePass {
                for place in (max(first, self.place) + 1)..<max(last, max(first, self.place) + 1) {
                    let span = timeline.story.snapshots[place].time - timeline.story.snapshots[first].time
                    let wait = ScenarioStep(.time(.wait(span)), range: all[count - 1].range, source: "wait \(span)")
                    if holds(after: Array(all[..<(count - 1)]) + [wait]) { return move(to: place) }
                }
            }
            return move(to: last)
        }
        throw DebugError("that holds at no place after this one")
    }
}

extension ScenarioStep {
    /// Whether nothing but time happens in it.
    fileprivate var letsTimePass: Bool {
        switch action {
        case .time(.wait), .time(.at), .time(.settle): true
        case .expect(let expectation): expectation.timing != .now
        default: false
        }
    }
}

extension DeviceSnapshot {
    func key(_ identifier: String) -> Key? { keys.first { $0.identifier == identifier } }
}
