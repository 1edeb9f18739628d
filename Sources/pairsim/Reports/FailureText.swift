import DeviceSim

/// A failure as a person reads it.
enum FailureText {
    /// - Parameter program: How the user calls the tool.
    static func lines(of record: RunRecord, style: Style, program: String = "pairsim") -> [String] {
        if let retold = record.retold { return retold.text.map(SafeText.line) }
        guard record.problems.isEmpty else {
            return ProblemText.lines(of: record.problems, style: style)
        }
        // What a person reads in several lines, such as a list of events, stays in several.
        let headline = SafeText.block(record.headline).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var lines = [heading(of: record, headline.first ?? "", style: style)] + headline.dropFirst().map { "  " + $0 }
        var about = record.title.isEmpty ? [] : [record.title]
        if !record.row.isEmpty { about.append(record.row + (record.rowLabel.map { " " + $0 } ?? "")) }
        if let variation = record.variationText { about.append(variation) }
        if !about.isEmpty { lines.append("  " + style.paint(SafeText.line(about.joined(separator: "  ")), .dim)) }
        if let failure = record.failure {
            lines += details(of: failure, style: style)
        }
        if let pins = record.failure?.pins, !pins.isEmpty {
            lines += ["", "  \(style.paint("crash", .bold))     \(SafeText.line(pins[0]))"]
            lines += pins.dropFirst().map { "            \(SafeText.line($0))" }
        }
        let replay = program + record.replay.dropFirst("pairsim".count)
        lines += ["", "  \(style.paint("replay", .bold))    \(SafeText.line(replay))"]
        return lines
    }

    /// `Scenarios/sync/echo.scenario:14:1: failed: what is wrong`
    private static func heading(of record: RunRecord, _ headline: String, style: Style) -> String {
        let place = ([SafeText.line(record.faultPath)] + [record.line, record.column].compactMap { $0.map(String.init) })
            .joined(separator: ":")
        let word = record.outcome == .passed ? "failed" : record.outcome == .failed ? "failed" : record.outcome.status.phrase
        return style.paint(place, .bold) + ": " + style.paint(word, .boldRed) + ": " + headline
    }

    private static func details(of failure: ScenarioFailure, style: Style) -> [String] {
        var lines: [String] = []
        if let phase = failure.phase, !phase.isEmpty {
            lines += ["", "  \(style.paint("phase", .bold))     \(SafeText.line(phase))"]
        }
        if let source = failure.source {
            lines += [""] + excerpt(source, of: failure, style: style)
        }
        let comparison = [("expected", failure.expected, Style.Paint.green), ("actual", failure.actual, Style.Paint.red)]
        if failure.expected != nil || failure.actual != nil { lines.append("") }
        for case let (label, text?, paint) in comparison {
            let parts = SafeText.block(text).split(separator: "\n", omittingEmptySubsequences: false)
            for (index, part) in parts.enumerated() {
                let head =
                    index == 0
                    ? style.paint(label, .bold) + String(repeating: " ", count: 10 - label.count) : String(repeating: " ", count: 10)
                lines.append("  \(head)" + style.paint(String(part), paint))
            }
        }
        if !failure.lastEvents.isEmpty {
            lines += ["", "  " + style.paint("last events (seconds, device, run of the app, event)", .bold)]
            lines += failure.lastEvents.map { "    " + SafeText.line($0) }
        }
        return lines
    }

    /// The step with its line number, and a caret under each letter at fault.
    private static func excerpt(_ source: String, of failure: ScenarioFailure, style: Style) -> [String] {
        let number = failure.line.map(String.init) ?? ""
        let gutter = String(repeating: " ", count: max(0, 6 - number.count)) + number
        var lines: [String] = []
        for (index, part) in source.replacing("\r\n", with: "\n").split(separator: "\n").enumerated() {
            let head = index == 0 ? gutter : String(repeating: " ", count: gutter.count)
            lines.append("  " + style.paint("\(head) | ", .cyan) + SafeText.line(String(part)))
            guard index == 0 else { continue }
            // The step begins at the column of the failure, so the carets begin with it, after its indentation if that was kept.
            let indentation = part.prefix { $0 == " " || $0 == "\t" }
            let words = part.dropFirst(indentation.count).prefix(failure.length ?? part.count)
            let carets = String(repeating: "^", count: max(1, SafeText.cells(SafeText.line(String(words)))))
            let spaces = String(repeating: " ", count: SafeText.cells(SafeText.line(String(indentation))))
            lines.append(
                "  " + style.paint(String(repeating: " ", count: gutter.count) + " | ", .cyan) + spaces + style.paint(carets, .boldRed))
        }
        return lines
    }
}
