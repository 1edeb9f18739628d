/// What the page's script reads of a run.
struct StoryData {
    private var pool: [JSONValue] = []
    private var places: [String: Int] = [:]
    private var states: [JSONValue] = []
    private var statePlaces: [[Int]: Int] = [:]

    /// Everything that the script of a page reads.
    static func document(of records: [RunRecord], version: String) -> String {
        var kinds: Set<TraceEvent.Kind> = []
        let stories = records.compactMap { record -> JSONValue? in
            guard let told = record.told else { return nil }
            kinds.formUnion(told.story.trace.events.map(\.kind))
            var data = StoryData()
            return data.value(of: record, told)
        }
        let meanings = Dictionary(uniqueKeysWithValues: kinds.map { ($0.rawValue, JSONValue.text($0.meaning)) })
        let value = JSONValue.object([
            "version": .number(1), "tool": .text(version), "meanings": .object(meanings), "stories": .list(stories),
        ])
        // Inside of a script element nothing but this sign can end it.
        return value.renderedOnOneLine().replacing("<", with: "\\u003c")
    }

    private mutating func value(of record: RunRecord, _ told: ToldRun) -> JSONValue {
        let story = told.story
        let looks = story.snapshots.map { look -> JSONValue in
            .object([
                "time": .number(look.time.microseconds),
                "devices": .list(look.devices.map { .number(Int64(state(StateEntries.of($0, in: look)))) }),
            ])
        }
        let kinds = Array(Set(story.trace.events.map(\.kind))).sorted { $0.rawValue < $1.rawValue }
        let numbers = Dictionary(uniqueKeysWithValues: kinds.enumerated().map { ($1, $0) })
        let stepLooks = story.steps.indices.map { story.snapshot(afterStep: $0) ?? -1 }
        var members: [String: JSONValue] = [
            "name": text(story.name), "title": text(story.title), "seed": text("\(story.seed)"), "order": text(story.order.description),
            "ok": .flag(record.isGreen), "headline": text(record.isGreen ? "passed" : record.headline), "replay": text(record.replay),
            "devices": .list(story.devices.map { .text($0.description) }), "keys": .list(story.keys.map(text)),
            "kinds": .list(kinds.map { .text($0.rawValue) }), "eventCount": .number(Int64(story.trace.events.count)),
            "events": .list(events(of: told, numbers)), "looks": .list(looks), "notes": .list(notes(of: told, record)),
            "steps": .list(story.steps.enumerated().map { step($1, of: story, look: stepLooks[$0]) }),
        ]
        // As events name them.
        let names = story.snapshots.first?.devices.first?.keys.map(\.name) ?? story.keys
        members["keyNames"] = .list(names.map(text))
        members["pool"] = .list(pool)
        members["states"] = .list(states)
        if let failure = record.failure { add(failure, of: story, to: &members) }
        if let nearest = told.nearest {
            members["nearest"] = .object([
                "text": text(nearest.text), "event": .number(Int64(nearest.event ?? -1)), "here": text(nearest.here),
                "there": text(nearest.there),
            ])
        }
        return .object(members)
    }

    /// What the failure says, without what it says of a secret.
    private func add(_ failure: ScenarioFailure, of story: RunStory, to members: inout [String: JSONValue]) {
        let failed = story.steps.first { $0.outcome == .failed }
        members["line"] = .optional(failure.line)
        members["phase"] = .optional(failure.phase.map(SafeText.block))
        members["source"] = .optional((failed?.text ?? failure.source).map(SafeText.block))
        members["expected"] = .optional((failed?.expected ?? failure.expected).map(SafeText.block))
        members["actual"] = .optional((failed?.actual ?? failure.actual).map(SafeText.block))
    }

    private func notes(of told: ToldRun, _ record: RunRecord) -> [JSONValue] {
        var notes: [String] = []
        if told.firstEvent > 0 {
            notes.append(
                "The run has \(told.story.trace.events.count) events. The first \(told.firstEvent) are left out here; --trace writes all.")
        }
        if told.story.isCut { notes.append("The devices were looked at \(told.story.snapshots.count) times, and not after every instant.") }
        if !record.unobserved.isEmpty {
            notes.append("Failures that no code was told of:\n" + record.unobserved.prefix(5).map { "\($0)" }.joined(separator: "\n"))
        }
        if !record.untriggered.isEmpty {
            notes.append(
                "Faults that were not triggered in this run:\n" + record.untriggered.prefix(5).map { "\($0)" }.joined(separator: "\n"))
        }
        return notes.map { text($0) }
    }

    private func step(_ step: RunStory.Step, of story: RunStory, look: Int) -> JSONValue {
        var members: [String: JSONValue] = [
            "line": .number(Int64(step.line)), "text": text(step.text), "outcome": .text(step.outcome.rawValue),
            "expect": .flag(step.isExpectation), "look": .number(Int64(look)),
        ]
        if step.path != story.path { members["path"] = text(step.path) }
        if let phase = step.phase { members["phase"] = text(phase) }
        if let message = step.message { members["message"] = text(message) }
        return .object(members)
    }

    private func events(of told: ToldRun, _ kinds: [TraceEvent.Kind: Int]) -> [JSONValue] {
        let story = told.story
        var look = 0
        var step = 0
        return story.trace.events.enumerated().compactMap { number, event in
            while look < story.snapshots.count, story.snapshots[look].eventCount <= number { look += 1 }
            while step < story.steps.count, story.steps[step].events.upperBound <= number { step += 1 }
            guard number >= told.firstEvent else { return nil }
            let isInStep = step < story.steps.count && story.steps[step].events.contains(number)
            let cause = story.causes[number]
            return .list([
                .number(Int64(number)), .number(event.time.microseconds),
                .number(Int64(event.device.flatMap { story.devices.firstIndex(of: $0) } ?? -1)), .number(Int64(event.process ?? 0)),
                .number(Int64(kinds[event.kind] ?? 0)), text(EventText.facts(of: event)), .number(Int64(cause.carried ?? -1)),
                .number(Int64(cause.trigger ?? -1)), .number(Int64(isInStep ? step : -1)),
                .number(Int64(look < story.snapshots.count ? look : -1)),
            ])
        }
    }

    // MARK: What is the same is there once

    private mutating func state(_ entries: [StateEntries.Entry]) -> Int {
        let numbers = entries.map { entry in
            let key = "\(entry.group)\u{0}\(entry.name)\u{0}\(entry.text)"
            if let place = places[key] { return place }
            places[key] = pool.count
            pool.append(.list([.text(entry.group), text(entry.name), text(entry.text)]))
            return pool.count - 1
        }
        if let place = statePlaces[numbers] { return place }
        statePlaces[numbers] = states.count
        states.append(.list(numbers.map { .number(Int64($0)) }))
        return states.count - 1
    }

    /// No text of a run makes the page large by itself.
    private static let textLimit = 2_000

    private func text(_ text: String) -> JSONValue {
        let isLong = text.utf8.count > Self.textLimit
        return .text(SafeText.block(isLong ? text.prefix(Self.textLimit) + "…" : text))
    }
}

/// An event as words.
enum EventText {
    /// What it says beside its kind, as logs show it.
    static func facts(of event: TraceEvent) -> String {
        guard !event.facts.isEmpty, let line = TraceEvent.log(of: [event]).first, let range = line.firstRange(of: event.kind.rawValue)
        else {
            return ""
        }
        return String(line[range.upperBound...].drop { $0 == " " })
    }
}
