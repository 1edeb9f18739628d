import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// Searches for runs that break an invariant. Every run is drawn from the seed and its number alone.
///
/// Safe to call from any thread; each call runs on the calling one.
public struct Explorer: Sendable {
    /// What to search over.
    public struct Options: Sendable {
        /// What all runs are drawn from.
        public var seed: UInt64 = 1
        /// The keys and steps that runs are drawn over.
        public var world: SearchSpace
        /// Drawn among for each run.
        public var strategies: [OrderStrategy] = [.fifo, .random, .pct]
        /// The kinds of faults that are drawn; `nil`: all. Of an app that does not use LocalData, ``FaultKind/borneByAnyApp``. What steps of scenarios do is not touched.
        public var faultKinds: Set<FaultKind>?
        /// At most this many steps are drawn for a run, the healing at the end not counted.
        public var maximumSteps = 24
        /// One run in this many is made twice, and the traces compared; 0: none.
        public var recheckInterval = 20
        /// How each run is made: the app under test and its environment. The seed and the order are drawn.
        public var run = RunOptions()
        /// How many candidates the shrinker may try for one failure.
        public var shrinkBudget = 3_000
        /// How many random continuations of each beginning of a shrunk scenario are tried, to tell from where on the failure was certain; 0: none.
        public var continuations = 20
        /// Another build, which makes each run too; `nil`: runs are held to invariants alone.
        public var other: (any OtherBuild)?
        /// Whether runs are only compared with those of the other build, and not held to the other invariants.
        var comparesAlone = false
        /// What counts what the runs exercise; `nil`: nobody asks, and it costs nothing.
        package var coverage: CoverageRequest?

        /// The usual search over these keys and steps.
        public init(world: SearchSpace) {
            self.world = world
        }
    }

    /// What came of one run.
    public struct Outcome: Sendable {
        /// The number of the run.
        public let index: Int
        /// What was not kept, first; `nil`: everything was.
        public let violation: Violation?
        /// Why the run could not be made, so that nothing is known of it; `nil`: it was made.
        public var obstacle: String?
        /// How many steps the run made, expectations and healing included.
        public let stepCount: Int
        /// Tells what the run went through from what other runs did.
        public let states: [UInt64]
        /// What the run exercised, where that was asked for and the run was not given up.
        package var coverage: SearchCoverage?
        /// Whether it was held against what another build makes of it; `nil` where there is none, or the run had broken something already.
        public var comparison: RunComparison?
    }

    /// What the search was made with.
    public private(set) var options: Options
    private let generator: RunGenerator

    /// A search. Nothing runs yet.
    public init(_ options: Options) {
        self.options = options
        generator = RunGenerator(
            world: options.world, seed: options.seed, maximumSteps: options.maximumSteps, strategies: options.strategies,
            allowed: options.faultKinds)
    }

    /// A search over a scenario that the grammar makes of the number; `nil` where it makes none.
    init?(_ options: Options, byGrammar number: Int) {
        var sentences = SentenceGenerator(SeededGenerator(seed: options.seed).fork("grammar \(number)"))
        guard let scenario = sentences.scenario() else { return nil }
        var options = options
        options.world = SearchSpace(scenario)
        self.init(options)
    }

    /// The same search, whose runs are made on the calling thread, under a watch that the caller keeps.
    package func watched(by watch: RunWatch) -> Explorer {
        var explorer = self
        explorer.options.run.watch = watch
        return explorer
    }

    /// What came of a run of that number that was given up.
    package static func outcome(of index: Int, _ stall: StalledRun) -> Outcome {
        Outcome(index: index, violation: Violation(stall), stepCount: 0, states: [])
    }

    /// The run of that number as it was drawn.
    /// - Parameter isVaried: Whether the steps of the search space's scenario are varied; else they are made as they stand, and everything is put right
    ///   behind them.
    public func draw(_ index: Int, isVaried: Bool = true) -> GeneratedRun {
        isVaried ? generator.draw(index) : generator.unvaried(index)
    }

    /// Makes the run of that number.
    /// - Parameter isVaried: As in ``draw(_:isVaried:)``.
    public func run(_ index: Int, isVaried: Bool = true) -> Outcome {
        let (draw, result) = make(index, isVaried: isVaried)
        var violation = result.violation
        var coverage = result.coverage
        if let request = options.coverage { coverage?.noteRun(draw, result.trace, request) }
        if violation == nil, isMadeTwice(index) {
            violation = recheck(draw, result)
            coverage?.note(.checks, Invariant.determinism.rawValue)
        }
        return Outcome(
            index: index, violation: violation, stepCount: result.outcomes.count, states: result.states, coverage: coverage,
            comparison: result.comparison)
    }

    /// One run in ``Options/recheckInterval``. Where another build makes each run too, of even and odd numbers alike: those are of different kinds
    /// (``Exploration``).
    private func isMadeTwice(_ index: Int) -> Bool {
        let interval = options.recheckInterval
        guard interval > 0 else { return false }
        return (options.other == nil ? index : index + index / interval).isMultiple(of: interval)
    }

