/// What many failures have in common, for whoever reads a long log from its end: how many there are of each kind, and the simplest of each to read first.
struct FailureGroups {
    /// Fewer than so many scenarios are read one by one.
    private static let fewest = 5
    /// Kinds that are listed.
    private static let limit = 10

    private struct Group {
        var count = 0
        var simplest: (effort: [Int], place: String, steps: Int)
    }

    private var groups: [String: Group] = [:]

    /// Takes the first failing run of a scenario.
    mutating func count(_ record: RunRecord) {
        let kind = Self.kind(of: record)
        let place = SafeText.line(record.name) + (record.faultPath == record.path ? record.line.map { ":\($0)" } ?? "" : "")
        // A canary says little of what is wrong, and a run that was cut short at a crash point is long to follow.
        let effort = [record.canary == nil ? 0 : 1, record.repetitions == 1 ? 0 : 1, record.steps]
        var group = groups[kind] ?? Group(simplest: (effort, place, record.steps))
        group.count += 1
        if effort.lexicographicallyPrecedes(group.simplest.effort) { group.simplest = (effort, place, record.steps) }
        groups[kind] = group
    }

    /// The most frequent kind first; none where there are few failures.
    func lines(style: Style) -> [String] {
        guard groups.values.reduce(0, { $0 + $1.count }) >= Self.fewest else { return [] }
        let sorted = groups.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        let width = String(sorted[0].value.count).count
        var lines = [style.paint("Failing scenarios by kind", .bold)]
        for (kind, group) in sorted.prefix(Self.limit) {
            let count = String(group.count)
            lines.append("  \(String(repeating: " ", count: width - count.count))\(count)  \(kind)")
            let steps = group.simplest.steps == 0 ? "" : " (\(Plural.of(group.simplest.steps, "step")))"
            let label = group.count == 1 ? "" : "read first: "
            lines.append(
                String(repeating: " ", count: width + 4) + style.paint("\(label)\(group.simplest.place)\(steps)", .dim))
        }
        if sorted.count > Self.limit { lines.append("  … and \(Plural.of(sorted.count - Self.limit, "kind")) more") }
        return lines
    }

    /// What went wrong, without the names in it and without what follows a colon.
    private static func kind(of record: RunRecord) -> String {
        guard record.canary == nil else { return "a canary did not fail as it must: look at the other failures first" }
        guard record.problems.isEmpty else { return record.outcome.status.phrase }
        let headline = SafeText.block(record.headline).split(separator: "\n").first.map(String.init) ?? ""
        let end = headline.firstRange(of: ": ")?.lowerBound ?? headline.endIndex
        var kind = ""
        var isQuoted = false
        var before: Character = " "
        for character in headline[..<end] {
            // An apostrophe within a word is none of these.
            if character == "'", isQuoted || !before.isLetter {
                kind += isQuoted ? "…'" : "'"
                isQuoted.toggle()
            } else if !isQuoted {
                kind.append(character)
            }
            before = character
        }
        return kind
    }
}
