/// What came of a search: of all of it, or of one shard.
struct ExplorationReport: Sendable {
    /// What decides which runs a search draws. Only parts of one search can be joined.
    struct Search: Hashable, Sendable {
        let seed: UInt64
        /// What it was over: `built-in`, or the names of scenarios.
        var over: [String]
        let strategies: [String]
        let steps: Int
        /// A digest of the scenarios that it was over, which may have changed under their names; `nil` in reports that do not say.
        var content: String?
        /// Whether the app under test does not use LocalData, so that most invariants say nothing of it.
        var isOfOwnCode = false
        /// The kinds of faults that were drawn; empty: all.
        var faults: [String] = []
    }

    let search: Search
    /// How many runs were made.
    var runs: Int
    var failingRuns: Int
    /// How many states were told apart, by estimate. Of joined shards of which one does not say which, the sum.
    var states: Int
    /// Which they were, so that they can be joined; `nil` in reports that do not say.
    var seen: DistinctStates?
    var seconds: Double
    /// Of each kind one, in the order of the runs.
    var found: [FoundFailure]
    var status: ExitStatus
    var shard: Shard?
    /// What `--exhaustive` tried of each scenario; empty for other searches.
    var exhaustive: [ExhaustiveCount] = []
    var version = HelpText.versionNumber
    /// A digest of the program that made the runs, in what `--resume` keeps; `nil` in reports, which are the same whoever built it.
    var program: String?
    /// What the runs exercised; `nil` where that was not asked for. Of joined shards only where each has it.
    var coverage: SearchCoverage?
    /// The same with what was not tried, in the report that is shown in the end.
    var coverageReport: CoverageReport?
    /// What came of holding the runs against another build; `nil` where that was not asked for.
    var comparisons: ComparisonTally?
    /// The keys of which it was not checked what they hold, by the scenarios that have them.
    var unchecked: [String: [String]] = [:]

    /// What "no failure" does not say, to stand behind it; nothing where it says all.
    static func reservation(_ unchecked: [String: [String]]) -> String {
        guard let keys = unchecked.values.first else { return "" }
        guard unchecked.count == 1 else { return "; in \(unchecked.count) scenarios it was not checked of some keys what they hold" }
        let more = keys.count > 4 ? ["\(keys.count - 3) more"] : []
        let names = keys.prefix(keys.count > 4 ? 3 : 4).map(SafeText.line) + more
        let list = names.count > 1 ? names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1] : names[0]
        return "; it was not checked what \(list) \(keys.count == 1 ? "holds" : "hold")"
    }
}

/// One kind of failure that a search found, by its smallest run.
struct FoundFailure: Sendable, Hashable {
    let invariant: Invariant
    /// What tells it from other failures of the same invariant; often empty.
    let detail: String
    let explanation: [String]
    /// The run that it was found by.
    let run: Int
    /// The command that makes this run again.
    let replay: String
    /// The scenario that fails for the same reason; `nil` where it could not be made.
    var small: Small?

    struct Small: Sendable, Hashable {
        let text: String
        let slug: String
        let steps: Int
        /// Whether an ordinary run of it fails.
        let isConfirmed: Bool
        /// How probable the failure was after each step, and where it parts from a passing run.
        var understanding = FoundUnderstanding()
    }

    var signature: ViolationSignature { ViolationSignature(invariant: invariant, detail: detail) }

    /// Whether this one is the better to keep of the same failure: it has a scenario, one that fails by itself, a shorter one, was met sooner.
    func isBetter(than other: FoundFailure) -> Bool {
        func rank(_ failure: FoundFailure) -> (Int, Int, Int, Int, Int) {
            guard let small = failure.small else { return (1, 1, 0, 0, failure.run) }
            return (0, small.isConfirmed ? 0 : 1, small.steps, small.text.utf8.count, failure.run)
        }
        return rank(self) < rank(other)
    }
}

extension FoundFailure {
    /// The failure as a person reads it.
    func lines(style: Style) -> [String] {
        var lines = [
            style.paint("run \(run)", .bold) + ": " + style.paint(invariant.rawValue, .boldRed) + ": " + SafeText.line(invariant.sentence)
        ]
        lines += explanation.map { "  " + SafeText.line($0) }
        if let small {
            lines.append("")
            lines += small.text.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + SafeText.line(String($0)) }
            lines += small.understanding.lines
            if !small.isConfirmed {
                lines.append(
                    invariant == .sameness
                        ? "  read from its text, this scenario comes out the same with both builds; the run that it was made from does not"
                        : "  an ordinary run of this scenario does not fail; the exploration does")
            }
        }
        return lines
    }

    /// - Parameter program: How the user calls the tool.
    func replayLine(style: Style, program: String) -> String {
        "  \(style.paint("replay", .bold))    \(SafeText.line(program + replay.dropFirst("pairsim".count)))"
    }
}

