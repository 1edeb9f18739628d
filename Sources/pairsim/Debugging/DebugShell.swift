import LocalData

/// A time-travel shell over one scenario: commands in, replies out. It knows neither a terminal nor files.
///
/// Every branch is run once, and kept; a place in it is looked up. Confined to the thread of the command.
final class DebugShell {
    private(set) var branches: [Timeline]
    private(set) var branch = 0
    private(set) var place = 0
    /// Where the last motion began, for what it brought.
    private(set) var origin = 0
    private(set) var watched: [String] = []
    private var repeatable: String?
    private var tried = 0
    let style: Style
    /// Runs a scenario with its story, or says why not.
    let run: (Scenario) -> ScenarioResult
    /// Writes a file that is not there yet.
    let save: (String, String) throws(DebugError) -> Void
    /// Those that the scenario was compiled with.
    let catalogs: [String: any StorageKeyCatalog]
    /// Whether the one who types is the only one who reads: what he typed is said again as he did.
    let isPersonal: Bool

    init(
        _ timeline: Timeline, style: Style, catalogs: [String: any StorageKeyCatalog], isPersonal: Bool = false,
        run: @escaping (Scenario) -> ScenarioResult, save: @escaping (String, String) throws(DebugError) -> Void
    ) {
        self.catalogs = catalogs
        self.isPersonal = isPersonal
        branches = [timeline]
        self.style = style
        self.run = run
        self.save = save
    }

    var timeline: Timeline { branches[branch] }
    var snapshot: RunSnapshot { timeline.story.snapshots[place] }

    // MARK: Commands

    /// Carries out one line. An empty one repeats the last motion.
    func execute(_ line: String) throws(DebugError) -> DebugReply {
        var text = line.trimmingWhitespace
        if text.isEmpty {
            guard let repeatable else { return DebugReply() }
            text = repeatable
        }
        guard text.first != "#" else { return DebugReply() }
        let word = String(text.prefix { !$0.isWhitespace })
        let rest = text.dropFirst(word.count).trimmingWhitespace
        guard let verb = DebugVerb(typed: word) else { throw unknown(word, rest) }
        let reply = try execute(verb, rest)
        repeatable = verb.isRepeated ? text : nil
        return reply
    }

    private func execute(_ verb: DebugVerb, _ rest: String) throws(DebugError) -> DebugReply {
        switch verb {
        case .step: return try step(try count(rest))
        case .back: return try step(-(try count(rest)))
        case .next: return try go(instants: try count(rest))
        case .prev: return try go(instants: -(try count(rest)))
        case .until: return try until(rest)
        case .list: return list(rest.isEmpty ? 9 : try count(rest))
        case .show: return try show(rest)
        case .events: return try events(rest)
        case .why: return try why(rest)
        case .watch: return try watch(rest)
        case .try: return try tryStep(rest)
        case .branch: return try branch(rest)
        case .save: return try saveBranch(rest)
        case .help: return try help(rest)
        case .quit: return DebugReply(isOver: true)
        }
    }

    private func unknown(_ word: String, _ rest: String) -> DebugError {
        // What is piped in may be anything.
        guard word.count <= 100 else { return DebugError("there is no command \"\(word.prefix(100))…\"; help lists them") }
        if !Vocabulary.continuations(after: [], in: Form.Topic.topLevel).isEmpty, Explanations.line(word + " " + rest) != nil {
            return DebugError("\"\(word)\" is no command; it begins a step", suggestion: "try \(word) \(rest)".trimmingWhitespace)
        }
        return DebugError(
            "there is no command \"\(word)\"; help lists them",
            suggestion: Suggestion.closest(to: word, among: DebugVerb.allCases.map(\.rawValue)))
    }

    func count(_ text: String) throws(DebugError) -> Int {
        guard !text.isEmpty else { return 1 }
        guard let number = Int(text), (1...1_000_000).contains(number) else {
            throw DebugError("\"\(text)\" is no number from 1 on")
        }
        return number
    }

    private func help(_ rest: String) throws(DebugError) -> DebugReply {
        guard rest.isEmpty else {
            guard let verb = DebugVerb(typed: rest) else { throw unknown(rest, "") }
            return DebugReply(lines: ["\(verb.rawValue) \(verb.form.arguments)".trimmingWhitespace, "  " + verb.form.help])
        }
        var lines: [String] = []
        for verb in DebugVerb.allCases {
            let letter = verb.letter.map { ", \($0)" } ?? ""
            lines.append(style.paint(verb.rawValue + letter, .bold) + " " + verb.form.arguments)
            lines.append("    " + verb.form.help)
        }
        return DebugReply(lines: lines + ["An empty line does the last motion again. A line that begins with # does nothing."])
    }

    // MARK: Moving

    /// Goes to a place, and says what lies between.
    func move(to target: Int, of branch: Int? = nil) -> DebugReply {
        let before = (self.branch, place)
        if let branch, branch != self.branch { self.branch = branch }
        origin = before.0 == self.branch ? before.1 : min(target, place)
        place = min(max(target, 0), timeline.last)
        var reply = DebugReply(lines: arrival())
        reply.lines += changesOfWatched(since: before.0 == self.branch ? before.1 : nil)
        return reply
    }

