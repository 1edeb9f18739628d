import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// The passing run that is nearest to a failing one, and where the two part.
///
/// Nearest is the same scenario in the plain order of ready work, where that passes; otherwise with one step less, of those that pass the one whose trace goes
/// longest with the failing one's. One in which nothing was held against the invariant, since an app does not run at the end, passes for no reason, and counts only
/// where there is no other. Two runs of one seed are the same up to what makes the difference, so the first event that only one of them has is the first
/// that comes of it. Of a run that differs from what another build makes of it (``Invariant/sameness``) it is the run there.
public struct PassingTwin: Sendable, Hashable {
    /// What the twin does otherwise, as the end of a sentence: `without step 2 (watch power loss)`.
    public let difference: String
    /// How many events the two have in common before they part, those before the first step included.
    public let sharedEvents: Int
    /// The first event that the failing run has and the twin has not at that place; `nil` where its trace ends there.
    public let failingEvent: String?
    /// The twin's event at that place; `nil` where its trace ends there.
    public let passingEvent: String?
    /// What both traces have from there on, as lines of a diff: `-` only the failing run, `+` only the twin, ` ` both. Where the twin is the run with another build, the
    /// other way round, as a diff of the two builds has it: `-` only there, `+` only here. At most ``diffLimit`` events of each are compared.
    public let diff: [String]

    /// How many events of each run are compared behind the place at which they part: a table of them grows with the square.
    public static let diffLimit = 400

    /// The twin of a failing scenario; `nil` where no scenario that is so near passes, or the runs differ in nothing that is recorded.
    init?(of scenario: Scenario, failing: CheckedResult, stepCount: Int, options: RunOptions) {
        let events = Self.story(failing.trace)
        var best: (difference: String, events: [TraceEvent], shared: Int, isHeld: Bool)?
        func isHeld(_ result: CheckedResult) -> Bool {
            guard let invariant = failing.violation?.invariant else { return true }
            return result.coverage.map { $0.count(of: .checks, named: invariant.rawValue) > 0 } ?? false
        }
        if let order = scenario.order, order != .firstInFirstOut {
            let result = CheckedRun.covered(scenario.replacing(order: .firstInFirstOut), options: options)
            if result.violation == nil {
                let other = Self.story(result.trace)
                best = ("in the plain order of ready work", other, Self.shared(events, other), isHeld(result))
            }
        }
        if best?.isHeld != true {
            for index in scenario.steps.indices.prefix(stepCount) {
                var steps = scenario.steps
                let step = steps.remove(at: index)
                let result = CheckedRun.covered(scenario.keeping(steps: steps), options: options)
                // Without a step that later ones need, a run passes since those cannot be made.
                guard result.violation == nil, Self.impossible(result) <= Self.impossible(failing) else { continue }
                let other = Self.story(result.trace)
                let shared = Self.shared(events, other)
                let isHeld = isHeld(result)
                guard best.map({ (isHeld ? 1 : 0, shared) > ($0.isHeld ? 1 : 0, $0.shared) }) ?? true else { continue }
                let text = step.action.notation.split(separator: "\n").first.map(String.init) ?? ""
                best = ("without step \(index + 1) (\(text))", other, shared, isHeld)
            }
        }
        guard let best, best.shared < max(events.count, best.events.count) else { return nil }
        difference = best.difference + (best.isHeld ? "" : ", in which nothing was left to check,")
        sharedEvents = best.shared
        failingEvent = events.dropFirst(best.shared).first.map(\.logLine)
        passingEvent = best.events.dropFirst(best.shared).first.map(\.logLine)
        diff = Self.diff(
            events.dropFirst(best.shared).prefix(Self.diffLimit).map(\.logLine),
            best.events.dropFirst(best.shared).prefix(Self.diffLimit).map(\.logLine))
    }

    /// What ``difference`` says of the same run with another build.
    public static let withOtherBuild = "with the other build"

    /// The same run with another build.
    init(here own: RunAccount, there theirs: RunAccount) {
        difference = Self.withOtherBuild
        sharedEvents = zip(own.events, theirs.events).prefix { $0 == $1 }.count
        failingEvent = own.events.dropFirst(sharedEvents).first
        passingEvent = theirs.events.dropFirst(sharedEvents).first
        diff = Self.diff(
            Array(theirs.events.dropFirst(sharedEvents).prefix(Self.diffLimit)),
            Array(own.events.dropFirst(sharedEvents).prefix(Self.diffLimit)))
    }

    /// In sentences, for a person.
    var sentences: [String] {
        [
            "A run \(difference) passes; the two part after \(sharedEvents) events: here `\(failingEvent ?? "the end of the run")`, there "
                + "`\(passingEvent ?? "the end of the run")`"
        ]
    }

    private static func impossible(_ result: CheckedResult) -> Int { result.outcomes.joined().count { $0 == .impossible } }

    /// Without the lines that say which step begins: their numbers differ.
    private static func story(_ trace: Trace) -> [TraceEvent] { trace.events.filter { $0.kind != .step } }

    private static func shared(_ one: [TraceEvent], _ other: [TraceEvent]) -> Int { zip(one, other).prefix { $0 == $1 }.count }

    /// The lines of two lists in one, by their longest common subsequence.
    static func diff(_ one: [String], _ other: [String]) -> [String] {
        var lengths = Array(repeating: Array(repeating: 0, count: other.count + 1), count: one.count + 1)
        for i in one.indices.reversed() {
            for j in other.indices.reversed() {
                lengths[i][j] = one[i] == other[j] ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
            }
        }
        var (i, j, lines) = (0, 0, [String]())
        while i < one.count || j < other.count {
            if i < one.count, j < other.count, one[i] == other[j] {
                lines.append("  \(one[i])")
                (i, j) = (i + 1, j + 1)
            } else if j == other.count || (i < one.count && lengths[i + 1][j] >= lengths[i][j + 1]) {
                lines.append("- \(one[i])")
                i += 1
            } else {
                lines.append("+ \(other[j])")
                j += 1
            }
        }
        return lines
    }
}
