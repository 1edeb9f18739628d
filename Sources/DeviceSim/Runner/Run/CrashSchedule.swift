import DeviceSimLanguage

/// Which crash points one run of a scenario takes, where steps crash at every operation: a number for each such step, in the order of the file.
///
/// With several such steps the last one counts fastest, so that each point of an earlier one meets all points of the later ones.
package struct CrashSchedule: Sendable, Hashable {
    /// More points than any step has; a step that reaches it makes one operation more each time.
    static let limit = 10_000

    var numbers: [Int]

    package init(_ scenario: Scenario) {
        numbers = Array(repeating: 1, count: scenario.sweepCount)
    }

    /// Takes the next points.
    /// - Parameter isOver: Of each step, whether it ended before it came to its point in the last run. Steps that did not run are missing.
    /// - Returns: whether there is another run to make.
    mutating func advance(_ isOver: [Bool]) -> Bool {
        for index in numbers.indices.reversed() {
            guard index < isOver.count, isOver[index] else {
                numbers[index] += 1
                return true
            }
            numbers[index] = 1
        }
        return false
    }
}

extension Scenario {
    /// The failure of a step that was to crash at every operation and had none in any run: nothing was tried.
    func neverCrashes(besides crashed: Set<Int>, of count: Int) -> ScenarioFailure? {
        guard let index = (0..<count).first(where: { !crashed.contains($0) }), index < sweepingSteps.count else { return nil }
        let step = sweepingSteps[index]
        let missing = step.outcome == .isCancelledAtEveryOperation ? "nothing was cancelled" : "it never crashed"
        return ScenarioFailure(
            message:
                "this step has no storage operation, so \(missing); what the app stores because of it may come later, in the steps after it",
            path: step.range.path, line: step.range.line, column: step.range.column, length: step.range.length, source: step.source,
            phase: step.phase)
    }

    /// How many steps crash at every operation. Asked at every run, and mostly 0.
    var sweepCount: Int {
        steps.reduce(0) { count, step in
            if case .together(let inner) = step.action { return count + inner.count(where: \.isSweeping) }
            return step.isSweeping ? count + 1 : count
        }
    }

    /// The steps that crash at every operation, in order.
    var sweepingSteps: [ScenarioStep] {
        steps.flatMap { step in
            if case .together(let inner) = step.action { inner } else { [step] }
        }.filter(\.isSweeping)
    }
}

extension ScenarioStep {
    fileprivate var isSweeping: Bool { outcome?.isSweeping == true }
}
