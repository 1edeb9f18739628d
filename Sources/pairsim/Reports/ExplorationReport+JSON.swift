import DeviceSim

/// The report of a search for programs.
///
/// One object with sorted keys. Same seed and same number of runs give the same bytes, on any machine:
///
/// - `format`: `"pairsim-exploration"`, and `version`: `1`. A later version may add keys; it does not change these. `pairsim`: the version of the tool.
/// - `shard`: `null`, or `number` (from 1), `count` and `origin` (what said so).
/// - `seed`, `over`, `strategies`, `steps`: what decides which runs are drawn.
/// - `status`: the exit status. `runs`: how many were made; `failingRuns`; `states`: how many were told apart, by each shard for itself.
/// - `found`: one object for each kind of failure: `invariant` and `detail` say which kind, `explanation` (sentences), `run`, `replay` (the command that makes
///   that run again), and `small`: `null`, or `text` (of a scenario file), `slug`, `steps`, and `fails`: whether an ordinary run of it fails.
extension ExplorationReport {
    static let format = "pairsim-exploration"

    func json() -> String {
        let document: [String: JSONValue] = [
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
        return JSONValue.object(document).rendered()
    }

    /// - Throws: what is wrong with the document, as the end of a sentence.
    init(_ document: JSONValue.Members) throws(ReportFault) {
        let search = Search(
            seed: try document.unsigned("seed"), over: try document.texts("over"), strategies: try document.texts("strategies"),
            steps: try document.count("steps"))
        var found: [FoundFailure] = []
        for item in try document.list("found") { found.append(try FoundFailure(item.members("found"))) }
        self.init(
            search: search, runs: try document.count("runs"), failingRuns: try document.count("failingRuns"),
            states: try document.count("states"), seconds: 0, found: found, status: try document.status("status"),
            shard: try document.shard(), version: try document.text("pairsim"))
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
                isConfirmed: try members.flag("fails"))
            // It becomes the name of a file.
            guard small?.slug.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) }) == true, small?.slug.first != "." else {
                throw ReportFault("`slug` has signs that no name of a file should have")
            }
        }
        self.init(
            invariant: invariant, detail: try item.text("detail"), explanation: try item.texts("explanation"), run: try item.count("run"),
            replay: try item.text("replay"), small: small)
    }
}
