/// A failure as a person reads it.
enum FailureText {
    /// - Parameters:
    ///   - program: How the user calls the tool.
    ///   - options: What the command that replays it wants besides, here.
    ///   - isPersonal: Whether nobody reads it but the person who has the file: of a mistake in it the line is shown as it is written.
    static func lines(
        of record: RunRecord, style: Style, program: String = "pairsim", beside options: String = "", isPersonal: Bool = false
    ) -> [String] {
        if let retold = record.retold { return retold.text.map(SafeText.line) }
        guard record.problems.isEmpty else {
            return ProblemText.lines(of: record.problems, style: style, isPersonal: isPersonal)
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
        let replay = program + record.replay.dropFirst("pairsim".count) + options
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
        let comparison = [
            ("expected", LongText.shown(failure.expected, besides: failure.actual), Style.Paint.green),
            ("actual", LongText.shown(failure.actual, besides: failure.expected), Style.Paint.red),
        ]
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
        if comparison.contains(where: { $0.1?.contains("(secret ") == true }) {
            let indent = String(repeating: " ", count: 12)
            lines.append(indent + style.paint("`pairsim explain secret` says why values are not shown", .dim))
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

/// Shows the problems of files, a blank line between two of them.
enum ProblemText {
    /// - Parameters:
    ///   - files: The problems of each file.
    ///   - limit: How many of each are shown.
    /// - Returns: What they add to the exit status.
    static func show(_ files: [[FileProblem]], on console: Console, limit: Int = limit) -> Set<ExitStatus> {
        var statuses: Set<ExitStatus> = []
        for (index, problems) in files.enumerated() {
            if index > 0 { console.print() }
            let lines = lines(
                of: problems, style: console.style, limit: limit, program: console.program, isPersonal: console.isPersonal)
            for line in lines { console.print(line) }
            for problem in problems { console.answer(problem) }
            annotate(problems, on: console, limit: limit)
            statuses.formUnion(problems.map(\.status))
        }
        return statuses
    }

    /// More than this many of one file are not shown: the first ones have to be mended anyway.
    static let limit = 20

    /// The problems of one file.
    /// - Parameter isPersonal: Whether nobody reads it but the person who has the file: lines are shown as they are written.
    static func lines(
        of problems: [FileProblem], style: Style, limit: Int = limit, program: String = "pairsim", isPersonal: Bool = false
    ) -> [String] {
        // A line that says that there is one more takes the place of that one.
        let limit = limit == Self.limit && problems.count == limit + 1 ? limit + 1 : limit
        let shown = problems.prefix(limit).map { Self.lines(of: isPersonal ? $0.textAsWritten : $0.text, style: style) }
        var lines = Array(shown.joined(separator: [""]))
        if problems.count > limit {
            let path = problems[0].path
            // A file with more is not looked at to its end.
            let most = ScenarioCompiler.maximumErrorCount
            let more = problems.count >= most ? "more errors" : Plural.of(problems.count - limit, "more error")
            let how = limit < most ? "; \(program) check --max-errors \(most) \(SafeText.line(ShellWord.quoted(path))) shows them" : ""
            lines += ["", "… and \(more) in \(SafeText.line(path))\(how)"]
        }
        return lines
    }

    static func annotate(_ problems: [FileProblem], on console: Console, limit: Int = limit) {
        for problem in problems.prefix(limit) {
            console.annotate(
                GitHubAnnotation.error(
                    path: console.annotated(problem.path), line: problem.line, column: problem.column, title: "Does not parse",
                    message: problem.message))
        }
    }

    private static func lines(of text: String, style: Style) -> [String] {
        let lines = SafeText.block(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // A newline at the end is the end of the last line, not another line.
        return (lines.last == "" ? lines.dropLast() : lines[...]).map {
            $0.replacing("error:", with: style.paint("error:", .boldRed), maxReplacements: 1)
        }
    }
}

/// A workflow command that marks a place in the files of a pull request.
enum GitHubAnnotation {
    /// - Parameter path: `nil` for what is about no file.
    static func error(path: String?, line: Int? = nil, column: Int? = nil, title: String, message: String) -> String {
        var properties: [String] = []
        if let path { properties.append("file=\(property(path))") }
        if let line { properties.append("line=\(line)") }
        if let column { properties.append("col=\(column)") }
        properties.append("title=\(property(title))")
        return "::error \(properties.joined(separator: ","))::\(data(message))"
    }

    private static func data(_ text: String) -> String {
        let escaped = text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
        return SafeText.line(escaped)
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
