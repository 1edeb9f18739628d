/// Calls the roll of the shards whose reports are joined: which are there, which are missing, and which do not belong.
struct ShardRoll {
    /// The parts to join, in the order of their shards.
    private(set) var parts: [ReportPart] = []
    /// What is wrong, in sentences.
    private(set) var complaints: [String] = []
    /// How many shards there should be; `nil` where the parts are none.
    private(set) var count: Int?

    init(_ given: [ReportPart]) {
        guard let first = given.first else { return }
        count = given.compactMap(\.shard).first?.count
        var seen: [Int: String] = [:]
        for part in given {
            guard let count else {
                if let other = parts.first(where: { $0.hasRuns(of: part) }) {
                    complaints.append("\(part.path) is left out: it is of the same search as \(other.path), so its runs would count twice")
                    continue
                }
                parts.append(part)
                continue
            }
            guard let shard = part.shard else {
                complaints.append("\(part.path) is left out: it is of no shard, and others are")
                continue
            }
            guard shard.count == count else {
                complaints.append("\(part.path) is left out: it is of \(shard.name), and others are of \(count)")
                continue
            }
            if let other = seen[shard.number] {
                complaints.append("\(part.path) is left out: \(shard.name) is there already, in \(other)")
                continue
            }
            seen[shard.number] = part.path
            complainOfDifferences(part, first)
            parts.append(part)
        }
        parts = parts.enumerated().sorted { ($0.element.shard?.number ?? 0, $0.offset) < ($1.element.shard?.number ?? 0, $1.offset) }.map(
            \.element)
        if let count { complainOfMissing((1...count).filter { seen[$0] == nil }, of: count) }
        complainOfLackingRuns()
    }

    /// A report from which runs were lost says how many it had, and all of them together how many were selected.
    private mutating func complainOfLackingRuns() {
        let isComplete = complaints.isEmpty
        var isEachComplete = true
        let reports = parts.compactMap { part -> (path: String, report: RunReport)? in
            if case .runs(let report) = part.content { (part.path, report) } else { nil }
        }
        for (path, report) in reports {
            let there = report.records.count
            let (lacking, what) =
                if let stated = report.statedCount, stated > there {
                    (stated - there, "it says that it has \(stated), and \(Self.areIn(there)) it")
                } else if count == nil, let extent = report.extent, extent.count > there + report.summary.notRun {
                    (extent.count - there - report.summary.notRun, "\(extent.count) were selected, and \(Self.areIn(there)) it")
                } else {
                    (0, "")
                }
            guard lacking > 0 else { continue }
            isEachComplete = false
            complaints.append("\(path) lacks \(Plural.of(lacking, "run")): \(what)")
        }
        guard count != nil, isComplete, isEachComplete, let extent = reports.first?.report.extent else { return }
        let there = reports.reduce(0) { $0 + $1.report.records.count }
        let lacking = extent.count - there - reports.reduce(0) { $0 + $1.report.summary.notRun }
        guard lacking > 0 else { return }
        let each = reports.map { "\($0.report.records.count) in \($0.path)" }.prefix(20).joined(separator: ", ")
        complaints.append("the shards lack \(Plural.of(lacking, "run")): \(extent.count) were selected, and there are \(each)")
    }

    private static func areIn(_ count: Int) -> String { count == 1 ? "1 is in" : "\(count) are in" }

    /// Parts of a whole were made by one tool, of one selection. Reports that are no shards may be of anything, and are not asked.
    private mutating func complainOfDifferences(_ part: ReportPart, _ first: ReportPart) {
        for (fact, reference) in zip(part.commonFacts, first.commonFacts) where fact.value != reference.value {
            complaints.append(
                "\(part.path) is part of another whole than \(first.path): its \(fact.name) is \(fact.value), not \(reference.value)")
            return
        }
    }

    private mutating func complainOfMissing(_ numbers: [Int], of count: Int) {
        guard let first = numbers.first else { return }
        let shown = numbers.prefix(20).map(String.init).joined(separator: ", ") + (numbers.count > 20 ? ", …" : "")
        complaints.append(
            numbers.count == 1
                ? "shard \(first) of \(count) is missing: what it did is not in here"
                : "shards \(shown) of \(count) are missing: what they did is not in here")
    }
}
