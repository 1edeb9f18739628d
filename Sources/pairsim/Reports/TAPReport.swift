/// Runs in the Test Anything Protocol, version 14: a line for each run, and for one that failed a block of YAML with what a person reads.
enum TAPReport {
    static func render(_ report: RunReport) -> String {
        let part = report.shard.map { ", shard \($0.notation)" } ?? ""
        let count = report.records.count + report.summary.notRun
        var lines = ["TAP version 14", "# pairsim \(SafeText.line(report.version)), seed \(report.seed)\(part)", "1..\(count)"]
        for (index, record) in report.records.enumerated() {
            let name = record.folder == "." ? record.caseName : record.folder + "/" + record.caseName
            lines.append("\(record.isGreen ? "ok" : "not ok") \(index + 1) - \(description(name))")
            if !record.isGreen { lines += details(of: record) }
            if let end = record.earlyEnd { lines.append("# \(end.text)") }
        }
        if report.summary.notRun > 0 {
            let why = report.status == .interrupted ? "interrupted" : "stopped at the first failure"
            lines.append("Bail out! \(why), \(report.summary.notRun) not run")
        }
        lines += report.neverTriggered.lines(isVerbose: true).map { "# " + $0 }
        lines.append("# \(report.summary.text)")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func details(of record: RunRecord) -> [String] {
        var lines = ["  ---", "  message: \(quoted(record.headline))", "  outcome: \(record.outcome.rawValue)"]
        lines.append("  file: \(quoted(record.faultPath))")
        if let line = record.line { lines.append("  line: \(line)") }
        lines.append("  text: |")
        lines += FailureText.lines(of: record, style: Style(isColoured: false)).map { $0.isEmpty ? "" : "    " + $0 }
        return lines + ["  ..."]
    }

    /// A `#` would begin a directive, such as one to skip the test.
    private static func description(_ text: String) -> String {
        SafeText.line(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
    }

    /// In double quotation marks, YAML reads what JSON does.
    private static func quoted(_ text: String) -> String {
        String(JSONValue.text(text).rendered().dropLast())
    }
}
