/// What a search exercised, for people and for programs.
struct CoverageReport {
    let coverage: SearchCoverage
    let gaps: CoverageGaps

    init(_ coverage: SearchCoverage) {
        self.coverage = coverage
        gaps = CoverageGaps(of: coverage, rules: RulesAtWork.told, request: Self.request)
    }

    /// What runs are counted with.
    static let request = CoverageRequest { RulesAtWork.rules(in: $0) }

    /// Of each topic so many are listed, with their scenarios; programs and `--propose` get all.
    static let listed = 8
    /// Of situations so many kinds of steps, those first that are least tried.
    static let listedKinds = 24
}

// MARK: For people

extension CoverageReport {
    /// Totals first, then what was not tried.
    /// - Parameter columns: How wide a line may be.
    func lines(style: Style, columns: Int) -> [String] {
        let width = min(max(columns, 60), 120)
        var lines = [style.paint("What \(Plural.of(coverage.runs, "run")) exercised", .bold), ""]
        for total in gaps.totals {
            let share = total.count == 0 ? 100 : total.tried * 100 / total.count
            lines.append(
                "  " + Self.pad(Self.title(total.topic), 34) + Self.right("\(total.tried)", 6) + " of " + Self.right("\(total.count)", 5)
                    + Self.right("\(share) %", 7))
        }
        lines += ["", "  " + Self.pad("each check", 34) + Self.right("looked", 6) + Self.right("near", 9)]
        for invariant in Invariant.allCases {
            let looks = coverage.count(of: .checks, named: invariant.rawValue)
            let near = coverage.count(of: .near, named: invariant.rawValue)
            let text = Self.tellsNear.contains(invariant) ? "\(near)" : "-"
            let line = "    " + Self.pad(invariant.rawValue, 30) + Self.right("\(looks)", 8) + Self.right(text, 9)
            lines.append(looks == 0 ? style.paint(line, .boldRed) : line)
        }
        lines += ["  near: it held by an allowance only, or came near its limit; -: cannot be said", ""]
        guard !gaps.gaps.isEmpty else { return lines + ["Everything was tried."] }
        lines.append(style.paint("Not tried: \(gaps.gaps.count), with what would try it", .bold))
        for total in gaps.totals {
            let open = gaps.gaps.filter { $0.topic == total.topic }
            guard !open.isEmpty else { continue }
            lines += ["", "  " + style.paint("\(Self.title(total.topic)): \(open.count)", .bold)]
            lines += total.topic == .situations ? situations(open, width) : open.prefix(Self.listed).flatMap { told($0, width, style) }
            if total.topic != .situations, open.count > Self.listed {
                lines.append("    and \(open.count - Self.listed) more: " + open.dropFirst(Self.listed).map(\.name).joined(separator: ", "))
                lines += Self.wrapped(lines.removeLast(), width, indent: 6)
            }
        }
        lines += ["", style.paint("--propose DIR writes scenario files, one for each kind of step; --json tells all", .dim)]
        return lines
    }

    private func told(_ gap: CoverageGaps.Gap, _ width: Int, _ style: Style) -> [String] {
        let meaning = gap.meaning.isEmpty ? "" : ": \(gap.meaning)"
        let head = SafeText.clipped("    \(gap.name)\(meaning)", to: width)
        return [head] + gap.proposal.lines.map { style.paint(SafeText.clipped("        \($0)", to: width), .dim) }
    }

    /// Too many for a scenario each: by kinds of steps that were made at all, those first of which the most is open.
    private func situations(_ open: [CoverageGaps.Gap], _ width: Int) -> [String] {
        guard !coverage.stepKinds.isEmpty else { return [] }
        var kinds: [(name: String, count: Int, first: String)] = []
        let made = Set(coverage.stepKinds)
        for gap in open where made.contains(gap.name) {
            if kinds.last?.name == gap.name {
                kinds[kinds.count - 1].count += 1
            } else {
                kinds.append((gap.name, 1, gap.situation ?? ""))
            }
        }
        kinds.sort { ($1.count, $0.name) < ($0.count, $1.name) }
        let rest = kinds.dropFirst(Self.listedKinds).reduce(0) { $0 + $1.count }
        let more = rest == 0 ? [] : ["    and \(rest) more, of \(Plural.of(kinds.count - Self.listedKinds, "other kind"))"]
        return kinds.prefix(Self.listedKinds).map { kind in
            let tried = coverage.situations(of: kind.name).count
            let count = "\(kind.count) of \(tried + kind.count)"
            return SafeText.clipped("    " + Self.right(count, 9) + "  \(kind.name): \(kind.first)\(kind.count > 1 ? " …" : "")", to: width)
        } + more
    }

