import DeviceSim

/// A search as JUnit: a case for each invariant, which passes if no run broke it, and one for each kind of failure.
extension ExplorationReport {
    static let suiteName = "pairsim explore"

    func junit() -> String {
        var cases: [JUnitDocument.Case] = []
        for invariant in Invariant.allCases {
            let failures = found.filter { $0.invariant == invariant }
            if failures.isEmpty { cases.append(JUnitDocument.Case(name: invariant.sentence, className: invariant.rawValue)) }
            for failure in failures {
                let name = invariant.sentence + (failure.detail.isEmpty ? "" : " (\(failure.detail))")
                let text =
                    failure.lines(style: Style(isColoured: false)) + [
                        failure.replayLine(style: Style(isColoured: false), program: "pairsim")
                    ]
                cases.append(
                    JUnitDocument.Case(
                        name: name, className: invariant.rawValue,
                        fault: .init(
                            element: "failure", message: failure.explanation.first ?? invariant.sentence, type: invariant.rawValue,
                            text: text.joined(separator: "\n"))))
            }
        }
        var properties = JUnitDocument.properties(seed: search.seed, status: status, version: version, shard: shard)
        properties += [("runs", "\(runs)"), ("failingRuns", "\(failingRuns)"), ("over", search.over.joined(separator: ", "))]
        let suite = JUnitDocument.Suite(name: Self.suiteName, properties: properties, cases: cases, seconds: seconds)
        return JUnitDocument(name: Self.suiteName, suites: [suite], seconds: seconds).rendered()
    }
}
