import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// Another build of the tool, such as the one before a change, which makes the same runs (differential testing; McKeeman, "Differential Testing for Software",
/// 1998).
///
/// Called from any thread, by several at once; blocks until the answer is there.
public protocol OtherBuild: Sendable {
    /// What the scenario comes to there.
    /// - Parameters:
    ///   - scenario: The text of one.
    ///   - isWhole: False where only the fingerprint is asked for.
    ///   - waiting: Called now and then, at least ten times a second, on the calling thread, while the answer is not there.
    func account(of scenario: String, isWhole: Bool, waiting: () -> Void) -> OtherAnswer
}

/// What another build says of a run.
public enum OtherAnswer: Sendable, Hashable {
    /// What the run came to there.
    case account(RunAccount)
    /// It does not say, for that reason. Nothing is held against the run.
    case none(RunComparison.Obstacle)
}

/// Whether a run was held against what another build makes of it.
public enum RunComparison: Sendable, Hashable {
    /// It was.
    case made
    /// It was not, for that reason.
    case notMade(Obstacle)

    /// Why it was not.
    public enum Obstacle: String, Sendable, CaseIterable {
        /// The text means nothing to the other build, or it gave the run up.
        case unknown
        /// The other build ended, or said something else.
        case ended
        /// The other build took too long.
        case late
        /// The run broke an invariant there, which it keeps here: that is no measure.
        case brokenThere
    }
}

/// Holds runs to ``Invariant/sameness``: they come out as another build has them.
struct BuildComparison: Sendable {
    let other: any OtherBuild
    let options: RunOptions
    /// Whether a run that breaks an invariant is told of as that. Of a scenario without keys nothing else is held than that both builds do the same.
    var holdsInvariants = true

    /// A run under all checks, with what it showed.
    func run(_ scenario: Scenario, extent: RunExtent? = nil, isCounting: Bool = false) -> CheckedResult {
        let witness = RunWitness()
        let result = CheckedRun.run(scenario, options: options, extent: extent, isCounting: isCounting, probe: witness)
        guard result.violation == nil || !holdsInvariants, result.violation?.isStall != true else { return result }
        let own = RunAccount(result, witness, isWhole: false)
        let text = Self.text(of: scenario)
        switch ask(text, isWhole: false) {
        case .none(let obstacle): return result.breaking(nil, .notMade(obstacle))
        case .account(let theirs) where theirs.fingerprint == own.fingerprint: return looked(result.breaking(nil, .made))
        case .account: break
        }
        switch accounts(of: text) {
        case .success(let accounts):
            // Where the two agree over the text, it leaves out what made the difference.
            let violation = accounts.map {
                Violation(.sameness, step: scenario.steps.count, explanation: $0.own.differences(from: $0.theirs))
            }
            return looked(result.breaking(violation, .made))
        case .failure(let silence): return result.breaking(nil, .notMade(silence.obstacle))
        }
    }

    /// What both builds make of a text, where they differ.
    func differing(over text: String) -> (own: RunAccount, theirs: RunAccount)? {
        if case .success(let accounts) = accounts(of: text) { accounts } else { nil }
    }

    private func looked(_ result: CheckedResult) -> CheckedResult {
        var result = result
        result.coverage?.note(.checks, Invariant.sameness.rawValue)
        return result
    }

    private struct Silence: Error {
        let obstacle: RunComparison.Obstacle
    }

    /// What both builds make of a text; `nil` where they agree. One that breaks an invariant here is told of as that; one that does there is no measure.
    private func accounts(of text: String) -> Result<(own: RunAccount, theirs: RunAccount)?, Silence> {
        // What is drawn is what its text says, but for what the text leaves out.
        guard let own = RunAccount(ofText: text, options: options, isWhole: true), isMeasure(own) else {
            return .failure(Silence(obstacle: .unknown))
        }
        switch ask(text, isWhole: true) {
        case .none(let obstacle): return .failure(Silence(obstacle: obstacle))
        case .account(let theirs): return .success(theirs.fingerprint == own.fingerprint ? nil : (own, theirs))
        }
    }

    /// The watchdog looks for code of the run's that does not end. Waiting for the other build is none.
    private func ask(_ text: String, isWhole: Bool) -> OtherAnswer {
        let answer = other.account(of: text, isWhole: isWhole) { options.watch?.waits() }
        if case .account(let theirs) = answer, !isMeasure(theirs) { return .none(.brokenThere) }
        return answer
    }

    private func isMeasure(_ account: RunAccount) -> Bool { account.broken == nil || !holdsInvariants }

    static func text(of scenario: Scenario) -> String { scenario.notation(header: ["A run that another build makes too."]) }
}

