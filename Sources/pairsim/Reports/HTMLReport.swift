/// Runs as one page that needs nothing else: the failures in full, then everything by folder. For people who get it as a CI job's artifact.
enum HTMLReport {
    static func render(_ report: RunReport) -> String {
        let failures = report.records.filter { !$0.isGreen }
        let part = report.shard.map { ", \($0.name)" } ?? ""
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>pairsim: \(escaped(report.summary.text))</title>
            <style>
            \(style)
            </style>
            </head>
            <body>
            <h1 class="\(failures.isEmpty ? "passed" : "failed")">\(escaped(report.summary.text))</h1>
            <p>Seed \(report.seed)\(part), pairsim \(escaped(report.version))</p>

            """
                + failures.map(section).joined() + table(report.records) + "</body>\n</html>\n"
    }

    private static func section(_ record: RunRecord) -> String {
        let text = FailureText.lines(of: record, style: Style(isColoured: false)).joined(separator: "\n")
        return "<section>\n<h2>\(escaped(record.name))</h2>\n<pre>\(escaped(text))</pre>\n</section>\n"
    }

    private static func table(_ records: [RunRecord]) -> String {
        var text = "<table>\n"
        var folder: String?
        for record in records {
            if record.folder != folder { text += "<tr><th colspan=\"4\">\(escaped(record.folder))</th></tr>\n" }
            folder = record.folder
            let outcome = record.isGreen ? "passed" : record.outcome == .passed ? "failed" : record.outcome.status.phrase
            let cells = [record.caseName, record.title, outcome, "\(record.duration)"].map { "<td>\(escaped($0))</td>" }.joined()
            text += "<tr class=\"\(record.isGreen ? "passed" : "failed")\">\(cells)</tr>\n"
        }
        return text + "</table>\n"
    }

    private static let style = """
        body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color-scheme: light dark; }
        h1 { font-size: 1.4rem; } h2 { font-size: 1rem; }
        h1.passed { color: #1a7f37; } h1.failed, tr.failed td:nth-child(3) { color: #cf222e; }
        pre { overflow-x: auto; padding: 1rem; border: 1px solid #8886; border-radius: 6px; font-size: 13px; }
        table { border-collapse: collapse; width: 100%; } th { text-align: left; padding-top: 1rem; } td { padding: 1px 1rem 1px 0; }
        """

    private static func escaped(_ text: String) -> String {
        SafeText.block(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
            "\"", with: "&quot;")
    }
}
