import Foundation

/// The faults of each scenario that none of its runs triggered. A row of a table of examples is a scenario of its own.
///
/// Only of a scenario all of whose runs are known this can be said: not by a shard that has some of them, nor where the first failure ended the work. A run
/// that failed did not come to its end, so what it did not trigger counts for nothing; what it did was triggered.
struct FaultTally: Sendable {
    static let title = "Faults that were never triggered"

    struct Entry: Sendable, Hashable {
        /// Of the scenario, with its row as written.
        let name: String
        /// Each as one line.
        let faults: [String]

        func isOf(_ record: RunRecord) -> Bool { name == Self.name(of: record) }

        static func name(of record: RunRecord) -> String { record.scenarioName + (record.rowLabel.map { "  \($0)" } ?? "") }
    }

    /// What is known of a scenario while its runs come in.
    private struct Count {
        var runs = 0
        /// What no run triggered that came to its end; `nil` where none did.
        var untriggered: [String]?
        /// What a run triggered that did not come to its end.
        var triggered: Set<String> = []
    }

    /// How many runs a scenario of that name has, by all shards together.
    private let runCount: @Sendable (String) -> Int
    private var counts: [String: Count] = [:]
    private(set) var entries: [Entry] = []

    init(runCount: @escaping @Sendable (String) -> Int) {
        self.runCount = runCount
    }

    init(runsPerScenario: Int) {
        self.init { _ in runsPerScenario }
    }

    mutating func note(_ record: RunRecord) {
        guard record.problems.isEmpty else { return }
        let name = record.scenarioName
        var count = counts[name] ?? Count()
        count.runs += 1
        if record.isWhole {
            count.untriggered = count.untriggered.map { $0.filter(record.untriggeredLines.contains) } ?? record.untriggeredLines
        } else {
            count.triggered.formUnion(record.triggeredLines)
        }
        guard count.runs == runCount(name) else {
            counts[name] = count
            return
        }
        counts[name] = nil
        let faults = (count.untriggered ?? []).filter { !count.triggered.contains($0) }
        guard !faults.isEmpty else { return }
        entries.append(Entry(name: Entry.name(of: record), faults: faults))
    }
}

extension FaultTally {
    /// The reports of runs that are joined.
    ///
    /// - Parameter areShards: Whether they are parts of one selection. Otherwise each has all runs of its scenarios.
    init(of reports: [RunReport], areShards: Bool) {
        var runCounts: [String: Int] = [:]
        for report in reports {
            let count = report.extent.map { $0.scenarios > 0 ? $0.runs / $0.scenarios : 0 } ?? 0
            for name in Set(report.records.map(\.scenarioName)) {
                if areShards { runCounts[name] = count } else { runCounts[name, default: 0] += count }
            }
        }
        self.init { [runCounts] in runCounts[$0] ?? 0 }
    }
}

extension RunRecord {
    /// Whether the run came to where every fault of it had its chance: to its end, or as a canary to where it must fail.
    var isWhole: Bool { earlyEnd == nil && (outcome == .passed || canary != nil && isGreen) }
    /// The faults that no operation of the run came to, and those that one did, each as one line.
    var untriggeredLines: [String] { retold?.untriggered ?? untriggered.map(\.description) }
    var triggeredLines: [String] { retold?.triggered ?? triggered.map(\.description) }

    /// The name without seed and order, which a JUnit report adds to it.
    var scenarioName: String {
        guard retold != nil, let range = name.range(of: #" \(seed [0-9]+(, order [0-9]+)?\)$"#, options: .regularExpression) else {
            return name
        }
        return String(name[..<range.lowerBound])
    }
}

extension [FaultTally.Entry] {
    /// What to print; nothing where there is nothing to tell.
    func lines(style: Style = Style(isColoured: false), isVerbose: Bool = false) -> [String] {
        ScenarioNotes.lines(FaultTally.title, of: map { ($0.name, $0.faults) }, count: count, style: style, isVerbose: isVerbose)
    }
}