extension Invariant {
    /// What a run that breaks it adds to the exit status.
    var status: ExitStatus {
        switch self {
        case .determinism: .notDeterministic
        case .progress: .didNotSettle
        default: .failed
        }
    }
}

/// The report of a search for programs.
///
/// One object with sorted keys. Same seed and same number of runs give the same bytes, on any machine:
///
/// - `format`: `"pairsim-exploration"`, and `version`: `1`. A later version may add keys; it does not change these. `pairsim`: the version of the tool.
/// - `shard`: `null`, or `number` (from 1), `count` and `origin` (what said so).
/// - `seed`, `over`, `strategies`, `steps`, and where some were named, `faults` (the kinds): what decides which runs are drawn. `content`: a digest of the scenarios that the search was over.
/// - `ownCode`: `true` where the app under test does not use LocalData, so that only some invariants were held against it; else missing.
/// - `status`: the exit status. `runs`: how many were made; `failingRuns`; `states`: how many were told apart, by estimate. `seen`: which, as the
///   registers of a HyperLogLog in Base64, for joining; missing where it is not known.
/// - `exhaustive`, of `explore --exhaustive` only: one object for each scenario: `scenario`, `orders` (made), `leftOut` (further ones that are equivalent, at
///   least), `crashPoints`, `tried` (of those), `cutShort` (how many of them, and of the runs without a crash, have more orders than were made), `runs`, `states`,
///   `complete`: whether all was tried, and where there was one, `limit`: how many runs each crash point had at most. Such a search draws nothing: its `strategies` are
///   none, and its `steps` are how many a scenario may have.
/// - `found`: one object for each kind of failure: `promise` (the invariant) and `detail` say which kind, `explanation` (sentences), `run`, `replay` (the command that makes
///   that run again), and `small`: `null`, or `text` (of a scenario file), `slug`, `steps`, `fails`: whether an ordinary run of it fails, or
///   where the promise is `sameness`, whether it comes out otherwise than with the other build, which is then the `twin`;
///   `chances`: of random continuations after 0, 1, 2, … of its steps, how many fail (`failures` of `count`) and between which whole percents the probability lies with
///   95 % confidence (`low`, `high`), and `twin`: `null`, or the nearest passing run: its `difference`, how many events both share (`sharedEvents`), the first event of
///   each behind them (`failing`, `passing`; `null` at the end of a run), and the `diff` from there on: `-` here, `+` in the twin, and of another build `-` there, `+` here.
/// - `unchecked`, where there are some: the keys of which it was not checked what they hold: objects with `scenario` and `keys` (what the file calls them).
/// - `comparisons`: with `--against`, how many runs were held against the other build (`made`), and how many were not: it could not say what comes of them
///   (`unknown`), ended (`ended`) or took too long (`late`), or the run broke a promise there (`brokenThere`). Of joined shards only where each has it.
/// - `coverage`: with `--coverage`, what the runs exercised: by `rules`, `knobs`, `faultKinds` and `events` in how many `runs`, by `checks` how often something was
///   held against an invariant, by `near` how often that was near failing, and by `steps` how often each kind was made in which situation. In the end also
///   `totals` (`tried` and `of`) and `notTried`: objects with `topic`, `name`, `situation`, `meaning` and `scenario` (the text of a file).
extension ExplorationReport {
    static let format = "pairsim-exploration"

    func json() -> String { document.rendered() }

    var document: JSONValue {
        var document: [String: JSONValue] = [
            "format": .text(Self.format),
            "version": .number(1),
            "pairsim": .text(version),
            "shard": .optional(shard),
            "seed": .unsigned(search.seed),
            "over": .texts(search.over),
            "strategies": .texts(search.strategies),
            "steps": .number(Int64(search.steps)),
            "status": .number(Int64(status.rawValue)),
            "runs": .number(Int64(runs)),
            "failingRuns": .number(Int64(failingRuns)),
            "states": .number(Int64(states)),
            "found": .list(found.map(\.json)),
        ]
        if search.isOfOwnCode { document["ownCode"] = .flag(true) }
        if !search.faults.isEmpty { document["faults"] = .texts(search.faults) }
        if let content = search.content { document["content"] = .text(content) }
        if let program { document["program"] = .text(program) }
        if !exhaustive.isEmpty { document["exhaustive"] = .list(exhaustive.map(\.json)) }
        if let seen { document["seen"] = .text(seen.encoded) }
        if !unchecked.isEmpty {
            document["unchecked"] = .list(
                unchecked.sorted { $0.key < $1.key }.map { .object(["scenario": .text($0.key), "keys": .texts($0.value)]) })
        }
        if let comparisons { document["comparisons"] = comparisons.json }
        if let coverage { document["coverage"] = coverageReport?.json ?? coverage.json }
        return .object(document)
    }