    /// The checks of which one can say that they were near failing.
    static let tellsNear: Set<Invariant> = [.durability, .removal, .convergence, .quiet, .limits, .progress]

    private static func title(_ topic: CoverageGaps.Topic) -> String {
        switch topic {
        case .rules: "rules of the session, by the trace"
        case .knobs: "knobs off their defaults"
        case .steps: "kinds of steps"
        case .situations: "kinds of steps by situation"
        case .faultKinds: "kinds of faults"
        case .events: "kinds of events"
        case .checks: "checks that looked at something"
        }
    }

    private static func pad(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(1, width - text.count)) }
    private static func right(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }

    private static func wrapped(_ text: String, _ width: Int, indent: Int) -> [String] {
        var lines: [String] = []
        var line = String(text.prefix { $0 == " " })
        for word in text.split(separator: " ") {
            if line.count + word.count + 1 > width, line.contains(where: { $0 != " " }) {
                lines.append(line)
                line = String(repeating: " ", count: indent)
            }
            line += (line.hasSuffix(" ") || line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }
}

// MARK: For programs

extension CoverageReport {
    /// `totals` and `notTried`, beside what ``SearchCoverage`` counts.
    var json: JSONValue {
        guard case .object(var members) = coverage.json else { return .null }
        members["totals"] = .object(
            Dictionary(
                gaps.totals.map { ($0.topic.rawValue, .object(["tried": .number(Int64($0.tried)), "of": .number(Int64($0.count))])) },
                uniquingKeysWith: { first, _ in first }))
        members["notTried"] = .list(
            gaps.gaps.map { gap in
                .object([
                    "topic": .text(gap.topic.rawValue), "name": .text(gap.name), "situation": .optional(gap.situation),
                    "meaning": .text(gap.meaning), "scenario": .text(gap.proposal.text),
                ])
            })
        return .object(members)
    }
}

extension SearchCoverage {
    /// What was counted, so that it can be added up.
    var json: JSONValue {
        var members: [String: JSONValue] = ["runs": .number(Int64(runs))]
        for topic in Topic.allCases {
            members[topic.rawValue] = .object(
                Dictionary(
                    names(of: topic).map { ($0, .number(Int64(count(of: topic, named: $0)))) }, uniquingKeysWith: { first, _ in first }))
        }
        members["steps"] = .object(
            Dictionary(
                stepKinds.map { kind in
                    (
                        kind,
                        .object(
                            Dictionary(
                                situations(of: kind).map { ($0, .number(Int64(count(of: kind, in: $0)))) },
                                uniquingKeysWith: { first, _ in first }))
                    )
                }, uniquingKeysWith: { first, _ in first }))
        return .object(members)
    }

    /// - Throws: what is wrong with it, as the end of a sentence.
    init(_ members: JSONValue.Members) throws(ReportFault) {
        func counts(_ members: JSONValue.Members) throws(ReportFault) -> [String: Int] {
            var counts: [String: Int] = [:]
            for name in members.values.keys { counts[name] = try members.count(name) }
            return counts
        }
        var topics: [Topic: [String: Int]] = [:]
        for topic in Topic.allCases {
            guard let value = members.values[topic.rawValue] else { throw ReportFault("`\(topic.rawValue)` is missing in `coverage`") }
            topics[topic] = try counts(value.members(topic.rawValue))
        }
        var steps: [String: [String: Int]] = [:]
        guard let kinds = try members.optionalMembers("steps") else { throw ReportFault("`steps` is missing in `coverage`") }
        for (kind, value) in kinds.values { steps[kind] = try counts(value.members(kind)) }
        self.init(runs: try members.count("runs"), counts: topics, steps: steps)
    }
}
