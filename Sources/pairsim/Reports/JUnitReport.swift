/// Runs as JUnit: a suite for each folder, a case for each run; seed, status, version, and shard as properties.
///
/// An expectation that fails is a `failure`; a file that does not parse or a run that cannot be made is an `error`.
enum JUnitReport {
    static let name = "pairsim"

    static func render(_ report: RunReport) -> String {
        var properties = JUnitDocument.properties(seed: report.seed, status: report.status, version: report.version, shard: report.shard)
        if let extent = report.extent {
            properties += [("selection.scenarios", "\(extent.scenarios)"), ("selection.runs", "\(extent.runs)")]
            properties += [("selection.broken", "\(extent.brokenCount)"), ("selection.digest", extent.digest)]
        }
        if report.summary.notRun > 0 { properties.append(("notRun", "\(report.summary.notRun)")) }
        var records: [String: [RunRecord]] = [:]
        for record in report.records { records[record.folder, default: []].append(record) }
        // A shard without a run has something to say all the same.
        if records.isEmpty { records["."] = [] }
        let suites = records.keys.sorted().map { folder in
            let records = records[folder] ?? []
            return JUnitDocument.Suite(
                name: folder, properties: properties, cases: records.map(element), seconds: records.reduce(0) { $0 + $1.seconds })
        }
        return JUnitDocument(name: name, suites: suites, seconds: report.seconds).rendered()
    }

    private static func element(of record: RunRecord) -> JUnitDocument.Case {
        var item = JUnitDocument.Case(
            name: record.caseName, className: record.folder.split(separator: "/").joined(separator: "."), file: record.path,
            line: record.line,
            seconds: record.seconds)
        // The failures that nobody observed.
        item.output = record.retold?.output ?? record.unobserved.map { "\($0)" }.joined(separator: "\n")
        guard !record.isGreen else { return item }
        item.fault = .init(
            element: record.outcome == .unparsable || record.outcome == .cannotRun ? "error" : "failure", message: record.headline,
            type: record.outcome.rawValue,
            text: FailureText.lines(of: record, style: Style(isColoured: false)).joined(separator: "\n"))
        return item
    }
}