    /// - Throws: what is wrong with the document, as the end of a sentence.
    init(_ document: JSONValue.Members) throws(ReportFault) {
        var search = Search(
            seed: try document.unsigned("seed"), over: try document.texts("over"), strategies: try document.texts("strategies"),
            steps: try document.count("steps"), content: try document.optionalText("content"))
        search.isOfOwnCode = !document.lacks("ownCode")
        if !document.lacks("faults") { search.faults = try document.texts("faults") }
        var found: [FoundFailure] = []
        for item in try document.list("found") { found.append(try FoundFailure(item.members("found"))) }
        var exhaustive: [ExhaustiveCount] = []
        if !document.lacks("exhaustive") {
            for item in try document.list("exhaustive") { exhaustive.append(try ExhaustiveCount(item.members("exhaustive"))) }
        }
        var seen: DistinctStates?
        if let text = try document.optionalText("seen") {
            seen = DistinctStates(encoded: text)
            guard seen != nil else { throw ReportFault("`seen` is not what pairsim writes there") }
        }
        var coverage: SearchCoverage?
        if let members = try document.optionalMembers("coverage") { coverage = try SearchCoverage(members) }
        var comparisons: ComparisonTally?
        if let members = try document.optionalMembers("comparisons") { comparisons = try ComparisonTally(members) }
        self.init(
            search: search, runs: try document.count("runs"), failingRuns: try document.count("failingRuns"),
            states: try document.count("states"), seen: seen, seconds: 0, found: found, status: try document.status("status"),
            shard: try document.shard(), exhaustive: exhaustive, version: try document.text("pairsim"), coverage: coverage,
            comparisons: comparisons)
        program = try document.optionalText("program")
        guard !document.lacks("unchecked") else { return }
        for item in try document.list("unchecked") {
            let members = try item.members("unchecked")
            unchecked[try members.text("scenario")] = try members.texts("keys")
        }
    }
}

extension FoundFailure {
    fileprivate var json: JSONValue {
        .object([
            "promise": .text(invariant.rawValue), "detail": .text(detail), "explanation": .texts(explanation), "run": .number(Int64(run)),
            "replay": .text(replay),
            "small": small.map {
                .object([
                    "text": .text($0.text), "slug": .text($0.slug), "steps": .number(Int64($0.steps)), "fails": .flag($0.isConfirmed),
                    "chances": .list($0.understanding.chances.map(\.json)), "twin": $0.understanding.twin?.json ?? .null,
                ])
            } ?? .null,
        ])
    }

    fileprivate init(_ item: JSONValue.Members) throws(ReportFault) {
        let name = try item.text("promise")
        guard let invariant = Invariant(rawValue: name) else { throw ReportFault("there is no promise \"\(name)\"") }
        var small: Small?
        if let members = try item.optionalMembers("small") {
            small = Small(
                text: try members.text("text"), slug: try members.text("slug"), steps: try members.count("steps"),
                isConfirmed: try members.flag("fails"), understanding: try FoundUnderstanding(members))
            // It becomes the name of a file.
            guard let slug = small?.slug, let first = slug.first, first != ".",
                slug.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) })
            else { throw ReportFault("`slug` is empty, or has signs that no name of a file should have") }
        }
        self.init(
            invariant: invariant, detail: try item.text("detail"), explanation: try item.texts("explanation"), run: try item.count("run"),
            replay: try item.text("replay"), small: small)
    }
}

/// A search as JUnit: a case for each invariant, which passes if no run broke it, and one for each kind of failure. Only a search that compares has one for
/// ``Invariant/sameness``, which is skipped where nothing was compared.
extension ExplorationReport {
    static let suiteName = "pairsim explore"

