extension Console {
    /// Shows what a search exercised and what not, and writes what would, where a folder is named for it.
    /// - Parameters:
    ///   - columns: How wide the terminal is; `nil` where there is none.
    ///   - isQuiet: Whether only what goes wrong is shown.
    /// - Returns: Whether the files are there.
    func tell(_ report: CoverageReport, columns: Int?, isQuiet: Bool, proposingIn folder: FoundFolder?) -> Bool {
        if !isQuiet {
            printGap()
            for line in report.lines(style: style, columns: columns ?? 80) { print(line) }
        }
        guard let folder else { return true }
        let proposed = report.gaps.proposed
        var count = 0
        for gap in proposed {
            do throws(FileError) {
                if case .new = try folder.save(gap.proposal.text, slug: gap.slug) { count += 1 }
            } catch {
                complain(error.text("write the scenario"))
                return false
            }
        }
        if !isQuiet {
            let left = report.gaps.gaps.count - proposed.count
            let rest = left == 0 ? "" : "; further situations of the same kinds of steps: \(left)"
            print("\(Plural.of(count, "new scenario")) in \(SafeText.line(folder.path))\(rest)")
        }
        return true
    }
}
