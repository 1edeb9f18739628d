/// Shows the problems of files, a blank line between two of them.
enum ProblemText {
    /// - Parameter files: The problems of each file.
    /// - Returns: What they add to the exit status.
    static func show(_ files: [[FileProblem]], on console: Console) -> Set<ExitStatus> {
        var statuses: Set<ExitStatus> = []
        for (index, problem) in files.joined().enumerated() {
            if index > 0 { console.print() }
            for line in lines(of: problem, style: console.style) { console.print(line) }
            console.annotate(
                GitHubAnnotation.error(
                    path: problem.path, line: problem.line, column: problem.column, title: "Does not parse", message: problem.message))
            statuses.insert(problem.status)
        }
        return statuses
    }

    static func lines(of problem: FileProblem, style: Style) -> [String] {
        let lines = SafeText.block(problem.text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // A newline at the end is the end of the last line, not another line.
        return (lines.last == "" ? lines.dropLast() : lines[...]).map {
            $0.replacing("error:", with: style.paint("error:", .boldRed), maxReplacements: 1)
        }
    }
}
