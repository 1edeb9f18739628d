import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// Makes a failing run small: the fewest and simplest steps that break the same invariant.
///
/// A candidate is kept only if it breaks the same invariant in the same way (``Violation/signature``), so that a shrinker does not slip to another failure.
/// Works on its own, from the run alone; same run, same result.
struct Shrinker {
    let signature: ViolationSignature
    /// Makes a candidate's run, which may be given up where it goes on for longer than that.
    private let run: (Scenario, RunExtent) -> CheckedResult
    /// How many more candidates may be tried.
    private(set) var budget: Int
    private var best: Scenario
    private(set) var violation: Violation
    /// What came of the steps of the best one.
    private var outcomes: [[ObservedOutcome]]
    /// How long a candidate may go on: what waits for something that the failing run had long done is no smaller run.
    private let extent: RunExtent

    /// - Parameter result: What came of `scenario`; it must have a violation.
    init?(
        _ scenario: Scenario, result: CheckedResult, options: RunOptions = RunOptions(), budget: Int = 3_000,
        comparing comparison: BuildComparison? = nil
    ) {
        guard let violation = result.violation else { return nil }
        signature = violation.signature
        self.violation = violation
        run = { scenario, extent in
            guard violation.invariant == .sameness, let comparison else {
                return CheckedRun.run(scenario, options: options, extent: extent)
            }
            return comparison.run(scenario, extent: extent)
        }
        self.budget = budget
        best = scenario
        outcomes = result.outcomes
        extent = RunExtent(events: result.trace.events.count + 400, time: .start + result.duration + .seconds(600))
    }

    /// The smallest scenario that was found, with the violation it makes and what came of its steps.
    mutating func shrink() -> (scenario: Scenario, violation: Violation, outcomes: [[ObservedOutcome]]) {
        dropWhatDidNothing()
        // Time first: a run that waits for less is sooner over, and the many to come after it.
        shortenTimes()
        simplifyOrder()
        var before: Scenario
        repeat {
            before = best
            removeBlocks()
            removePairs()
            simplifySteps()
            removeKeys()
            resetKnobs()
            mergeValues()
            simplifyOrder()
        } while best != before && budget > 0
        nameValues()
        return (best, violation, outcomes)
    }

    // MARK: Trying

    /// Takes the candidate if it fails in the same way.
    private mutating func attempt(_ candidate: Scenario) -> Bool {
        guard budget > 0, candidate != best else { return false }
        budget -= 1
        let result = run(candidate, extent)
        guard let found = result.violation, found.signature == signature else { return false }
        best = candidate
        violation = found
        outcomes = result.outcomes
        return true
    }

    private mutating func attempt(steps: [ScenarioStep]) -> Bool { attempt(best.keeping(steps: steps)) }

    // MARK: Steps

    /// All waits at once, then one by one: none, or until nothing is left to happen, or a second.
    private mutating func shortenTimes() {
        func isWait(_ step: ScenarioStep) -> Bool { if case .time(.wait) = step.action { true } else { false } }
        func isTime(_ step: ScenarioStep) -> Bool { if case .time = step.action { true } else { false } }
        if attempt(steps: best.steps.filter { !isTime($0) }) || attempt(steps: best.steps.filter { !isWait($0) }) { return }
        let shorter: [ScenarioStep.Action] = [.time(.wait(.seconds(1))), .time(.settle(limit: nil))]
        for action in shorter where attempt(steps: best.steps.map { isWait($0) ? .drawn(action, phase: $0.phase) : $0 }) { return }
        for index in best.steps.indices.reversed() where isWait(best.steps[index]) {
            var steps = best.steps
            steps.remove(at: index)
            if attempt(steps: steps) { continue }
            for action in shorter {
                steps = best.steps
                steps[index] = .drawn(action, phase: steps[index].phase)
                if attempt(steps: steps) { break }
            }
        }
    }

    /// Steps after the violation, and such as could not be done.
    private mutating func dropWhatDidNothing() {
        var steps = best.steps
        if violation.step < steps.count { steps = Array(steps[...violation.step]) }
        _ = attempt(steps: steps)
        let useful = best.steps.indices.filter { $0 >= outcomes.count || outcomes[$0].contains { $0 != .impossible } }
        _ = attempt(steps: useful.map { best.steps[$0] })
    }

    /// Blocks of half of the steps, a quarter, and so on down to single ones (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing
    /// Input", 2002).
    private mutating func removeBlocks() {
        var size = max(1, best.steps.count / 2)
        while true {
            var start = best.steps.count
            while start > 0 {
                let end = min(start, best.steps.count)
                start = max(0, end - size)
                var steps = best.steps
                steps.removeSubrange(start..<end)
                _ = attempt(steps: steps)
            }
            guard size > 1 else { break }
            size /= 2
        }
    }

    /// Steps that only make sense together, wherever they stand: lock and unlock, down and up, ending and launching.
    private mutating func removePairs() {
        var first = 0
        while first < best.steps.count {
            var second = first + 1
            while second < best.steps.count, first < best.steps.count {
                var steps = best.steps
                steps.remove(at: second)
                steps.remove(at: first)
                if steps.count < 12 || best.steps[first].action.belongsTogether(with: best.steps[second].action), attempt(steps: steps) {
                    second = first + 1
                } else {
                    second += 1
                }
            }
            first += 1
        }
    }

