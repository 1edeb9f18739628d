/// How many runs came out how.
struct RunSummary: Sendable {
    private(set) var passed = 0
    /// Of those passed, the ones that failed as they must.
    private(set) var canaries = 0
    var notRun = 0
    private var bad: [RunRecord.Outcome: Int] = [:]
    private(set) var statuses: Set<ExitStatus> = []

    mutating func count(_ record: RunRecord) {
        statuses.insert(record.status)
        guard !record.isGreen else {
            passed += 1
            canaries += record.canary == nil ? 0 : 1
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
        return parts.joined(separator: ", ")
    }
}
