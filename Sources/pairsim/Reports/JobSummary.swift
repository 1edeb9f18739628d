import Foundation

/// What a job of GitHub Actions shows on its own page: the file that `GITHUB_STEP_SUMMARY` names gets it, behind what other steps have written there.
enum JobSummary {
    /// GitHub takes 1 MiB of a step; a reader takes less.
    static let byteLimit = 256 * 1024
    private static let rowLimit = 50
    static let diagramLimit = 3

    static func render(_ report: RunReport) -> String {
        let failures = report.records.filter { !$0.isGreen }
        let start = report.status == .interrupted ? "interrupted: " : ""
        var text = "## pairsim: \(MermaidReport.markdown(start + report.summary.text))\n"
        guard !failures.isEmpty else { return text + faults(report) }
        text += "\n| scenario | line | what is wrong |\n| --- | --- | --- |\n"
        for record in failures.prefix(rowLimit) {
            let place = record.line.map { record.faultPath == record.path ? "\($0)" : "\(record.faultPath):\($0)" } ?? ""
            let line = MermaidReport.markdown(place)
            text += "| \(MermaidReport.markdown(record.name)) | \(line) | \(MermaidReport.markdown(record.headline)) |\n"
        }
        if failures.count > rowLimit { text += "\n… and \(failures.count - rowLimit) more.\n" }
        text += faults(report)
        for record in failures.filter({ $0.told != nil }).prefix(diagramLimit) {
            guard let told = record.told else { continue }
            let nearest = told.nearest.map { MermaidReport.markdown($0.text) + "\n\n" } ?? ""
            let part =
                "\n<details><summary>\(MermaidReport.markdown(record.name))</summary>\n\n\(nearest)```mermaid\n\(MermaidReport.diagram(of: told))```\n\n"
                + "Replay: `\(MermaidReport.code(record.replay))`\n\n</details>\n"
            guard text.utf8.count + part.utf8.count <= byteLimit else { break }
            text += part
        }
        return text
    }

    static func faults(_ report: RunReport) -> String {
        guard !report.neverTriggered.isEmpty else { return "" }
        var text = "\n### \(FaultTally.title)\n\n"
        for entry in report.neverTriggered.prefix(rowLimit) {
            text += "- \(MermaidReport.markdown(entry.name))\n"
            text += entry.faults.prefix(rowLimit).map { "  - \(MermaidReport.markdown($0))\n" }.joined()
            if entry.faults.count > rowLimit { text += "  - … and \(entry.faults.count - rowLimit) more\n" }
        }
        let more = report.neverTriggered.count - rowLimit
        return text + (more > 0 ? "\n… and in \(more) more.\n" : "")
    }

    /// Writes it behind what is there.
    static func append(_ report: RunReport, to path: String, files: any FileAccess) throws(FileError) {
        // A device or a pipe has nothing that stays, and may have no end.
        let before = try files.kind(of: path) == .file ? files.read(path) : Data()
        let gap = before.isEmpty || before.last == UInt8(ascii: "\n") ? "" : "\n"
        // Others may have the file open, and write to it at the same time.
        try files.append(Data((gap + render(report)).utf8), to: path)
    }
}
