/// What came of one run, or of a file that could not be run, judged by what was to be expected of it.
struct RunRecord: Sendable {
    /// What happened, whatever should have.
    enum Outcome: String, Sendable, CaseIterable {
        case passed, failed, unparsable, cannotRun, notDeterministic, didNotSettle

        var status: ExitStatus {
            switch self {
            case .passed: .passed
            case .failed: .failed
            case .unparsable: .unparsable
            case .cannotRun: .cannotRun
            case .notDeterministic: .notDeterministic
            case .didNotSettle: .didNotSettle
            }
        }
    }

    /// Its number among everything that is selected, by all shards together; `nil` where a report does not say.
    var position: Int?
    let name: String
    let path: String
    let title: String
    var tags: [String] = []
    var rules: [String] = []
    /// `nil` for a file that was not run.
    var variation: RunVariation?
    /// Whether the scenario runs more than once in this invocation.
    var isVaried = false
    /// The row of the table of examples, as written.
    var rowLabel: String?
    /// The status that the scenario must fail with.
    var canary: Int?
    /// Why a canary that ended with its status did not fail as it must, such as in its set-up.
    var canaryObjection: String?
    var outcome: Outcome
    var failure: ScenarioFailure?
    var problems: [FileProblem] = []
    /// How often the scenario ran for this: more than once where steps crash at every operation.
    var repetitions = 1
    var steps = 0
    var duration = VirtualDuration.zero
    var fingerprint: TraceFingerprint?
    /// The failures that no code of the apps was told of, and that the scenario did not expect.
    var unobserved: [UnobservedFailure] = []
    /// Of a run that came to its end, or as a canary to where it must fail: the faults that it set and that no operation came to.
    var untriggered: [UntriggeredFault] = []
    /// Of any other: the faults that an operation came to.
    var triggered: [UntriggeredFault] = []
    /// By the wall clock.
    var seconds = 0.0
    /// The command that makes this run again.
    var replay: String
    /// Of a run that was not to go to its end: where it passed up to.
    var earlyEnd: EarlyEnd?
    /// The run with what a picture of it needs, where a report wants one.
    var told: ToldRun?
    /// What a report that was read tells of the run, where there is no more of it.
    var retold: Retold?

    /// Where `--until` ended a run.
    struct EarlyEnd: Sendable, Hashable {
        /// The line behind which no step was run.
        let line: Int
        /// How many steps were not run for that.
        let steps: Int

        var text: String { "ended behind line \(line), \(Plural.of(steps, "step")) not run" }
    }

    struct Retold: Sendable {
        var headline = ""
        var line: Int?
        /// Of the failure.
        var text: [String] = []
        /// The failures that nobody observed and the faults that were not triggered, as text.
        var output = ""
        /// The faults that were not triggered, and those of a run that did not come to its end that were, each as one line.
        var untriggered: [String] = []
        var triggered: [String] = []
        /// What a JUnit report says of the case.
        var properties: [(name: String, value: String)] = []
    }
}

extension RunRecord {
    /// Of a file that cannot be run.
    init(of file: SelectedFile, number: Int) {
        self.init(
            position: number, name: file.path, path: file.path, title: "",
            outcome: file.problems.contains { $0.kind == .access } ? .cannotRun : .unparsable, problems: file.problems,
            replay: "pairsim check \(ShellWord.quoted(file.path))")
    }

    /// Whether it is as it should be: passed, or failed as a canary must.
    var isGreen: Bool {
        canary.map { outcome != .passed && $0 == Int(outcome.status.rawValue) && canaryObjection == nil } ?? (outcome == .passed)
    }

    /// What the run adds to the exit status.
    var status: ExitStatus {
        guard !isGreen else { return .passed }
        return outcome == .passed ? .failed : outcome.status
    }

    /// What is wrong, in one sentence.
    var headline: String {
        if let retold { return retold.headline }
        if let problem = problems.first {
            return problems.count == 1 ? problem.message : "\(problem.message) (and \(problems.count - 1) more)"
        }
        let happened = failure.map(\.message) ?? outcome.status.phrase
        guard let canary else { return happened }
        let stated = ExitStatus(rawValue: Int32(clamping: canary)).map(\.phrase) ?? "unknown"
        guard outcome != .passed else { return "this canary must fail with status \(canary) (\(stated)), but it passed" }
        if let canaryObjection { return "\(canaryObjection): \(happened)" }
        return "this canary must fail with status \(canary) (\(stated)), but its status is \(outcome.status.rawValue): \(happened)"
    }