    /// Says where one is, and what came of the step there.
    func arrival() -> [String] {
        let done = timeline.doneSteps(at: place)
        let events = timeline.events(from: origin, through: place)
        let count = place == origin || place < origin ? "" : "  " + Plural.of(events.count, "event")
        if timeline.isWithinStep(at: place), let step = timeline.nextStep(at: place) {
            return [line(of: step, mark: "…") + style.paint("  within it, at \(timeText)\(count)", .dim)]
        }
        guard done > 0 else { return [style.paint("the start: \(timeText), no step has run", .dim)] }
        let step = timeline.story.steps[done - 1]
        var lines = [line(of: step, mark: step.outcome == .failed ? "✗" : "✓") + style.paint("  at \(timeText)\(count)", .dim)]
        if step.outcome == .failed { lines += failureLines(ofStep: done - 1) }
        if done == timeline.story.steps.count, step.outcome != .failed {
            lines.append(style.paint("the end: the run \(timeline.result.outcome.word)", .dim))
        }
        return lines
    }

    private func failureLines(ofStep index: Int) -> [String] {
        guard let failure = timeline.result.outcome.failure else { return [] }
        let mask = TextMask(timeline.scenario, showsValues: true)
        let action = timeline.scenario.steps.indices.contains(index) ? timeline.scenario.steps[index].action : nil
        func shown(_ text: String) -> String { SafeText.block(action.map { mask.text(text, of: $0) } ?? text) }
        var lines = ["      " + style.paint(shown(failure.message), .boldRed)]
        if let expected = failure.expected { lines.append("      expected  " + shown(expected)) }
        if let actual = failure.actual { lines.append("      actual    " + shown(actual)) }
        return lines
    }

    /// A step with its line, as a list has it.
    func line(of step: RunStory.Step, mark: String) -> String {
        let place = step.path == timeline.scenario.path ? "\(step.line)" : "\(step.path):\(step.line)"
        let text = step.text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " ; ")
        let paint: Style.Paint = step.outcome == .failed ? .red : .green
        return "\(style.paint(mark, paint)) \(SafeText.line(place))  \(SafeText.line(text))"
    }

    /// Seconds since the first step.
    var timeText: String { "\(timeline.time(at: place))" }

    /// Where one is: the file and the line of the next step, or of the one under way, and the time.
    var prompt: String {
        let name = branch == 0 ? "" : " branch \(branch)"
        guard let step = timeline.nextStep(at: place) else { return "\(SafeText.line(timeline.scenario.path)) end\(name) \(timeText)> " }
        return "\(SafeText.line(step.path)):\(step.line)\(name) \(timeText)> "
    }

    /// The same for programs.
    var position: JSONValue {
        let next = timeline.nextStep(at: place)
        return .object([
            "branch": .number(Int64(branch)), "path": .optional(next?.path), "line": .optional(next?.line),
            "steps": .number(Int64(timeline.doneSteps(at: place))), "isWithinStep": .flag(timeline.isWithinStep(at: place)),
            "microseconds": .number(timeline.time(at: place).microseconds), "events": .number(Int64(snapshot.eventCount)),
            "outcome": .text(timeline.result.outcome.word),
        ])
    }

    // MARK: Watching

    private func watch(_ rest: String) throws(DebugError) -> DebugReply {
        guard !rest.isEmpty else {
            return DebugReply(lines: watched.isEmpty ? ["no key is watched"] : watched.map { "watching \($0)" })
        }
        let key = try key(named: rest)
        guard let index = watched.firstIndex(of: key) else {
            watched.append(key)
            return DebugReply(lines: ["watching \(SafeText.line(key))"] + keyLines(of: key))
        }
        watched.remove(at: index)
        return DebugReply(lines: ["no longer watching \(SafeText.line(key))"])
    }

    private func changesOfWatched(since before: Int?) -> [String] {
        guard let before else { return [] }
        let old = timeline.story.snapshots[before]
        return watched.flatMap { key in
            snapshot.devices.compactMap { device in
                guard let now = device.keys.first(where: { $0.identifier == key }),
                    let then = old[device.id]?.keys.first(where: { $0.identifier == key }), now != then
                else { return nil }
                return "  \(device.id) \(SafeText.line(key)): \(text(of: then)) → \(style.paint(text(of: now), .bold))"
            }
        }
    }

    func key(named name: String) throws(DebugError) -> String {
        let known = timeline.story.keys
        if let key = known.first(where: { $0 == name }) { return key }
        throw DebugError(
            known.isEmpty ? "the scenario has no keys" : "there is no key \"\(name)\"; the keys are \(known.joined(separator: ", "))",
            suggestion: Suggestion.closest(to: name, among: known))
    }

    // MARK: Branches

    func add(_ timeline: Timeline) -> Int {
        branches.append(timeline)
        return branches.count - 1
    }

    func nextTryNumber() -> Int {
        tried += 1
        return tried
    }
}
