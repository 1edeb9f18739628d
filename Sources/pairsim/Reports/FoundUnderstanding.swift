/// What a search says of a failure besides its smallest scenario.
struct FoundUnderstanding: Sendable, Hashable {
    /// After 0, 1, 2, … steps of the scenario.
    var chances: [Chance] = []
    var twin: Twin?

    /// How many of some random continuations fail.
    struct Chance: Sendable, Hashable {
        let failures: Int
        let count: Int
        /// The 95 % interval, in whole percents.
        let low: Int
        let high: Int
    }

    /// The nearest passing run.
    struct Twin: Sendable, Hashable {
        let difference: String
        let sharedEvents: Int
        let failing: String?
        let passing: String?
        let diff: [String]
    }

    /// How many lines of the diff a person is shown.
    private static let shownLines = 8

    /// The beginning of the diff, as a person reads it.
    var lines: [String] {
        guard let twin, !twin.diff.isEmpty else { return [] }
        let isOfBuilds = twin.difference == PassingTwin.withOtherBuild
        var lines = [
            "", isOfBuilds ? "  - \(twin.difference), + here:" : "  - here, + in the passing run \(SafeText.line(twin.difference)):",
        ]
        lines += twin.diff.prefix(Self.shownLines).map { "    " + SafeText.line($0) }
        let rest = twin.diff.count - Self.shownLines
        if rest > 0 { lines.append("    … \(Plural.of(rest, "more line")) in the JSON report") }
        return lines
    }
}

extension FoundUnderstanding {
    init(_ found: FoundScenario) {
        if let certainty = found.certainty {
            chances = certainty.failures.enumerated().map { steps, failures in
                let interval = certainty.interval(after: steps)
                return Chance(
                    failures: failures, count: certainty.count, low: Int((interval.lowerBound * 100).rounded()),
                    high: Int((interval.upperBound * 100).rounded()))
            }
        }
        twin = found.twin.map {
            Twin(
                difference: $0.difference, sharedEvents: $0.sharedEvents, failing: $0.failingEvent, passing: $0.passingEvent, diff: $0.diff)
        }
    }

    /// Of reports that do not say it, nothing.
    init(_ small: JSONValue.Members) throws(ReportFault) {
        if !small.lacks("chances") {
            for item in try small.list("chances") {
                let chance = try item.members("chances")
                chances.append(
                    Chance(
                        failures: try chance.count("failures"), count: try chance.count("count"), low: try chance.count("low"),
                        high: try chance.count("high")))
            }
        }
        if let members = try small.optionalMembers("twin") {
            twin = Twin(
                difference: try members.text("difference"), sharedEvents: try members.count("sharedEvents"),
                failing: try members.optionalText("failing"), passing: try members.optionalText("passing"), diff: try members.texts("diff"))
        }
    }
}

extension FoundUnderstanding.Chance {
    var json: JSONValue {
        .object([
            "failures": .number(Int64(failures)), "count": .number(Int64(count)), "low": .number(Int64(low)), "high": .number(Int64(high)),
        ])
    }
}

extension FoundUnderstanding.Twin {
    var json: JSONValue {
        .object([
            "difference": .text(difference), "sharedEvents": .number(Int64(sharedEvents)), "failing": .optional(failing),
            "passing": .optional(passing), "diff": .texts(diff),
        ])
    }
}
