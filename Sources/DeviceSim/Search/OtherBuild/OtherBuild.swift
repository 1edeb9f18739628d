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
    /// - Returns: `nil` where it cannot say: the text means nothing to it, its run was given up, or it has ended. Nothing is held against that run.
    func account(of scenario: String, isWhole: Bool) -> RunAccount?
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
        guard let theirs = other.account(of: text, isWhole: false), isMeasure(theirs) else {
            return result.breaking(nil)
        }
        var compared = result.breaking(theirs.fingerprint == own.fingerprint ? nil : violation(of: scenario, text))
        compared.coverage?.note(.checks, Invariant.sameness.rawValue)
        return compared
    }

    /// Where a run as it was drawn differs.
    private func violation(of scenario: Scenario, _ text: String) -> Violation? {
        guard let (own, theirs) = accounts(of: text) else { return nil }
        return Violation(.sameness, step: scenario.steps.count, explanation: own.differences(from: theirs))
    }

    /// What both builds make of a text, where they differ. One that breaks an invariant here is told of as that; one that does there is no measure.
    func accounts(of text: String) -> (own: RunAccount, theirs: RunAccount)? {
        // What is drawn is what its text says, but for what the text leaves out.
        guard let own = RunAccount(ofText: text, options: options, isWhole: true), isMeasure(own),
            let theirs = other.account(of: text, isWhole: true), isMeasure(theirs), theirs.fingerprint != own.fingerprint
        else { return nil }
        return (own, theirs)
    }

    private func isMeasure(_ account: RunAccount) -> Bool { account.broken == nil || !holdsInvariants }

    static func text(of scenario: Scenario) -> String { scenario.notation(header: ["A run that another build makes too."]) }
}

extension RunAccount {
    /// In what a run differs from what another build makes of it, in sentences. The first says which kind of difference it is, the same for runs of other keys and
    /// other lengths.
    func differences(from other: RunAccount) -> [String] {
        let shared = zip(events, other.events).prefix { $0 == $1 }.count
        if shared < max(events.count, other.events.count) {
            let place = shared < kinds.count ? kinds[shared] : "the end"
            return [
                "another event than with the other build, at \(place)",
                "the two part after \(shared) events: here \(Self.quoted(events, shared)), there \(Self.quoted(other.events, shared))",
            ]
        }
        let answer = zip(answers, other.answers).prefix { $0 == $1 }.count
        if answer < max(answers.count, other.answers.count) {
            return ["the same events, and another answer than with the other build", Self.sentence(answers, other.answers, answer)]
        }
        return ["the same events and answers, and another thing lies on a device than with the other build"] + differingThings(other)
    }

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