extension RunAccount {
    /// In what a run differs from what another build makes of it, in sentences. The first says which kind of difference it is, the same for runs of other keys and
    /// other lengths.
    func differences(from other: RunAccount) -> [String] {
        let (mine, theirs) = (comparableEvents, other.comparableEvents)
        let shared = zip(mine, theirs).prefix { $0 == $1 }.count
        if shared < max(mine.count, theirs.count) {
            return [
                Self.kindOfDifference(mine, kinds, theirs, other.kinds, after: shared),
                "the two part after \(shared) events: here \(Self.quoted(events, shared)), there \(Self.quoted(other.events, shared))",
            ]
        }
        let answer = zip(answers, other.answers).prefix { $0 == $1 }.count
        if answer < max(answers.count, other.answers.count) {
            return ["the same events, and another answer than with the other build", Self.sentence(answers, other.answers, answer)]
        }
        if things != other.things {
            return ["the same events and answers, and another thing lies on a device than with the other build"] + differingThings(other)
        }
        let fault = zip(events, other.events).prefix { $0 == $1 }.count
        guard fault < events.count, fault < other.events.count else { return ["the run comes out otherwise than with the other build"] }
        return [
            "the same events, answers and things, and another number of storage operations than with the other build",
            "`number` counts those of the device up to a fault: here \(Self.quoted(events, fault)), there \(Self.quoted(other.events, fault))",
        ]
    }

    /// The events without how many storage operations came before a fault: one operation more or less shows in each later one.
    private var comparableEvents: [String] {
        zip(events, kinds).map { event, kind in
            guard kind == TraceEvent.Kind.fault.rawValue, let number = event.range(of: " number="),
                let end = event[number.upperBound...].firstIndex(of: " ")
            else { return event }
            return String(event[..<number.lowerBound] + event[end...])
        }
    }

    /// Whether one of the two has an event more, and which: the runs go on alike behind it.
    private static func kindOfDifference(
        _ mine: [String], _ myKinds: [String], _ theirs: [String], _ theirKinds: [String], after shared: Int
    ) -> String {
        func distance(of event: String?, in events: [String]) -> Int? {
            guard let event else { return nil }
            return events.dropFirst(shared).prefix(lookahead).firstIndex(of: event)
        }
        let (own, their) = (mine.dropFirst(shared).first, theirs.dropFirst(shared).first)
        let (myKind, theirKind) = (myKinds.dropFirst(shared).first, theirKinds.dropFirst(shared).first)
        switch (distance(of: own, in: theirs), distance(of: their, in: mine)) {
        case (let place?, let other) where place <= other ?? .max: return missing(theirKind)
        case (_, _?): return additional(myKind)
        default:
            guard let myKind else { return missing(theirKind) }
            guard let theirKind else { return additional(myKind) }
            return myKind == theirKind ? "another \(myKind) than with the other build" : "\(myKind) where the other build has \(theirKind)"
        }
    }

    private static func missing(_ kind: String?) -> String { "one \(kind ?? "event") less than with the other build" }
    private static func additional(_ kind: String?) -> String { "one \(kind ?? "event") more than with the other build" }

    /// How many events further the run that has one more may go on alike.
    private static let lookahead = 200

    private func differingThings(_ other: RunAccount) -> [String] {
        let theirs = Dictionary(other.things.map { ($0.place, $0) }, uniquingKeysWith: { first, _ in first })
        let mine = Set(things.map(\.place))
        let here = things.compactMap { thing -> String? in
            guard let their = theirs[thing.place] else { return "here, and not there: \(thing.place), \(thing.size) B" }
            guard their != thing else { return nil }
            if their.standing != thing.standing {
                return "\(thing.place): here \(Self.shown(thing.standing)), there \(Self.shown(their.standing))"
            }
            return "\(thing.place): " + (their.size == thing.size ? "other bytes" : "here \(thing.size) B, there \(their.size) B")
        }
        return here + other.things.filter { !mine.contains($0.place) }.map { "there, and not here: \($0.place), \($0.size) B" }
    }

    /// An answer may have many lines: the first that differs says it.
    private static func sentence(_ own: [Answer], _ theirs: [Answer], _ place: Int) -> String {
        func lines(_ answers: [Answer]) -> [String] {
            answers.dropFirst(place).first.map { $0.text.split(separator: "\n").map(String.init) } ?? []
        }
        let (own, theirs) = (lines(own), lines(theirs))
        let line = zip(own, theirs).prefix { $0 == $1 }.count
        guard line < max(own.count, theirs.count) else { return "another value here than there: \(quoted(own, 0))" }
        return "\(line > 0 ? "in `\(own[0])`: " : "")here \(quoted(own, line)), there \(quoted(theirs, line))"
    }

    private static func shown(_ standing: String) -> String { standing.isEmpty ? "nothing besides" : standing }

    private static func quoted(_ lines: [String], _ place: Int) -> String {
        place < lines.count ? "`\(lines[place])`" : "the end"
    }
}
