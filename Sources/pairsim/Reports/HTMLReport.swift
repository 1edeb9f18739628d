/// Runs as one page that needs nothing else: no server, no network. Of each run that is told a picture with its steps and the state of the devices; of
/// the other failures their text; then everything by folder. For people who get it as a CI job's artifact.
enum HTMLReport {
    static let generator = "<meta name=\"generator\" content=\"pairsim\" />"

    static func render(_ report: RunReport) -> String {
        let told = report.records.filter { $0.told != nil }
        let rest = report.records.filter { !$0.isGreen && $0.told == nil }
        let isGreen = report.records.allSatisfy(\.isGreen)
        let part = report.shard.map { ", \($0.name)" } ?? ""
        var page = """
            <!DOCTYPE html>
            <html lang="en" data-theme="light">
            <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'" />
            \(generator)
            <title>pairsim: \(escaped(report.summary.text))</title>
            <style>
            \(ViewerSource.style)
            </style>
            </head>
            <body>
            <header>
            <h1 class="\(isGreen ? "passed" : "failed")">\(escaped(report.summary.text))</h1>
            <p>Seed \(report.seed)\(part), pairsim \(escaped(report.version))</p>

            """
        page += told.isEmpty ? "</header>\n" : ViewerSource.frame
        page += "<div class=\"all\">\n" + limits(report) + rest.map(section).joined() + faults(report) + table(report.records) + "</div>\n"
        if !told.isEmpty {
            page += "<script type=\"application/json\" id=\"data\">\(StoryData.document(of: told, version: report.version))</script>\n"
            page += "<script>\n\(ViewerSource.script)\n</script>\n"
        }
        return page + "</body>\n</html>\n"
    }

    /// What is not told, and why.
    private static func limits(_ report: RunReport) -> String {
        var text = ""
        if report.untold > 0 {
            text +=
                "<p>\(report.untold) more runs have no picture here: a page has one of each scenario, and at most \(ToldRun.runLimit).</p>\n"
        }
        // A run that was not made, or of which another process told, as reports that are joined do.
        let others = report.records.count { $0.isFailureWithoutPicture } - report.untold
        if others > 0 {
            text +=
                "<p>\(Plural.of(others, "failing run")) of other reports \(others == 1 ? "has" : "have") no picture here: reports that are joined carry "
                + "none. Its command under <i>replay</i> with <code>--report html=FILE</code> makes one.</p>\n"
        }
        return text
    }

    private static func section(_ record: RunRecord) -> String {
        let text = FailureText.lines(of: record, style: Style(isColoured: false)).joined(separator: "\n")
        return "<section>\n<h2>\(escaped(record.name))</h2>\n<pre>\(escaped(text))</pre>\n</section>\n"
    }

    private static func faults(_ report: RunReport) -> String {
        let lines = report.neverTriggered.lines(isVerbose: true).dropFirst()
        guard !lines.isEmpty else { return "" }
        return "<section>\n<h2>\(escaped(FaultTally.title))</h2>\n<pre>\(escaped(lines.joined(separator: "\n")))</pre>\n</section>\n"
    }

    private static func table(_ records: [RunRecord]) -> String {
        var text = "<table>\n"
        var folder: String?
        for record in records {
            if record.folder != folder { text += "<tr><th colspan=\"4\">\(escaped(record.folder))</th></tr>\n" }
            folder = record.folder
            let outcome =
                record.isGreen
                ? record.earlyEnd.map { "passed, \($0.text)" } ?? "passed"
                : record.outcome == .passed ? "failed" : record.outcome.status.phrase
            let cells = [record.caseName, record.title, outcome, record.duration.readable].map { "<td>\(escaped($0))</td>" }.joined()
            text += "<tr class=\"\(record.isGreen ? "passed" : "failed")\">\(cells)</tr>\n"
        }
        return text + "</table>\n"
    }

    private static func escaped(_ text: String) -> String {
        SafeText.block(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
            "\"", with: "&quot;")
    }
}

extension RunRecord {
    /// Whether there would be something to draw.
    fileprivate var isFailureWithoutPicture: Bool {
        guard !isGreen, told == nil else { return false }
        return retold != nil || steps > 0 && outcome != .cannotRun
    }
}
