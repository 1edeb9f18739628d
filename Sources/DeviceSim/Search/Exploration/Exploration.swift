import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// A search over a corpus: scenarios that somebody wrote, what is drawn near them, and keys of its own beside them.
///
/// What a run is, its number says: first each scenario as it is written, which shows what is broken already and was paid for once. Then each as it is written
/// once more, without its expectations, put right at the end, and held to every ``Invariant``. From then on its steps are varied, in turns with the other
/// scenarios. With keys of its own, a third of what is drawn are scenarios that the grammar makes, and every second run of the others after the first ones is about
/// those keys.
///
/// Where another build makes each run too, what is written is held against what it makes of that: every second run, from the first one on, is a scenario without its
/// expectations, those without keys among them, and put right at the end. The runs between are drawn, so that a short search has both.
///
/// Safe to call from any thread; each call runs on the calling one.
public struct Exploration: Sendable {
    /// What runs are drawn over, in the order of their turns.
    public let worlds: [SearchSpace]
    /// The scenarios that are run as they are written: those that must pass.
    public let written: [Scenario]
    private let explorers: [Explorer]
    private let own: Explorer?
    /// Those of ``written``, where another build makes each run too; else none.
    private let compared: [Explorer]
    /// How runs by the grammar are made; `nil`: there are none.
    private let grammar: Explorer.Options?
    private let run: RunOptions
    /// How the app under test keeps its values.
    public let appUse: AppUse
    /// How many keys the scenarios declare that are none of an app that does not use LocalData.
    public let leftOutKeys: Int

    /// The actions that the scenarios ask an app under test for with one value alone: nobody sees which of two came. None where the app uses LocalData.
    public let actionsOfOneValue: [String]

    /// A search. Nothing runs yet.
    /// - Parameters:
    ///   - scenarios: The corpus. Of those without keys nothing is drawn; a canary, which must fail, is only varied. What is drawn has made values in the place of
    ///     those that a scenario gives to secrets: what is found is there to be shown.
    ///   - hasOwnKeys: Whether runs are drawn over ``SearchSpace/builtIn`` too.
    ///   - run: How scenarios are run as they are written.
    ///   - options: What is drawn with.
    public init(over scenarios: [Scenario], hasOwnKeys: Bool, run: RunOptions, options: (SearchSpace) -> Explorer.Options) {
        // An app that is given what scenarios name uses LocalData, whatever it does when it is launched.
        let use = scenarios.contains { !$0.catalogs.isEmpty } ? AppUse.localData : AppUse(of: run)
        appUse = use
        leftOutKeys = use == .ownCode ? Set(scenarios.flatMap { $0.keys.map(\.name) }).count : 0
        let actions = run.makeApp == nil ? AppActions() : AppActions(in: scenarios)
        let known = use == .ownCode ? Dictionary(grouping: actions.all, by: \.name) : [:]
        actionsOfOneValue = known.filter { Set($1.flatMap(\.values)).subtracting([.null]).count == 1 }.keys.sorted()
        let varied = scenarios.compactMap { scenario -> SearchSpace? in
            if use == .ownCode {
                let own = scenario.withoutLocalData
                return own.asksApp || !actions.all.isEmpty ? SearchSpace(own, actions: actions, isOfOwnCode: true) : nil
            }
            guard !scenario.keys.isEmpty || run.makeApp != nil && scenario.asksApp else { return nil }
            return SearchSpace(MadeSecrets(scenario).scenario(with: run.catalogs), actions: actions)
        }
        // The keys of the tool are none that such an app has.
        let builtIn = hasOwnKeys && use != .ownCode ? SearchSpace.builtIn : nil
        worlds = varied + [builtIn].compactMap { $0 }
        written = scenarios.filter { $0.header.canary == nil && !$0.steps.isEmpty }
        explorers = varied.map { Explorer(options($0)) }
        own = builtIn.map { Explorer(options($0)) }
        let first = written.first.map { options(SearchSpace($0)) }
        compared =
            first?.other == nil
            ? []
            : written.map { scenario in
                var options = options(SearchSpace(MadeSecrets(scenario).scenario(with: run.catalogs)))
                options.comparesAlone = scenario.keys.isEmpty
                return Explorer(options)
            }
        grammar = builtIn.map(options)
        self.run = run
    }

    /// What a run is.
    private enum Turn {
        case asWritten(Scenario)
        /// - Parameter isVaried: Whether steps are left out, repeated, and put between.
        case drawn(Explorer, isVaried: Bool)
    }

