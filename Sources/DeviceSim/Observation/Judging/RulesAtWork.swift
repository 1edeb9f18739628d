import DeviceSimCatalogue
import DeviceSimCore

/// Which rules of the session a run shows at work.
package enum RulesAtWork {
    /// The rules of which a trace can tell, in the order of their numbers: those that a line of it may confirm (``RuleJudge``).
    /// Of W37 a recorder's log tells, which says with each failure whether the counterpart seemed reachable, and no trace of a simulation.
    package static let told: [SessionRule] = SessionRule.table.filter { numbers.contains($0.number) }.sorted { $0.number < $1.number }

    private static let numbers: Set<Int> = [
        2, 3, 7, 8, 9, 12, 13, 14, 16, 22, 23, 32, 33, 34, 40, 41, 42, 43, 44, 48, 51, 60, 61, 62, 64, 65, 66, 67, 68, 69, 71, 73, 80,
        81, 82,
        83, 85, 86, 87, 88, 91, 96, 100, 101, 102, 110, 111, 113, 115, 119, 122, 126, 140, 141, 142,
    ]

    /// The rules that a line of the trace confirms, in the order of their numbers.
    package static func rules(in trace: Trace) -> [SessionRule] {
        let log = JoinedLog([ObservedLog(name: "run", file: 0, bytes: trace.json())])
        return RuleJudge.verdicts(on: log).filter { $0.confirmationCount > 0 }.map(\.rule)
    }
}
