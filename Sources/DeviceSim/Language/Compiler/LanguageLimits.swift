/// What a file of scenarios may grow to, as the grammar's page lists it.
package enum LanguageLimits {
    /// Each limit where it is held, and the most that it lets pass.
    package static let table: [(what: String, most: String)] = [
        ("a file", "\(SourceText.maximumByteCount >> 20) MiB"),
        ("words, numbers and signs of a file", grouped(ScenarioParser.maximumTokenCount)),
        ("words, numbers and signs of all its runs, with variables replaced", grouped(FileExpander.maximumTokenCount)),
        ("lines of a run, with those that are included", grouped(FileExpander.maximumLineCount)),
        ("files that include one another", "\(FileExpander.maximumDepth)"),
        ("rows of a table of examples", grouped(ExamplesTable.maximumRowCount)),
        ("what the values of a file come to, such as by `repeat`", "\(ValueParser.budget >> 20) MiB"),
        ("lists and objects one within another", "\(ValueParser.maximumDepth)"),
        ("alternatives of an expected value", "\(Expectation.ValueCondition.maximumAlternatives)"),
        ("a number of times, or of an operation", grouped(number)),
        ("a time", NumberNotation.maximumDurationText),
        ("problems of a file that are told", grouped(ScenarioCompiler.maximumErrorCount)),
    ]

    /// Of times, operations and the like; a seed may be greater.
    static let number = 1_000_000

    private static func grouped(_ number: Int) -> String {
        number < 1_000 ? "\(number)" : grouped(number / 1_000) + "," + String("\(1_000 + number % 1_000)".dropFirst())
    }
}
