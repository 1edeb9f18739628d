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
                ("strategies", search.strategies.joined(separator: ", ")), ("number of steps", "\(search.steps)"),
            ]
        }
    }
}
