import Foundation

/// The kinds of reports that `run` writes.
enum ReportFormat: String, CaseIterable, Sendable {
    case junit, json

    func render(_ report: RunReport) -> Data {
        switch self {
        case .junit: Data(JUnitReport.render(report).utf8)
        case .json: Data(JSONReport.render(report).utf8)
        }
    }
}

/// A report that was asked for.
struct ReportRequest: Equatable, Sendable {
    let format: ReportFormat
    /// `-` for standard output.
    let path: String

    /// - Parameter option: `FORMAT=FILE`, already validated.
    init?(option: String) {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let format = ReportFormat(rawValue: parts[0]) else { return nil }
        self.format = format
        path = parts[1]
    }
}

/// What a report is written from.
struct RunReport: Sendable {
    let records: [RunRecord]
    let summary: RunSummary
    /// Of the whole invocation, by the wall clock.
    let seconds: Double
    let seed: UInt64
    let status: ExitStatus
}
