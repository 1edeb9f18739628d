import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// A scenario of a few steps, run in every order of its ready work that is not equivalent to another (`OrderSearch`), with a crash or a power loss before
/// every storage operation of every step, and without any.
///
/// Each run is held to every ``Invariant``, and everything is put right at its end, as in the other searches. Orders are varied from the first step to the last:
/// the launch before it and what puts everything right behind it run in the plain order. An app that crashed is launched again before the next step, a device
/// without power is switched on and unlocked first. One run has one crash.
///
/// Safe to call from any thread; each call runs on the calling one. Same scenario and options, same results.
public struct SmallWorld: Sendable {
    /// What a small world is, and how it is run.
    public struct Options: Sendable {
        /// At most this many steps, expectations not counted: orders and crash points multiply.
        public var stepLimit = 5
        /// Whether each crash point is tried with a power loss, too.
        public var losesPower = false
        /// At most this many runs for one crash point.
        public var orderLimit = 10_000
        /// How each run is made: the app under test and its environment.
        public var run = RunOptions()
        /// What failing runs are made small with.
        public var shrinkBudget = 3_000
        /// Tests compare what is left out with what is not.
        var reduction = OrderSearch.Reduction.dynamic
        var blindTo = Footprint()

        /// Every order and every crash of the app, of at most five steps.
        public init() {}
    }

    /// Why a scenario is not run in every order. What can be done about it is in the description.
    public enum Refusal: Error, Sendable, Hashable, CustomStringConvertible {
        /// It has more steps than ``SmallWorld/Options/stepLimit``.
        case tooLarge(steps: Int, limit: Int)
        /// It has no key and asks no app under test for anything, so there is nothing that could be lost, or it has no step.
        case empty

        public var description: String {
            switch self {
            case .tooLarge(let steps, let limit):
                "\(steps) steps are more than the \(limit) of a small world; make the scenario shorter, or raise the limit with --steps \(steps)"
            case .empty: "it has no keys or no steps; a small world needs a step, and a key or an action of an app under test"
            }
        }
    }

    /// Where a run is cut short: just before a storage operation of a device within a step.
    public struct CrashPoint: Sendable, Hashable, CustomStringConvertible {
        /// The number of the step, from 0, of those that are no expectations.
        public let step: Int
        /// Whose app ends.
        public let device: DeviceID
        /// Counted from 1 within the step.
        public let operation: Int
        /// What ends: the app, or the device's power.
        public let kind: FaultStep.Interruption

        public var description: String {
            "\(device) \(kind == .crash ? "crash" : "power loss") before operation \(operation) of step \(step + 1)"
        }
    }

    /// What came of all orders with one crash point, or without.
    public struct Tally: Sendable {
        /// `nil`: the runs without a crash.
        public let point: CrashPoint?
        /// How many orders were made.
        public internal(set) var orders = 0
        /// How many further orders were left out as equivalent to one that was made, at least: branches, each of which stands for one or more.
        public internal(set) var leftOut = 0
        /// How many runs were begun and given up, since they went the way of an earlier one.
        public internal(set) var givenUp = 0
        /// How many of the orders came to their crash.
        public internal(set) var crashed = 0
        /// Whether there are more orders than were made.
        public internal(set) var isCutShort = false
        /// The most moments at which there was a choice.
        public internal(set) var mostChoices = 0
        /// Tells the states apart that the runs passed through; sorted.
        public internal(set) var states: [UInt64] = []
        /// Tells apart how the runs ended: what each device and the network went through, and what came of each step; sorted.
        public internal(set) var ends: [UInt64] = []
        /// Of each kind of failure the first.
        public internal(set) var failures: [Failure] = []
        /// How many of the runs failed.
        public internal(set) var failingRuns = 0
        /// The most storage operations of each step, by device: where a crash can come.
        public internal(set) var operations: [[DeviceID: Int]] = []

        /// How many runs were made, those that were given up included.
        public var runs: Int { orders + givenUp }
    }

    /// One failing run.
    public struct Failure: Sendable {
        /// What was not kept.
        public let violation: Violation
        /// The run, with its order, its crash, and what puts everything right.
        public let scenario: Scenario
        /// Its place among the orders of its crash point, from 0.
        public let order: Int
        let faultKinds: [FaultKind]
    }

    /// The scenario without its expectations.
    public let world: SearchSpace
    /// What it is run with.
    public let options: Options
    private let generator: RunGenerator

    /// A small world. Nothing runs yet.
    /// - Throws: ``Refusal``, where the scenario is not a small world.
    public init(_ scenario: Scenario, options: Options) throws(Refusal) {
        world = SearchSpace(scenario)
        self.options = options
        generator = RunGenerator(world: world, seed: options.run.seed, maximumSteps: 0, strategies: [])
        let asksAppUnderTest = options.run.makeApp != nil && scenario.asksApp
        guard !scenario.keys.isEmpty || asksAppUnderTest, !world.base.steps.isEmpty else { throw .empty }
        guard world.base.steps.count <= options.stepLimit else {
            throw .tooLarge(steps: world.base.steps.count, limit: options.stepLimit)
        }
    }

