import DeviceSimLanguage

/// A canary is there for its last step: that is what must fail. Everything before it is its set-up, and must hold.
///
/// Otherwise a canary whose set-up broke would go on passing, and say no more that what it is there for is noticed.
extension Scenario {
    /// - Returns: Why the run, which ended with the canary's status, did not fail where it must; `nil` where it did, for a scenario that is no canary, and
    ///   for one that is not deterministic: that concerns no step.
    package func canaryObjection(to outcome: ScenarioResult.Outcome) -> String? {
        guard let canary = header.canary, canary == outcome.status else { return nil }
        switch outcome {
        case .passed, .notDeterministic, .cannotRun: return nil
        case .failed(let failure), .didNotSettle(let failure):
            guard let last = steps.last else { return "it has no step that could fail" }
            let place = "a canary must fail at its last step, in line \(last.range.line)"
            guard let line = failure.line else { return "it failed before its first step, and \(place)" }
            guard last.ranges.contains(where: { $0.path == failure.path && $0.line == line }) else {
                return "it failed in line \(line), which is its set-up, and \(place)"
            }
            return failure.wasTried ? nil : "its last step could not be tried, so nothing was shown"
        }
    }
}

extension ScenarioStep {
    /// Of the step, its block, and the steps in it.
    fileprivate var ranges: [SourceRange] {
        let own = [range] + block.map(\.range)
        guard case .together(let inner) = action else { return own }
        return own + inner.flatMap(\.ranges)
    }
}
