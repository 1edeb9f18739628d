/// What is told at the end of a run about scenarios, whether they passed or not: the first few of them under a title, with some lines each. Of a scenario that
/// is run several times what the first run has that has any.
struct ScenarioNotes {
    let title: String
    /// Whether all are told.
    let isVerbose: Bool
    private var told: [(name: String, lines: [String])] = []
    private var count = 0
    private var lastName: String?

    private static let scenarioLimit = 10
    private static let lineLimit = 5

    init(_ title: String, isVerbose: Bool) {
        self.title = title
        self.isVerbose = isVerbose
    }

    var isEmpty: Bool { count == 0 }

    /// - Parameter name: Of the scenario, whose runs come one after the other.
    mutating func note(_ lines: [String], of name: String) {
        guard !lines.isEmpty, name != lastName else { return }
        lastName = name
        count += 1
        if isVerbose || told.count < Self.scenarioLimit { told.append((name, lines)) }
    }

    /// What to print; nothing where nothing was noted.
    func lines(style: Style) -> [String] { Self.lines(title, of: told, count: count, style: style, isVerbose: isVerbose) }

    /// - Parameters:
    ///   - notes: Of the first scenarios, or of all.
    ///   - count: How many scenarios there are.
    static func lines(
        _ title: String, of notes: [(name: String, lines: [String])], count: Int, style: Style, isVerbose: Bool
    ) -> [String] {
        guard !notes.isEmpty else { return [] }
        var lines = [style.paint(title, .bold)]
        let told = isVerbose ? notes : Array(notes.prefix(scenarioLimit))
        var isCut = count > told.count
        for (name, notes) in told {
            lines.append("  \(SafeText.line(name))")
            let limit = isVerbose ? notes.count : lineLimit
            lines += notes.prefix(limit).map { "    " + SafeText.line($0) }
            if notes.count > limit {
                isCut = true
                lines.append("    … and \(notes.count - limit) more")
            }
        }
        if count > told.count { lines.append("  … and in \(Plural.of(count - told.count, "more scenario"))") }
        if isCut { lines.append(style.paint("  -v lists all of them", .dim)) }
        return lines
    }
}
