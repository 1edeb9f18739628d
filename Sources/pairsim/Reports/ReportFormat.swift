import Foundation

/// The kinds of reports.
enum ReportFormat: String, CaseIterable, Sendable {
    case junit, json, tap, html

    /// The ones that a search can be told in.
    static let ofExplorations: [ReportFormat] = [.junit, .json]

    func render(_ report: RunReport) -> Data {
        switch self {
        case .junit: Data(JUnitReport.render(report).utf8)
        case .json: Data(JSONReport.render(report).utf8)
        case .tap: Data(TAPReport.render(report).utf8)
        case .html: Data(HTMLReport.render(report).utf8)
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

extension ReportRequest {
    init(format: ReportFormat, path: String) {
        self.format = format
        self.path = path
    }
}

extension Console {
    func write(_ report: RunReport, as request: ReportRequest, files: any FileAccess) -> Bool {
        write(request.format.render(report), as: request, files: files)
    }

    func write(_ report: ExplorationReport, as request: ReportRequest, files: any FileAccess) -> Bool {
        write(Data((request.format == .json ? report.json() : report.junit()).utf8), as: request, files: files)
    }

    /// Writes a report where it is wanted, or complains.
    /// - Returns: Whether it is written.
    private func write(_ report: Data, as request: ReportRequest, files: any FileAccess) -> Bool {
        guard request.path != "-" else {
            emit(String(decoding: report, as: UTF8.self))
            return true
        }
        do throws(FileError) {
            try files.write(report, to: request.path)
            return true
        } catch {
            complain(error.text("write the \(request.format.rawValue) report"))
            return false
        }
    }
}