    private mutating func simplifySteps() {
        var index = 0
        while index < best.steps.count {
            for simpler in SimplerStep.candidates(for: best.steps[index].action, found: index < outcomes.count ? outcomes[index] : []) {
                guard index < best.steps.count else { break }
                var steps = best.steps
                steps.replaceSubrange(index...index, with: simpler.map { .drawn($0, phase: steps[index].phase) })
                if attempt(steps: steps) { break }
            }
            index += 1
        }
    }

    // MARK: The rest

    private mutating func removeKeys() {
        if best.start.watch2 != nil {
            var start = best.start
            start.watch2 = nil
            let steps = best.steps.filter { $0.action.device != .watch2 && !$0.action.isSwitch }
            _ = attempt(best.keeping(steps: steps, start: start))
        }
        if let simpler = best.withoutLateCatalogs { _ = attempt(simpler) }
        let used = KeySelection.used(in: best.steps)
        if !attempt(KeySelection.select(used, of: best)) {
            for key in best.keys {
                let others = best.keys.indices.filter { best.keys[$0].identifier != key.identifier }
                guard !KeySelection.used(in: best.steps).contains(where: { best.keys[$0].identifier == key.identifier }) else { continue }
                _ = attempt(KeySelection.select(Set(others), of: best))
            }
        }
        for (index, key) in best.keys.enumerated() {
            for simpler in SimplerKey.candidates(for: key) {
                var keys = best.keys
                guard index < keys.count, keys[index] == key || keys[index].identifier == key.identifier else { continue }
                keys[index] = simpler
                _ = attempt(best.replacing(keys: keys))
            }
        }
    }

    private mutating func resetKnobs() {
        let plain = Knobs()
        for knob in Knobs.table where best.knobs[knob] != plain[knob] {
            var knobs = best.knobs
            _ = knobs.set(knob, to: plain[knob])
            _ = attempt(best.keeping(steps: best.steps, knobs: knobs))
        }
    }

    /// Towards first in, first out; else few choices that differ from that.
    private mutating func simplifyOrder() {
        guard let order = best.order else { return }
        if attempt(best.replacing(order: nil)) { return }
        if case .priorities(let seed, let depth) = order, depth > 1 {
            for simpler in 1..<depth where attempt(best.replacing(order: .priorities(seed: seed, depth: simpler))) { break }
        }
        if case .choices(let places) = order {
            var shorter = places
            while shorter.last == 0 { shorter.removeLast() }
            _ = attempt(best.replacing(order: .choices(shorter)))
        }
    }

    /// Fewer different values: a value that another step writes already says that the difference does not matter.
    private mutating func mergeValues() {
        var values = Self.values(in: best.steps)
        while let value = values.popLast() {
            for earlier in values where value.hasKind(of: earlier) {
                if attempt(steps: best.steps.map { $0.mappingValues { $0 == value ? earlier : $0 } }) { break }
            }
        }
    }

    /// In the order of their first use.
    private static func values(in steps: [ScenarioStep]) -> [ScenarioValue] {
        var values: [ScenarioValue] = []
        for step in steps {
            _ = step.mappingValues { value in
                if !values.contains(value) { values.append(value) }
                return value
            }
        }
        return values
    }

    /// Short values in the order of their first use.
    private mutating func nameValues() {
        let letters = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
        var names: [ScenarioValue: ScenarioValue] = [:]
        for (index, value) in Self.values(in: best.steps).enumerated() {
            switch value {
            case .string: names[value] = .string(index < letters.count ? letters[index] : "value \(index + 1)")
            case .integer: names[value] = .integer(Int64(index + 1))
            default: break
            }
        }
        if !attempt(steps: best.steps.map { $0.mappingValues { names[$0] ?? $0 } }) {
            // Some have to be what they are, such as a numeral.
            for value in Self.values(in: best.steps) {
                guard let name = names[value] else { continue }
                _ = attempt(steps: best.steps.map { $0.mappingValues { $0 == value ? name : $0 } })
            }
        }
        _ = attempt(best.replacing(seed: nil))
    }
}

extension ScenarioValue {
    /// Whether both could be values of one key.
    fileprivate func hasKind(of other: ScenarioValue) -> Bool {
        switch (self, other) {
        case (.string, .string), (.integer, .integer), (.double, .double), (.data, .data), (.array, .array): true
        default: false
        }
    }
}

extension ScenarioStep.Action {
    fileprivate var isSwitch: Bool { if case .link(.switchWatch) = self { true } else { false } }

    /// Whether one of the two undoes the other.
    fileprivate func belongsTogether(with other: ScenarioStep.Action) -> Bool {
        switch (self, other) {
        case (.link, .link): true
        case (.device(let one), .device(let two)): one.device == two.device
        case (.fault(let one), .fault(let two)): one.device == two.device
        default: false
        }
    }
}
