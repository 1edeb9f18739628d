import Foundation

/// The kinds of reports.
enum ReportFormat: String, CaseIterable, Sendable {
    case junit, json, tap, html, mermaid, perfetto

    /// Whether it shows what happened in runs.
    var tellsRuns: Bool {
        switch self {
        case .junit, .json, .tap: false
        case .html, .mermaid, .perfetto: true
        }
    }

    /// The ones that a search can be told in.
    static let ofExplorations: [ReportFormat] = [.junit, .json]
    /// The ones that can be made of other reports, which do not have what happened in runs.
    static let ofMerges: [ReportFormat] = [.junit, .json, .tap, .html]

    /// - Parameter path: Where it is to go: a diagram in a file of its own notation stands alone.
    func render(_ report: RunReport, to path: String = "") -> Data {
        switch self {
        case .junit: Data(JUnitReport.render(report).utf8)
        case .json: Data(JSONReport.render(report).utf8)
        case .tap: Data(TAPReport.render(report).utf8)
        case .html: Data(HTMLReport.render(report).utf8)
        case .mermaid: Data((path.hasSuffix(".mmd") ? MermaidReport.renderAlone(report) : MermaidReport.render(report)).utf8)
        case .perfetto: Data(PerfettoReport.render(report).utf8)
        }
    }
}

/// A report that was asked for.
struct ReportRequest: Equatable, Sendable {
    let format: ReportFormat
    /// `-` for standard output.
    let path: String
    /// The environment variable in which a test runner names the file; `nil` where an option does.
    var variable: String?

    /// What names the file, as somebody wrote it.
    var origin: String { variable.map { "\($0)=\(path)" } ?? "--report \(format.rawValue)=\(path)" }
    /// What cannot be done where it cannot be written.
    var purpose: String { "write the \(format.rawValue) report" + (variable.map { " that \($0) names" } ?? "") }

    /// - Parameter option: `FORMAT=FILE`, already validated.
    init?(option: String) {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let format = ReportFormat(rawValue: parts[0]) else { return nil }
        self.format = format
        path = parts[1]
    }
}

extension ReportRequest {
    init(format: ReportFormat, path: String, variable: String? = nil) {
        self.format = format
        self.path = path
        self.variable = variable
    }
}

extension ReportRequest {
    /// What stands for each run's name in a path.
    static let placeholder = "{name}"

    /// Whether each run gets a report of its own.
    var isPattern: Bool { path.contains(Self.placeholder) }
}

/// Names the reports of single runs: `Scenarios/sync/echo.scenario` under seed 7 and order 3 is `Scenarios-sync-echo.seed-7.order-3`.
struct ReportNames {
    private var used: Set<String> = []

    mutating func name(of record: RunRecord) -> String {
        let parts = record.path.split(separator: "/").map(String.init).filter { $0 != "." && $0 != ".." }
        var base = parts.joined(separator: "-")
        if base.hasSuffix(ScenarioFinder.suffix) { base.removeLast(ScenarioFinder.suffix.count) }
        base += record.row
        if record.isVaried, let variation = record.variation { base += ".seed-\(variation.seed).order-\(variation.order)" }
        // A name of a file, on every system: no separators, nothing that a shell or a URL reads, no leading point.
        base = String(base.map { $0.isLetter || $0.isNumber || "-_.[]".contains($0) ? $0 : "_" }.prefix(120))
        // What a folder takes is counted in bytes.
        while base.utf8.count > 180 { base.removeLast() }
        if base.isEmpty || base.hasPrefix(".") { base = "run" + base }
        var name = base
        var count = 1
        while !used.insert(name).inserted {
            count += 1
            name = "\(base)~\(count)"
        }
        return name
    }
}

extension RunReport {
    /// The report of one of its runs.
    func with(only record: RunRecord) -> RunReport {
        var summary = RunSummary()
        summary.count(record)
        return RunReport(
            records: [record], summary: summary, seconds: record.seconds, seed: seed, status: record.status, shard: shard, extent: extent,
            version: version, neverTriggered: neverTriggered.filter { $0.isOf(record) })
    }
}

extension Console {
    func write(_ report: RunReport, as request: ReportRequest, files: any FileAccess) -> Bool {
        guard request.isPattern else { return write(request.format.render(report, to: request.path), as: request, files: files) }
        var names = ReportNames()
        var areWritten = true
        for record in report.records where !request.format.tellsRuns || record.told != nil {
            let path = request.path.replacing(ReportRequest.placeholder, with: names.name(of: record))
            let one = ReportRequest(format: request.format, path: path)
            // One that cannot be written keeps no other from being.
            if !write(request.format.render(report.with(only: record), to: path), as: one, files: files) { areWritten = false }
        }
        return areWritten
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
            try files.replaceOurs(report, at: request.path)
            return true
        } catch {
            complain(error.text(request.purpose))
            return false
        }
    }
}
