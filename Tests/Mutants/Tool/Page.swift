import Foundation

/// The table as a Markdown page.
struct Page {
    struct Row {
        let area: Area
        let mutation: Mutation
        let suite: SuiteResult?
        let search: SearchResult?
        /// Measured only of what the suite and the search do not find.
        let comparison: SearchResult?
        let tests: TestsResult?
        /// Why it changes nothing that anybody could see, where somebody found that.
        let equivalence: String?
    }

    let rows: [Row]
    let seconds: Double
    let seed: UInt64
    let places: Int
    let uncompiled: Int
    let isComparing: Bool
    /// Whether what nothing else found was left to the unit tests.
    let hasTests: Bool
    let command: String

    private func cell(_ text: String) -> String { text.replacingOccurrences(of: "\n", with: " ") }

    static func search(_ row: Row) -> String { cell(row.search) }

    private static func cell(_ search: SearchResult?) -> String {
        guard let search else { return "" }
        guard let found = search.find else { return search.isReached ? "–" : "not reached" }
        guard let run = found.run else { return found.invariant ?? "" }
        return "\(run) in \(String(format: found.seconds < 10 ? "%.2f" : "%.0f", found.seconds)) s"
    }

    private func line(_ row: Row) -> String {
        let found = row.search?.find
        let suite = row.suite.map { $0.scenario ?? ($0.isReached ? "–" : "not reached") }
        let cells =
            [
                row.area.rawValue, row.mutation.identity, "`\(row.mutation.declaration)`", row.mutation.sentence, suite ?? "",
                Self.search(row),
                found?.steps.map(String.init) ?? "", found?.run == nil ? "" : found?.invariant ?? "",
            ] + (isComparing ? [Self.cell(row.comparison)] : []) + (hasTests ? [row.tests.map { $0.test ?? "–" } ?? ""] : [])
        return "| \(cells.map(cell).joined(separator: " | ")) |"
    }

    var text: String {
        let told = rows.filter { $0.equivalence != nil }
        let counted = rows.filter { $0.equivalence == nil }
        let title =
            ["area", "name", "where", "mistake", "scenarios", "search", "steps", "invariant"]
            + (isComparing ? ["comparison"] : []) + (hasTests ? ["tests"] : [])
        let comparing =
            isComparing
            ? " What neither finds is searched for once more in comparison with the tool without it (`--against`), as long." : ""
        var lines = [
            "# What finds mistakes that nobody chose", "",
            "Mistakes that operators planted in \(places) places of the sources, drawn by seed \(seed), all in one build: the first scenario of the suite that fails, the run and second",
            "of the first find of the search (`pairsim explore Scenarios --own-keys`) on one core within \(Int(seconds)) s of processor time, and the length of its smallest",
            hasTests
                ? "scenario. Where neither finds it, the first unit test of its module that fails.\(comparing) Made by"
                : "scenario.\(comparing) Made by",
            "", "```sh", command, "```", "",
            "| \(title.joined(separator: " | ")) |", "| \(title.map { _ in "---" }.joined(separator: " | ")) |",
        ]
        lines += counted.map(line)
        let counts =
            ["area", "mistakes", "scenarios", "search", "either"]
            + (isComparing ? ["with the comparison"] : []) + (hasTests ? ["with unit tests"] : [])
        lines += [
            "", "## How many", "", "| \(counts.joined(separator: " | ")) |", "| \(counts.map { _ in "---" }.joined(separator: " | ")) |",
        ]
        for area in Area.allCases where area != .rules { lines.append(count(area.rawValue, counted.filter { $0.area == area })) }
        lines += [count("all", counted), "", "\(uncompiled) more of what was drawn did not compile.", ""]
        guard !told.isEmpty else { return lines.joined(separator: "\n") }
        lines += ["## What changes nothing", "", "| name | where | mistake | why nobody can see it |", "| --- | --- | --- | --- |"]
        for row in told {
            let cells = [row.mutation.identity, "`\(row.mutation.declaration)`", row.mutation.sentence, row.equivalence ?? ""]
            lines.append("| \(cells.map(cell).joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func count(_ name: String, _ rows: [Row]) -> String {
        let suite = rows.count { $0.suite?.scenario != nil }
        let search = rows.count { $0.search?.find != nil }
        let either = rows.count { $0.suite?.scenario != nil || $0.search?.find != nil }
        let compared = either + rows.count { $0.comparison?.find != nil }
        let withTests = compared + rows.count { $0.comparison?.find == nil && $0.tests?.test != nil }
        return "| \(name) | \(rows.count) | \(suite) | \(search) | \(either) |" + (isComparing ? " \(compared) |" : "")
            + (hasTests ? " \(withTests) |" : "")
    }
}

/// The table of the session's rules.
struct RulePage {
    let rows: [Page.Row]
    let seconds: Double

    var text: String {
        let title = ["rule", "mistake", "scenarios", "search", "steps"]
        let lines = rows.map { row in
            let suite = row.suite.map { $0.scenario ?? ($0.isReached ? "–" : "not reached") }
            let cells = [
                row.mutation.declaration, row.mutation.sentence, row.equivalence ?? suite ?? "", Page.search(row),
                row.search?.find?.steps.map(String.init) ?? "",
            ]
            return "| \(cells.joined(separator: " | ")) |"
        }
        let (suite, search) = (rows.count { $0.suite?.scenario != nil }, rows.count { $0.search?.find != nil })
        return """
            # What guards the rules of the session

            A mistake against each rule, planted by hand in the simulated session: the first scenario of the suite that fails, the run and second of the first
            find of the search (`pairsim explore Scenarios --own-keys`) within \(Int(seconds)) s of processor time, and the length of its smallest scenario. Made by

            ```sh
            Scripts/mutants --rules > Tests/Mutants/RULES.md
            ```

            | \(title.joined(separator: " | ")) |
            | \(title.map { _ in "---" }.joined(separator: " | ")) |
            \(lines.joined(separator: "\n"))

            Of \(rows.count) mistakes the suite finds \(suite), and the search \(search).

            """
    }
}