    // MARK: Running

    /// One run in the plain order without a crash, for an estimate.
    public func survey() -> Tally { tally(nil, limit: 1) }

    /// Makes every order with a crash point, or without, that is not equivalent to one before.
    /// - Parameters:
    ///   - point: Where each run is cut short; `nil`: nowhere.
    ///   - limit: At most so many runs.
    ///   - isOver: Asked before each run but the first; true ends it before all orders are made.
    public func tally(_ point: CrashPoint?, limit: Int? = nil, isOver: () -> Bool = { false }) -> Tally {
        let (scenario, stepCount, crashStep, kinds) = scenario(with: point)
        let orders = OrderSearch(options.reduction, blindTo: options.blindTo)
        let probe = SmallWorldProbe(orders, stepCount: stepCount, point: point, crashStep: crashStep)
        var tally = Tally(point: point)
        var (states, ends): (Set<UInt64>, Set<UInt64>) = ([], [])
        let limit = limit ?? options.orderLimit
        repeat {
            guard tally.runs < limit, tally.runs == 0 || !isOver() else {
                tally.isCutShort = true
                break
            }
            orders.begin()
            let result = CheckedRun.run(scenario, options: options.run, extent: nil, probe: probe)
            if let stall = result.violation, stall.isStall {
                // The run's thread has what guides it. No other order can be made.
                tally.failures.append(Failure(violation: stall, scenario: scenario, order: tally.orders, faultKinds: []))
                tally.orders += 1
                tally.failingRuns += 1
                tally.isCutShort = true
                return tally
            }
            guard !orders.isRedundant else {
                tally.givenUp += 1
                continue
            }
            tally.orders += 1
            if probe.hasCrashed { tally.crashed += 1 }
            states.formUnion(result.states)
            ends.insert(VisibleEnd(result).value)
            var violation = result.violation
            if orders.hasDiverged {
                violation = Violation(
                    .determinism, step: result.outcomes.count,
                    explanation: ["the same choices made twice gave different work to choose from"])
            }
            guard let violation else { continue }
            tally.failingRuns += 1
            guard !tally.failures.contains(where: { $0.violation.signature == violation.signature }) else { continue }
            let choices = orders.choices.lastIndex { $0 != 0 }.map { Array(orders.choices[...$0]) } ?? []
            tally.failures.append(
                Failure(
                    violation: violation, scenario: choices.isEmpty ? scenario : scenario.replacing(order: .choices(choices)),
                    order: tally.orders - 1, faultKinds: FaultKind.allCases.filter(kinds.contains)))
        } while orders.advance()
        tally.leftOut = orders.leftOut
        tally.mostChoices = orders.mostChoices
        tally.operations = probe.operations.map { $0 }
        (tally.states, tally.ends) = (states.sorted(), ends.sorted())
        return tally
    }

    /// The crash points of the runs that a tally without a crash made, in the order of the steps.
    public func crashPoints(in tally: Tally) -> [CrashPoint] {
        let kinds: [FaultStep.Interruption] = options.losesPower ? [.crash, .powerLoss] : [.crash]
        return tally.operations.enumerated().flatMap { step, counts in
            counts.sorted { $0.key < $1.key }.flatMap { device, count in
                (0..<count).flatMap { number in
                    kinds.map { CrashPoint(step: step, device: device, operation: number + 1, kind: $0) }
                }
            }
        }.filter { !isCutShortAlready($0) }
    }

    /// Makes a failing run small.
    /// - Parameter replay: The command that makes it again.
    public func shrink(_ failure: Failure, replay: String) -> FoundScenario? {
        var search = Explorer.Options(world: world)
        search.run = options.run
        search.shrinkBudget = options.shrinkBudget
        let draw = GeneratedRun(index: 0, scenario: failure.scenario, faultKinds: failure.faultKinds, strategy: .fifo)
        return Explorer(search).shrink(draw, CheckedRun.run(failure.scenario, options: options.run), replay: replay)
    }

    // MARK: Scenarios

    /// The steps with a crash in one of them and what puts everything right behind, how many there are without that, and the number of the step that crashes.
    func scenario(
        with point: CrashPoint?
    ) -> (scenario: Scenario, stepCount: Int, crashStep: Int, kinds: Set<FaultKind>) {
        let own = world.base.steps.map { $0.action.isSweeping ? .drawn($0.action.with(outcome: .succeeds), phase: $0.phase) : $0 }
        var kinds = RunGenerator.faultKinds(of: world.base.keeping(steps: own))
        var steps = own
        var crashStep = point?.step ?? 0
        if let point {
            let step = own[point.step]
            var replacement: [ScenarioStep.Action]
            if let cut = step.action.cut(short: point) {
                replacement = [cut]
            } else {
                replacement = [.fault(FaultStep(point.device, .interruption(point.kind, atOperation: point.operation))), step.action]
                crashStep += 1
                // What is lost then is lost in the midst of a step that says nothing of it.
                if point.kind == .powerLoss { replacement.append(.device(DeviceStep(point.device, .powerLoss))) }
            }
            if point.step + 1 < own.count {
                let back: [DeviceStep.Action] = point.kind == .crash ? [.launch] : [.powerOn, .unlock, .launch]
                replacement += back.map { .device(DeviceStep(point.device, $0)) }
            }
            steps.replaceSubrange(point.step...point.step, with: replacement.map { .drawn($0, phase: step.phase) })
            kinds.formUnion(point.kind == .crash ? [.crash] : [.power, .lock])
        }
        let ending = generator.ending(of: steps, kinds)
        return (world.base.keeping(steps: steps + ending).replacing(order: nil), steps.count, crashStep, kinds)
    }