    /// Draws the run and makes it.
    private func make(_ index: Int, isVaried: Bool) -> (GeneratedRun, CheckedResult) {
        let draw = draw(index, isVaried: isVaried)
        if let comparison { return (draw, comparison.run(draw.scenario, isCounting: options.coverage != nil)) }
        return (draw, CheckedRun.run(draw.scenario, options: options.run, extent: nil, isCounting: options.coverage != nil))
    }

    private var comparison: BuildComparison? {
        options.other.map { BuildComparison(other: $0, options: options.run, holdsInvariants: !options.comparesAlone) }
    }

    /// Makes a run again, which must come out the same.
    private func recheck(_ draw: GeneratedRun, _ result: CheckedResult) -> Violation? {
        // With the questions of the end, where the first one had them.
        let again = CheckedRun.run(draw.scenario, options: options.run, extent: nil, probe: comparison.map { _ in RunWitness() })
        guard again.trace.json() != result.trace.json() else { return nil }
        let place = zip(result.trace.events, again.trace.events).prefix { $0 == $1 }.count
        func text(_ trace: Trace) -> String {
            trace.events.dropFirst(place).first.map { TraceEvent.log(of: [$0])[0] } ?? "the end of the run"
        }
        return Violation(
            .determinism, step: result.outcomes.count,
            explanation: [
                "the same run made twice differs from event \(place + 1) on", "first: \(text(result.trace))", "again: \(text(again.trace))",
            ])
    }

    /// How certain the failure is after each step of a shrunk scenario, with continuations drawn as the run was in which it was found.
    private func certainty(of scenario: Scenario, _ violation: Violation, _ draw: GeneratedRun) -> PointOfNoReturn {
        let faultKinds = Set(draw.faultKinds)
        let meter = PointOfNoReturnProbe(
            scenario: scenario, signature: violation.signature, faultKinds: faultKinds, options: options.run,
            healing: generator.healing(faultKinds, scenario))
        return meter.measure(
            stepCount: min(violation.step + 1, scenario.steps.count), count: options.continuations,
            random: SeededGenerator(seed: options.seed).fork("certainty of run \(draw.index)"))
    }

    /// Makes the failing run of that number small.
    /// - Parameters:
    ///   - index: The number of the run.
    ///   - isVaried: As in ``draw(_:isVaried:)``.
    ///   - replay: The command that makes it again.
    /// - Returns: `nil` if the run does not fail, or is one that is given up.
    public func shrink(_ index: Int, isVaried: Bool = true, replay: String) -> FoundScenario? {
        let (draw, result) = make(index, isVaried: isVaried)
        return shrink(draw, result, replay: replay)
    }

    /// Makes a failing run small, however it came about.
    func shrink(_ draw: GeneratedRun, _ result: CheckedResult, replay: String) -> FoundScenario? {
        guard result.violation?.isStall != true else { return nil }
        guard
            var shrinker = Shrinker(
                draw.scenario, result: result, options: options.run, budget: options.shrinkBudget, comparing: comparison)
        else { return nil }
        let (scenario, violation, outcomes) = shrinker.shrink()
        if violation.invariant == .sameness, let comparison {
            return found(scenario, violation, outcomes, comparison, replay: replay)
        }
        var notes: [String] = []
        var certainty: PointOfNoReturn?
        if options.continuations > 0, violation.invariant != .determinism {
            let measured = self.certainty(of: scenario, violation, draw)
            certainty = measured
            notes.append(measured.sentence(scenario.steps) + ".")
            if let jump = measured.sentenceOfJump(scenario.steps) { notes.append(jump + ".") }
        }
        var twin: PassingTwin?
        if violation.invariant != .determinism {
            twin = PassingTwin(
                of: scenario, failing: CheckedRun.run(scenario, options: options.run),
                // Not without the step at which it shows.
                stepCount: min(violation.step, scenario.steps.count),
                options: options.run)
            notes += (twin?.sentences ?? []).map { $0 + "." }
        }
        var found = FoundScenario(scenario, violation: violation, outcomes: outcomes, notes: notes, replay: replay, options: options.run)
        (found.certainty, found.twin) = (certainty, twin)
        return found
    }

    /// A scenario that comes out otherwise than with the other build: its twin is the run there.
    private func found(
        _ scenario: Scenario, _ violation: Violation, _ outcomes: [[ObservedOutcome]], _ comparison: BuildComparison, replay: String
    ) -> FoundScenario {
        let note =
            "An ordinary run of this file may pass: `pairsim explore` of it with `--only 0`, and `--against` the other build, shows the difference."
        func told(keepingFaults: Bool) -> FoundScenario {
            FoundScenario(
                scenario, violation: violation, outcomes: outcomes, keepingFaults: keepingFaults, notes: [note], replay: replay,
                options: options.run
            ) { comparison.differing(over: $0) != nil }
        }
        var found = told(keepingFaults: false)
        // A fault that does not strike here may be the very difference.
        if !found.isConfirmed { found = told(keepingFaults: true) }
        found.twin = comparison.differing(over: found.text).map { PassingTwin(here: $0.own, there: $0.theirs) }
        return found
    }
}
