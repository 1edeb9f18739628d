import DeviceSim

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
            for line in lines(of: problems, style: console.style, limit: limit, program: console.program) { console.print(line) }
            annotate(problems, on: console, limit: limit)
            statuses.formUnion(problems.map(\.status))
        }
        return statuses
    }

    /// More than this many of one file are not shown: the first ones have to be mended anyway.
    static let limit = 20

    /// The problems of one file.
    static func lines(of problems: [FileProblem], style: Style, limit: Int = limit, program: String = "pairsim") -> [String] {
        var lines = Array(problems.prefix(limit).map { Self.lines(of: $0, style: style) }.joined(separator: [""]))
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
                    path: problem.path, line: problem.line, column: problem.column, title: "Does not parse", message: problem.message))
        }
    }

    private static func lines(of problem: FileProblem, style: Style) -> [String] {
        let lines = SafeText.block(problem.text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // A newline at the end is the end of the last line, not another line.
        return (lines.last == "" ? lines.dropLast() : lines[...]).map {
            $0.replacing("error:", with: style.paint("error:", .boldRed), maxReplacements: 1)
        }
    }
}
