import Foundation

/// Makes one run of a plan, on whichever thread calls it.
struct RunWorker: Sendable {
    struct Output: Sendable {
        var record: RunRecord
        /// The trace as a file, when somebody wants to keep it.
        var trace: [UInt8]?
    }

    let plan: RunPlan
    let engine: ScenarioEngine
    let keepsTrace: Bool
    let needsFingerprint: Bool
    let seconds: @Sendable () -> Double
    let sweeps: SweepBoard

    /// - Parameter giveUp: Called on another thread if the run does not come to its end. What this one returns then is of no use.
    func run(_ index: Int, givingUp giveUp: @escaping @Sendable (Output) -> Void) -> Output {
        var (scenario, variation) = plan.run(index)
        scenario.seed = variation.seed
        CrashGuard.setName(scenario.name)
        let begin = seconds()
        guard let limit = plan.settings.stuckAfter else { return run(scenario, variation, index, watch: nil) }
        let watch = RunWatch()
        return Watchdog.watch(watch, limit: limit) { [scenario, variation] stall in
            var record = record(of: scenario, variation, index)
            record.outcome = .didNotSettle
            let failure = scenario.failure(stall)
            record.failure = failure
            record.canaryObjection = scenario.canaryObjection(to: .didNotSettle(failure))
            record.seconds = seconds() - begin
            sweeps.end(index)
            giveUp(Output(record: record, trace: nil))
        } _: {
            run(scenario, variation, index, watch: watch)
        }
    }

    private func run(_ scenario: Scenario, _ variation: RunVariation, _ index: Int, watch: RunWatch?) -> Output {
        let begin = seconds()
        var options = options(variation)
        options.stuckAfter = plan.settings.stuckAfter
        options.watch = watch
        options.crashPointProgress = { sweeps.note($0, of: index) }
        if keepsTrace { options.story = StoryRequest(showsValues: plan.settings.showsValues, takesSnapshots: false) }
        let result = engine.run(scenario, options)
        sweeps.end(index)
        var record = record(of: scenario, variation, index)
        record.repetitions = result.runCount
        record.steps = result.stepCount
        record.duration = result.duration
        record.apply(result, of: scenario, events: plan.settings.events)
        if record.outcome == .passed { record.earlyEnd = plan.earlyEnd(of: index) }
        let needsJSON = needsFingerprint || plan.settings.isRepeated
        let json = needsJSON ? result.trace.json() : nil
        if let json, plan.settings.isRepeated {
            let again = engine.run(scenario, options)
            if again.trace.json() != json || again.runCount != result.runCount { record.note(difference: result.trace, again.trace) }
        }
        if record.isWhole { record.untriggered = result.untriggeredFaults } else { record.triggered = result.triggeredFaults }
        record.fingerprint = json.map { TraceFingerprint(of: $0) }
        record.seconds = seconds() - begin
        return Output(record: record, trace: keepsTrace ? result.story?.traceJSON() ?? result.trace.json() : nil)
    }

    /// The run once more, with what a picture of it needs.
    func told(_ index: Int, comparing: Bool, isOver: @escaping @Sendable () -> Bool) -> ToldRun? {
        var (scenario, variation) = plan.run(index)
        scenario.seed = variation.seed
        var options = options(variation)
        options.stuckAfter = plan.settings.stuckAfter
        let teller = RunTeller(engine: engine, showsValues: plan.settings.showsValues, isOver: isOver)
        return teller.tell(scenario, options, comparing: comparing)
    }

    private func record(of scenario: Scenario, _ variation: RunVariation, _ index: Int) -> RunRecord {
        RunRecord(
            position: plan.position(of: index), name: scenario.name, path: scenario.path, title: scenario.header.title,
            tags: scenario.header.tags,
            rules: scenario.header.rules,
            variation: variation, isVaried: plan.isVaried, rowLabel: scenario.row, canary: scenario.header.canary, outcome: .passed,
            replay: replay(scenario, variation))
    }

    private func options(_ variation: RunVariation) -> RunOptions {
        var options = RunOptions()
        options.seed = variation.seed
        options.order = variation.readyOrder
        if let limit = plan.settings.crashPoints { options.crashPointLimit = limit }
        if let roots = plan.settings.roots {
            // Runs of one scenario at the same time must not share their files.
            let folder = plan.isVaried ? "\(roots)/seed-\(variation.seed).order-\(variation.order)" : roots
            options.root = URL(fileURLWithPath: folder, isDirectory: true)
        }
        return options
    }

    private func replay(_ scenario: Scenario, _ variation: RunVariation) -> String {
        let path = scenario.path != "-" && scenario.path.hasPrefix("-") ? "./" + scenario.path : scenario.path
        // A row is the name without the path: `[2]`.
        let row = scenario.name.hasPrefix(scenario.path) && scenario.path != "-" ? String(scenario.name.dropFirst(scenario.path.count)) : ""
        var line = "pairsim run \(ShellWord.quoted(path + row)) --seed \(variation.seed)"
        if variation.order != 0 { line += " --order \(variation.order)" }
        if scenario.path == "-", scenario.name != "-" {
            line += " --filter \(ShellWord.quoted(String(scenario.name.dropFirst(scenario.path.count))))"
        }
        return line + plan.settings.replayOptions(for: variation)
    }
}

extension RunRecord {
    fileprivate mutating func apply(_ result: ScenarioResult, of scenario: Scenario, events: Int?) {
        unobserved = result.unobservedFailures
        canaryObjection = result.canaryObjection
        switch result.outcome {
        case .passed: outcome = .passed
        case .failed(let failure): set(.failed, failure, result.trace)
        case .didNotSettle(let failure): set(.didNotSettle, failure, result.trace)
        case .notDeterministic(let failure): set(.notDeterministic, failure, result.trace)
        case .cannotRun(let failure): set(.cannotRun, failure, result.trace)
        }
        if let events { failure = failure?.with(lastEvents: result.trace.lastEvents(events)) }
        // Whoever chose these events knows nothing of secrets.
        if let lines = failure?.lastEvents { failure = failure?.with(lastEvents: SecretMarks.marked(lines, of: scenario)) }
    }

    private mutating func set(_ outcome: Outcome, _ failure: ScenarioFailure, _ trace: Trace) {
        self.outcome = outcome
        guard failure.lastEvents.isEmpty else {
            self.failure = failure
            return
        }
        self.failure = failure.with(lastEvents: trace.lastEvents())
    }

    /// Two runs that had to be equal were not.
    fileprivate mutating func note(difference first: Trace, _ second: Trace) {
        let index = zip(first.events, second.events).prefix { $0 == $1 }.count
        func event(_ trace: Trace) -> String {
            trace.events.dropFirst(index).first.map { TraceEvent.log(of: [$0])[0] } ?? "the end of the run"
        }
        outcome = .notDeterministic
        failure = ScenarioFailure(
            message: "two runs with the same seed and order differ from event \(index + 1) on", expected: event(first),
            actual: event(second),
            lastEvents: TraceEvent.log(of: Array(first.events[..<index].suffix(8))))
    }
}

extension ScenarioFailure {
    /// The same failure with other events.
    fileprivate func with(lastEvents: [String]) -> ScenarioFailure {
        var failure = self
        failure.lastEvents = lastEvents
        return failure
    }
}
