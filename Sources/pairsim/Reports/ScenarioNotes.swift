/// What is told at the end of a run about scenarios, whether they passed or not: the first few of them under a title, with some lines each.
struct ScenarioNotes {
    let title: String
    /// Of a scenario that is run several times: whether only what each of its runs has is told, and not what the first one has that has any.
    let isOfAllRuns: Bool
    private var told: [(name: String, lines: [String])] = []
    private var count = 0
    /// The scenario whose runs come in, one after the other.
    private var current: (name: String, lines: [String])?

    private static let scenarioLimit = 10
    private static let lineLimit = 5

    init(_ title: String, ofAllRuns: Bool = false) {
        self.title = title
        isOfAllRuns = ofAllRuns
    }

    var isEmpty: Bool { count == 0 && current?.lines.isEmpty != false }

    mutating func note(_ lines: [String], of name: String) {
        guard let known = current, known.name == name else {
            finish()
            current = (name, lines)
            return
        }
        if isOfAllRuns {
            current?.lines = known.lines.filter(lines.contains)
        } else if known.lines.isEmpty {
            current?.lines = lines
        }
    }

    /// No more runs come.
    mutating func finish() {
        defer { current = nil }
        guard let current, !current.lines.isEmpty else { return }
        count += 1
        if told.count < Self.scenarioLimit { told.append(current) }
    }

    /// What to print; nothing where nothing was noted.
    func lines(style: Style) -> [String] {
        guard !told.isEmpty else { return [] }
        var lines = [style.paint(title, .bold)]
        for (name, notes) in told {
            lines.append("  \(SafeText.line(name))")
            lines += notes.prefix(Self.lineLimit).map { "    " + SafeText.line($0) }
            if notes.count > Self.lineLimit { lines.append("    … and \(notes.count - Self.lineLimit) more") }
        }
        if count > told.count { lines.append("  … and in \(Plural.of(count - told.count, "more scenario"))") }
        return lines
    }
}