    /// Whether the step crashes by itself.
    private func isCutShortAlready(_ point: CrashPoint) -> Bool {
        guard let outcome = world.base.steps[point.step].outcome else { return false }
        return !outcome.isSweeping && outcome.isInterruption
    }
}

/// Tells the end of one run from that of another by what can be seen: what each device and what lies between them went through, each in its order, and what came
/// of each step. Orders that are equivalent have the same.
struct VisibleEnd {
    let value: UInt64

    init(_ result: CheckedResult) {
        let events = Dictionary(grouping: result.trace.events) { $0.device }
        var text = ""
        for (device, own) in events.sorted(by: { ($0.key?.description ?? "") < ($1.key?.description ?? "") }) {
            text += "\(device?.description ?? "-")\n" + TraceEvent.log(of: own).joined(separator: "\n")
        }
        text += "\(result.outcomes)\n\(result.violation.map { "\($0.signature)" } ?? "")"
        value = FNV1a(of: text.utf8).value ^ (result.states.last ?? 0)
    }
}

/// Guides the runs of a small world, and counts the storage operations of their steps.
private final class SmallWorldProbe: CheckedRunProbe, @unchecked Sendable {
    private let orders: OrderSearch
    private let stepCount: Int
    private let point: SmallWorld.CrashPoint?
    private let crashStep: Int
    private var before: [DeviceID: Int] = [:]
    private var running: Int?
    private(set) var hasCrashed = false
    /// Of each step the most.
    private(set) var operations: [[DeviceID: Int]] = []

    init(_ orders: OrderSearch, stepCount: Int, point: SmallWorld.CrashPoint?, crashStep: Int) {
        self.orders = orders
        self.stepCount = stepCount
        self.point = point
        self.crashStep = crashStep
        operations = Array(repeating: [:], count: stepCount)
    }

    func isMade(_ run: ScenarioRun) {
        run.simulation.scheduler.guide = orders
        hasCrashed = false
        running = nil
    }

    func begins(step: Int, of run: ScenarioRun) {
        count(run)
        orders.isActive = step < stepCount && !orders.isRedundant && !orders.hasDiverged
        running = step < stepCount ? step : nil
        before = counts(of: run)
    }

    func isOver(_ run: ScenarioRun) {
        count(run)
        running = nil
        orders.isActive = false
    }

    private func count(_ run: ScenarioRun) {
        guard let running else { return }
        for (device, count) in counts(of: run) {
            let own = count - before[device, default: 0]
            if own > operations[running][device, default: 0] { operations[running][device] = own }
            // The operation that the crash comes before is counted, and does nothing.
            if let point, running == crashStep, point.device == device, own >= point.operation { hasCrashed = true }
        }
    }

    private func counts(of run: ScenarioRun) -> [DeviceID: Int] {
        run.simulation.devices.reduce(into: [:]) { $0[$1.id] = $1.storage.operationCount }
    }
}

extension StepOutcome {
    fileprivate var isInterruption: Bool {
        switch self {
        case .crashes, .losesPower, .crashesAtEveryOperation, .losesPowerAtEveryOperation, .isCancelled, .isCancelledAtEveryOperation: true
        case .succeeds, .fails: false
        }
    }
}

extension ScenarioStep.Action {
    fileprivate var isSweeping: Bool { outcome?.isSweeping == true }

    /// The step with the crash as its outcome; `nil` where no line can say that: it is about another device, lets time pass, or waits for no code of the app.
    fileprivate func cut(short point: SmallWorld.CrashPoint) -> Self? {
        switch self {
        case .together(let steps):
            guard let first = steps.firstIndex(where: { $0.action.cut(short: point) != nil }),
                let cut = steps[first].action.cut(short: point)
            else { return nil }
            var all = steps
            all[first] = .drawn(cut, phase: steps[first].phase)
            return .together(all)
        case .device(let step) where !step.action.runsApp: return nil
        case .data(let step) where step.part != .app: return nil
        default:
            guard device == point.device, outcome != nil else { return nil }
            return with(outcome: point.kind == .crash ? .crashes(atOperation: point.operation) : .losesPower(atOperation: point.operation))
        }
    }
}
