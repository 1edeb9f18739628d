/// Shows the problems of files, a blank line between two of them.
enum ProblemText {
    /// - Parameter files: The problems of each file.
    /// - Returns: What they add to the exit status.
    static func show(_ files: [[FileProblem]], on console: Console) -> Set<ExitStatus> {
        var statuses: Set<ExitStatus> = []
        for (index, problems) in files.enumerated() {
            if index > 0 { console.print() }
            for line in lines(of: problems, style: console.style) { console.print(line) }
            annotate(problems, on: console)
            statuses.formUnion(problems.map(\.status))
        }
        return statuses
    }

    /// More than this many of one file are not shown: the first ones have to be mended anyway.
    static let limit = 20

    /// The problems of one file.
    static func lines(of problems: [FileProblem], style: Style) -> [String] {
        var lines = Array(problems.prefix(limit).map { Self.lines(of: $0, style: style) }.joined(separator: [""]))
        if problems.count > limit {
            lines += ["", "… and \(Plural.of(problems.count - limit, "more error")) in \(SafeText.line(problems[0].path))"]
        }
        return lines
    }

    static func annotate(_ problems: [FileProblem], on console: Console) {
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
