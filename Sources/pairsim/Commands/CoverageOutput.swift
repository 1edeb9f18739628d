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
        var count = 0
        for gap in report.gaps.gaps {
            do throws(FileError) {
                if case .new = try folder.save(gap.proposal.text, slug: gap.slug) { count += 1 }
            } catch {
                complain(error.text("write the scenario"))
                return false
            }
        }
        if !isQuiet { print("\(Plural.of(count, "new scenario")) in \(SafeText.line(folder.path))") }
        return true
    }
}