    private func turn(of index: Int) -> Turn? {
        if let runLimit, !compared.isEmpty { return index < runLimit ? .drawn(compared[index], isVaried: false) : nil }
        var place = index - written.count
        if compared.isEmpty {
            guard place >= 0 else { return .asWritten(written[index]) }
        } else if index < 2 * compared.count {
            guard !index.isMultiple(of: 2) else { return .drawn(compared[index / 2], isVaried: false) }
            place = index / 2
        }
        if let grammar {
            if place % 3 == 2, let explorer = Explorer(grammar, byGrammar: index) { return .drawn(explorer, isVaried: true) }
            place = place / 3 * 2 + place % 3 % 2
        }
        guard !explorers.isEmpty else { return own.map { .drawn($0, isVaried: true) } }
        if let own {
            if !place.isMultiple(of: 2) { return .drawn(own, isVaried: true) }
            place /= 2
        }
        // What a canary's own steps lead to is known, and wrong.
        let isCanary = worlds[place % explorers.count].base.header.canary != nil
        let isVaried = isCanary || !compared.isEmpty || place >= explorers.count
        return .drawn(explorers[place % explorers.count], isVaried: isVaried)
    }

    /// How many runs there are; `nil`: as many as anybody wants. Scenarios without keys are compared as they are written, and nothing is drawn near them.
    public var runLimit: Int? { explorers.isEmpty && own == nil ? written.count : nil }

    /// The name of the scenario that the run is, where it is one as it is written.
    public func writtenName(_ index: Int) -> String? { index < written.count && compared.isEmpty ? written[index].name : nil }

    /// The run of that number as it was drawn; `nil` where there is nothing to search over.
    public func draw(_ index: Int) -> GeneratedRun? {
        switch turn(of: index) {
        case nil: nil
        case .asWritten(let scenario): GeneratedRun(index: index, scenario: scenario, faultKinds: [], strategy: .fifo)
        case .drawn(let explorer, let isVaried): explorer.draw(index, isVaried: isVaried)
        }
    }

    /// Makes the run of that number.
    public func run(_ index: Int) -> Explorer.Outcome { outcome(of: index, watch: nil) }

    /// Makes the run of that number under a watch that the caller keeps.
    package func run(_ index: Int, watchedBy watch: RunWatch) -> Explorer.Outcome { outcome(of: index, watch: watch) }

    private func outcome(of index: Int, watch: RunWatch?) -> Explorer.Outcome {
        switch turn(of: index) {
        case nil: return Explorer.Outcome(index: index, violation: nil, stepCount: 0, states: [])
        case .drawn(let explorer, let isVaried):
            return (watch.map(explorer.watched) ?? explorer).run(index, isVaried: isVaried)
        case .asWritten(let scenario):
            var options = run
            if let watch { options.watch = watch }
            let result = ScenarioRunner.run(scenario, options: options)
            var outcome = Explorer.Outcome(
                index: index, violation: Violation(result, of: scenario), stepCount: result.stepCount, states: [])
            if case .cannotRun(let failure) = result.outcome { outcome.obstacle = "\(scenario.name) cannot be run: \(failure.message)" }
            if let request = (explorers.first ?? own)?.options.coverage {
                // What it exercises is counted under the checks; what they find is told where it is made without its expectations.
                var coverage = CheckedRun.covered(scenario, options: options).coverage ?? SearchCoverage()
                let draw = GeneratedRun(index: index, scenario: scenario, faultKinds: [], strategy: .fifo)
                coverage.noteRun(draw, result.trace, request)
                coverage.note(.checks, Invariant.expectation.rawValue)
                outcome.coverage = coverage
            }
            return outcome
        }
    }

    /// Makes the failing run of that number small.
    /// - Parameters:
    ///   - index: The number of the run.
    ///   - replay: The command that makes it again.
    /// - Returns: `nil` if the run does not fail, is one that is given up, or a scenario as it is written, which is a file already.
    public func shrink(_ index: Int, replay: String) -> FoundScenario? {
        guard case .drawn(let explorer, let isVaried) = turn(of: index) else { return nil }
        return explorer.shrink(index, isVaried: isVaried, replay: replay)
    }
}

extension Violation {
    /// What a scenario that somebody wrote makes of a run; `nil` where it passed, or could not be run here.
    fileprivate init?(_ result: ScenarioResult, of scenario: Scenario) {
        let (invariant, failure): (Invariant, ScenarioFailure)
        switch result.outcome {
        case .passed, .cannotRun: return nil
        case .failed(let found): (invariant, failure) = (.expectation, found)
        case .didNotSettle(let found): (invariant, failure) = (.progress, found)
        case .notDeterministic(let found): (invariant, failure) = (.determinism, found)
        }
        let place = [failure.path ?? scenario.path, failure.line.map { "\($0)" }].compactMap { $0 }.joined(separator: ":")
        self.init(
            invariant, step: scenario.steps.count,
            explanation: ["\(scenario.name) fails as it is written", "\(place): \(failure.message)"])
    }
}
