/// What was tried of one small scenario.
struct ExhaustiveCount: Sendable {
    let scenario: String
    /// How many orders were made, over all crash points, and how many further ones were left out as equivalent at least.
    var orders = 0
    var leftOut = 0
    /// How many crash points there are, and how many had their turn.
    var crashPoints = 0
    var tried = 0
    var untried = 0
    /// Of how many crash points, the runs without a crash counted as one, there are more orders than were made.
    var cutShort = 0
    /// How many runs each had at most.
    var limit = Int.max
    /// Those included that were given up, since they went the way of an earlier one.
    var runs = 0
    /// How many states were told apart, by estimate.
    var states = 0
    /// Which they were; empty where a report was read.
    var seen = DistinctStates()
    /// Whether all orders of all crash points were made.
    var isComplete = true

    var isCutShort: Bool { cutShort > 0 }

    init(scenario: String) {
        self.scenario = scenario
    }

    /// As a person reads it.
    var lines: [String] {
        [
            "\(SafeText.line(scenario)): \(Plural.of(orders, "order")) made, \(leftOut) or more left out as equivalent; "
                + "\(Plural.of(crashPoints, "crash point")); \(Plural.of(runs, "run")) in all, about \(Plural.of(states, "state"))",
            verdict,
        ]
    }

    /// Whether everything was tried, and if not, what was not.
    var verdict: String {
        guard !isComplete else { return "exhaustive: every order with every crash point, and without" }
        let places = Plural.of(crashPoints, "crash point")
        var reasons: [String] = []
        if untried > 0 { reasons.append("\(untried) of \(places) had no turn") }
        if cutShort > 0 {
            let bound = limit == .max ? "until the time was over" : "with --runs or --for, \(Plural.of(limit, "run")) for each at most"
            reasons.append("\(cutShort) of \(crashPoints + 1) (crash points, and none) have more orders than were made \(bound)")
        }
        return "not exhaustive: \(reasons.joined(separator: "; "))"
    }

    var json: JSONValue {
        var members: [String: JSONValue] = [
            "scenario": .text(scenario), "orders": .number(Int64(orders)), "leftOut": .number(Int64(leftOut)),
            "crashPoints": .number(Int64(crashPoints)), "tried": .number(Int64(tried)), "cutShort": .number(Int64(cutShort)),
            "runs": .number(Int64(runs)), "states": .number(Int64(states)), "complete": .flag(isComplete),
        ]
        if limit != .max { members["limit"] = .number(Int64(limit)) }
        return .object(members)
    }

    /// - Throws: what is wrong with the object, as the end of a sentence.
    init(_ item: JSONValue.Members) throws(ReportFault) {
        self.init(scenario: try item.text("scenario"))
        (orders, leftOut) = (try item.count("orders"), try item.count("leftOut"))
        (crashPoints, tried, cutShort) = (try item.count("crashPoints"), try item.count("tried"), try item.count("cutShort"))
        (runs, states) = (try item.count("runs"), try item.count("states"))
        isComplete = try item.flag("complete")
        limit = try item.optionalCount("limit") ?? .max
        untried = max(0, crashPoints - tried)
    }

    /// As a case of JUnit: what was not exhaustive counts as skipped, and says what was not tried.
    var junit: JUnitDocument.Case {
        var item = JUnitDocument.Case(name: "every order and crash point of \(scenario)", className: "exhaustive")
        if isComplete {
            item.output = lines.joined(separator: "\n")
        } else {
            item.fault = .init(
                element: "skipped", message: verdict, type: "notExhaustive", text: lines.joined(separator: "\n"))
        }
        return item
    }
}
