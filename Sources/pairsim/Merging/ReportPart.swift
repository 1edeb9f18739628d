import Foundation

/// A report that was read, to be joined with others.
struct ReportPart: Sendable {
    let path: String
    let content: Content
    /// Whether only what JUnit says is known.
    let isJUnit: Bool

    enum Content: Sendable {
        case runs(RunReport)
        case search(ExplorationReport)
    }

    /// - Throws: what is wrong with the bytes.
    init(path: String, data: Data) throws(ReportFault) {
        self.path = path
        guard !data.isEmpty else { throw ReportFault("it is empty: what was to write it did not come to its end") }
        let start = data.first { !" \t\r\n".utf8.contains($0) }
        isJUnit = start == UInt8(ascii: "<")
        guard !isJUnit else {
            content = .runs(try JUnitReport.read(data))
            return
        }
        let document = try JSONValue(reading: data).members("the document")
        let format = try? document.text("format")
        guard format == JSONReport.format || format == ExplorationReport.format else { throw ReportFault("it is no report of pairsim") }
        let version = try document.count("version")
        guard version == 1 else { throw ReportFault("it is of version \(version), and this pairsim reads version 1") }
        content = format == JSONReport.format ? .runs(try JSONReport.read(document)) : .search(try ExplorationReport(document))
    }

    var shard: Shard? {
        switch content {
        case .runs(let report): report.shard
        case .search(let report): report.shard
        }
    }

    var status: ExitStatus {
        switch content {
        case .runs(let report): report.status
        case .search(let report): report.status
        }
    }

    /// Whether both are reports of one search, none of them of a shard. A search makes its runs in their order, so the shorter one's are among the longer one's.
    func hasRuns(of other: ReportPart) -> Bool {
        guard case .search(let one) = content, case .search(let two) = other.content, one.search == two.search else { return false }
        guard one.exhaustive.map({ $0.json.rendered() }) == two.exhaustive.map({ $0.json.rendered() }) else { return false }
        // A report of one run may be of `--only`.
        return one.runs > 1 && two.runs > 1 || one.json() == two.json()
    }

    /// What the parts of one whole have in common, each with what it is called.
    var commonFacts: [(name: String, value: String)] {
        switch content {
        case .runs(let report):
            let selection = report.extent.map { "\($0.scenarios) scenarios, \($0.runs) runs, digest \($0.digest)" } ?? "unknown"
            return [("version of pairsim", report.version), ("seed", "\(report.seed)"), ("selection", selection)]
        case .search(let report):
            let search = report.search
            return [
                ("version of pairsim", report.version), ("seed", "\(search.seed)"), ("scenarios", search.over.joined(separator: ", ")),
                // Files may say something else under their names.
                ("digest of what the scenarios say", search.content ?? "unknown"),
                ("app under test", search.isOfOwnCode ? "one without LocalData" : "one with LocalData"),
                ("strategies", search.strategies.joined(separator: ", ")), ("number of steps", "\(search.steps)"),
                ("kinds of faults", search.faults.isEmpty ? "all" : search.faults.joined(separator: ", ")),
                ("comparison with another build", report.comparisons == nil ? "not made" : "made"),
            ]
        }
    }
}

extension RunReport {
    /// The report of the whole, of those of its parts. Joined shards give, byte for byte, the JSON report of an invocation without shards.
    ///
    /// - Parameters:
    ///   - reports: At least one, in the order of the shards.
    ///   - areShards: Whether they are parts of one selection; otherwise their runs keep the order of the reports.
    init(joining reports: [RunReport], areShards: Bool) {
        var records = reports.flatMap(\.records)
        var extent = reports.count == 1 || areShards ? reports.first?.extent : nil
        if areShards {
            if records.allSatisfy({ $0.position != nil }) {
                records.sort { ($0.position ?? 0) < ($1.position ?? 0) }
            } else {
                records.sort { $0.path != $1.path ? $0.path < $1.path : $0.name < $1.name }
            }
        } else if reports.count > 1 {
            for index in records.indices { records[index].position = nil }
            extent = nil
        }
        var summary = RunSummary()
        for record in records { summary.count(record) }
        summary.notRun = reports.reduce(0) { $0 + $1.summary.notRun }
        self.init(
            records: records, summary: summary, seconds: reports.reduce(0) { $0 + $1.seconds }, seed: reports.first?.seed ?? 0,
            status: ExitStatus.foremost(reports.map(\.status)), extent: extent, version: reports.first?.version ?? HelpText.versionNumber)
        var faults = FaultTally(of: reports, areShards: areShards)
        for record in records { faults.note(record) }
        neverTriggered = faults.entries
    }

    /// What several parts have both run, which shards of one whole never do.
    var namesThatAreThereTwice: [String] {
        struct Run: Hashable {
            let name: String
            let variation: RunVariation?
        }
        var seen: Set<Run> = []
        var names: [String] = []
        for record in records where !seen.insert(Run(name: record.name, variation: record.variation)).inserted && names.last != record.name
        {
            names.append(record.name)
        }
        return names
    }
}