    private func keptCase(of invariant: Invariant) -> JUnitDocument.Case? {
        if search.isOfOwnCode, !Invariant.ofAnyApp.contains(invariant) { return nil }
        var kept = JUnitDocument.Case(name: invariant.sentence, className: invariant.rawValue)
        if runs == 0, exhaustive.isEmpty { kept.fault = .init(element: "skipped", message: "no run was made", type: "notRun", text: "") }
        guard invariant == .sameness else { return kept }
        guard let comparisons else { return nil }
        if comparisons.made == 0 {
            kept.fault = .init(element: "skipped", message: comparisons.remark ?? "no run was compared", type: "notRun", text: "")
        }
        return kept
    }

    /// A search that ends before its time must not look green: of the runs that were not made nobody knows what they would have broken.
    private var unfinishedCase: JUnitDocument.Case? {
        switch status {
        case .interrupted:
            JUnitDocument.Case(
                name: JUnitReport.missingName, className: Self.suiteName,
                fault: .init(
                    element: "error", message: "interrupted: the search ended after \(Plural.of(runs, "run"))", type: "interrupted",
                    text: "the search was stopped before its end, as by a time limit of the job"))
        case .cannotRun:
            JUnitDocument.Case(
                name: JUnitReport.missingName, className: Self.suiteName,
                fault: .init(
                    element: "error", message: "the search could not be made as it was asked for", type: "cannotRun",
                    text: "something could not be read, written or compared; what it was is in the output of the command"))
        default: nil
        }
    }

    func junit() -> String {
        var cases: [JUnitDocument.Case] = []
        for invariant in Invariant.allCases {
            let failures = found.filter { $0.invariant == invariant }
            if failures.isEmpty, let kept = keptCase(of: invariant) { cases.append(kept) }
            for failure in failures {
                let name = invariant.sentence + (failure.detail.isEmpty ? "" : " (\(failure.detail))")
                let text =
                    failure.lines(style: Style(isColoured: false)) + [
                        failure.replayLine(style: Style(isColoured: false), program: "pairsim")
                    ]
                cases.append(
                    JUnitDocument.Case(
                        name: name, className: invariant.rawValue,
                        fault: .init(
                            element: "failure", message: failure.explanation.first ?? invariant.sentence, type: invariant.rawValue,
                            text: text.joined(separator: "\n"))))
            }
        }
        cases += exhaustive.map(\.junit) + [unfinishedCase].compactMap(\.self)
        var properties = JUnitDocument.properties(seed: search.seed, status: status, version: version, shard: shard)
        properties += [("runs", "\(runs)"), ("failingRuns", "\(failingRuns)"), ("over", search.over.joined(separator: ", "))]
        let suite = JUnitDocument.Suite(name: Self.suiteName, properties: properties, cases: cases, seconds: seconds)
        return JUnitDocument(name: Self.suiteName, suites: [suite], seconds: seconds).rendered()
    }
}

extension ExplorationReport {
    /// The report of a whole search, of those of its shards: of failures that several found, the smallest is kept.
    ///
    /// - Returns: `nil` for no reports.
    init?(joining reports: [ExplorationReport]) {
        guard let first = reports.first else { return nil }
        var found: [FoundFailure] = []
        for failure in reports.flatMap(\.found) {
            if let place = found.firstIndex(where: { $0.signature == failure.signature }) {
                if failure.isBetter(than: found[place]) { found[place] = failure }
            } else {
                found.append(failure)
            }
        }
        found.sort { ($0.run, $0.signature) < ($1.run, $1.signature) }
        let parts = reports.compactMap(\.seen)
        let seen = parts.count == reports.count ? parts.reduce(into: DistinctStates()) { $0.formUnion($1) } : nil
        var search = first.search
        // Shards are of one search. Reports that are none may be of several.
        for over in reports.dropFirst().flatMap(\.search.over) where !search.over.contains(over) { search.over.append(over) }
        let covered = reports.compactMap(\.coverage)
        let coverage = covered.count == reports.count ? covered.reduce(into: SearchCoverage()) { $0.add($1) } : nil
        let tallies = reports.compactMap(\.comparisons)
        let comparisons = tallies.count == reports.count ? tallies.reduce(into: ComparisonTally()) { $0.add($1) } : nil
        self.init(
            search: search, runs: reports.reduce(0) { $0 + $1.runs }, failingRuns: reports.reduce(0) { $0 + $1.failingRuns },
            states: seen?.count ?? reports.reduce(0) { $0 + $1.states }, seen: seen, seconds: reports.reduce(0) { $0 + $1.seconds },
            found: found,
            status: ExitStatus.foremost(reports.map(\.status)), exhaustive: reports.flatMap(\.exhaustive), version: first.version,
            coverage: coverage, comparisons: comparisons,
            unchecked: reports.reduce(into: [:]) { $0.merge($1.unchecked) { first, _ in first } })
    }
}