    /// The file at fault, which may be an included one.
    var faultPath: String { failure?.path ?? problems.first?.path ?? path }
    var line: Int? { failure?.line ?? problems.first?.line ?? retold?.line }
    var column: Int? { failure?.column ?? problems.first?.column }

    var folder: String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }

    /// What the name has after the path: the row of a table of examples, in brackets.
    var row: String { name.hasPrefix(path) ? String(name.dropFirst(path.count)) : "" }

    /// Seed and order, where the scenario runs under several.
    var variationText: String? {
        guard isVaried, let variation else { return nil }
        return variation.order == 0 ? "seed \(variation.seed)" : "seed \(variation.seed), order \(variation.order)"
    }

    /// The name within the folder.
    var caseName: String {
        let file = name.hasPrefix(folder + "/") ? String(name.dropFirst(folder.count + 1)) : name
        return variationText.map { "\(file) (\($0))" } ?? file
    }
}

/// How many runs came out how.
struct RunSummary: Sendable {
    private(set) var passed = 0
    /// Of those passed, the ones that failed as they must.
    private(set) var canaries = 0
    /// Of those passed, the ones that were not to go to their end, and how many of their steps were not run.
    private(set) var endedEarly = 0
    private(set) var stepsNotRun = 0
    private var earlyEnds: Set<Int> = []
    var notRun = 0
    private var bad: [RunRecord.Outcome: Int] = [:]
    private(set) var statuses: Set<ExitStatus> = []

    mutating func count(_ record: RunRecord) {
        statuses.insert(record.status)
        guard !record.isGreen else {
            passed += 1
            canaries += record.canary == nil ? 0 : 1
            if let end = record.earlyEnd {
                endedEarly += 1
                stepsNotRun += end.steps
                earlyEnds.insert(end.line)
            }
            return
        }
        // A canary that passes has failed.
        bad[record.outcome == .passed ? .failed : record.outcome, default: 0] += 1
    }

    subscript(outcome: RunRecord.Outcome) -> Int { bad[outcome] ?? 0 }

    var failures: Int { bad.values.reduce(0, +) }

    /// `43 passed (3 canaries), 0 failed, 1 does not parse`
    var text: String {
        var parts = ["\(passed) passed"]
        if canaries > 0 { parts[0] += " (\(canaries) \(canaries == 1 ? "canary" : "canaries"))" }
        parts.append("\(self[.failed]) failed")
        let unparsable = self[.unparsable]
        if unparsable > 0 { parts.append("\(unparsable) \(unparsable == 1 ? "does" : "do") not parse") }
        if self[.didNotSettle] > 0 { parts.append("\(self[.didNotSettle]) did not settle") }
        if self[.notDeterministic] > 0 { parts.append("\(self[.notDeterministic]) not deterministic") }
        if self[.cannotRun] > 0 { parts.append("\(self[.cannotRun]) cannot run") }
        if notRun > 0 { parts.append("\(notRun) not run") }
        if endedEarly > 0 {
            // One line, unless reports of several invocations are joined.
            let place = earlyEnds.count == 1 ? earlyEnds.first.map { " behind line \($0)" } ?? "" : ""
            parts.append("\(endedEarly) ended early\(place) (\(Plural.of(stepsNotRun, "step")) not run)")
        }
        return parts.joined(separator: ", ")
    }
}

/// What a report of runs is written from.
struct RunReport: Sendable {
    /// In the order of the whole invocation.
    let records: [RunRecord]
    let summary: RunSummary
    /// Of the whole invocation, by the wall clock.
    let seconds: Double
    let seed: UInt64
    var status: ExitStatus
    /// The part that this is; `nil` for the whole.
    var shard: Shard?
    /// What all parts together are; `nil` where a report does not say.
    var extent: SelectionExtent?
    /// How many runs are not told for being too many.
    var untold = 0
    /// Of the tool that made the runs.
    var version = HelpText.versionNumber
    /// How many runs a report that was read says that it has; `nil` where it does not say, or was not read.
    var statedCount: Int?
    /// The faults that no run of a scenario triggered, of the scenarios all of whose runs are in here.
    var neverTriggered: [FaultTally.Entry] = []
}
