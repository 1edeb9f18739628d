/// The report for programs.
///
/// One object; keys are sorted, and nothing in it depends on the wall clock or the machine, so that two runs of the same scenarios give
/// the same bytes:
///
/// - `format`: `"pairsim-report"`, and `version`: `1`. A later version may add keys; it does not change these.
/// - `pairsim`: the version of the tool. `seed`: the seed of the invocation. `status`: its exit status.
/// - `shard`: `null` for everything, or `number` (from 1), `count` and `origin` (what said so).
/// - `selection`: what all shards together are: `scenarios`, `runs`, `broken` (files that cannot be run), and a `digest` of their names, of what
///   they say, of seeds and orders;
///   `null` where that is not known.
/// - `summary`: `passed`, `canaries` (of those passed, the ones that failed as they must), `failed`, `unparsable`, `cannotRun`,
///   `notDeterministic`, `didNotSettle`, `notRun`, `endedEarly` (of those passed, the ones that `--until` ended before their last step).
/// - `neverTriggeredFaults`: the faults that no run of a scenario triggered, of the scenarios all of whose runs are in the report: of each its `name`, with
///   its row, and its `faults` as lines.
/// - `runs`: one object for each run and for each file that could not be run, in the order of the output:
///   - `position`: its number among those of all shards, from 0, or `null`. `varied`: whether its scenario runs more than once. `row`: of the table of
///     examples, as written, or `null`.
///   - `name`, `path`, `title`, `tags`, `rules`; `canary`: the status it must fail with, or `null`. `canaryObjection`: why a canary
///     that ended with its status did not fail where it must, or `null`.
///   - `seed`; `order`: 0 for first in, first out, else the number of the order; both `null` for a file that was not run.
///   - `passed`: whether it is as it should be. `outcome`: `passed`, `failed`, `unparsable`, `cannotRun`, `notDeterministic` or
///     `didNotSettle`: what happened, whatever should have. `status`: what this run adds to the exit status.
///   - `repetitions`: 1, or with steps that crash at every operation how many crash points were tried. `steps` and `virtualMicroseconds`: of all of
///     them. `trace`: the fingerprint of the (last) trace, or `null`.
///   - `endedEarly`: `null`, or of a run that passed up to where `--until` ended it, the `line` behind which no step was run, and how many (`stepsNotRun`).
///   - `failure`: `null`, or an object of `message`, `pins` (the steps that crash at every operation, as they were in the failing run), `path` (of an included file at fault, or `null`), `line`, `column`, `length`, `source`, `phase`, `expected`, `actual`, `lastEvents`.
///   - `unobservedFailures`: what failed without any code of the apps being told, unless the scenario says how many it expects; each with
///     `microseconds`, `device`, `process`, `what`, `error` and `cause`.
///   - `untriggeredFaults`: of a run that came to its end, or as a canary to where it must fail, the faults that its steps set and that no operation came to;
///     each with `path`, `line`, `source`, `step` (with the values of variables), and `includedFrom` (the places that include the file, innermost first).
///     `triggeredFaults`: of any other run, those that an operation came to.
///   - `problems`: of the file, each with `path`, `line`, `column`, `message`, and the `text` that a person reads.
///   - `replay`: the command that makes this run again.
enum JSONReport {
    static let format = "pairsim-report"

    static func render(_ report: RunReport) -> String { document(report).rendered() }

    static func document(_ report: RunReport) -> JSONValue {
        let summary = report.summary
        let document: [String: JSONValue] = [
            "format": .text(format),
            "version": .number(1),
            "pairsim": .text(report.version),
            "shard": .optional(report.shard),
            "selection": report.extent.map { extent in
                .object([
                    "scenarios": number(extent.scenarios), "runs": number(extent.runs), "broken": number(extent.brokenCount),
                    "digest": .text(extent.digest),
                ])
            } ?? .null,
            "seed": .unsigned(report.seed),
            "status": .number(Int64(report.status.rawValue)),
            "summary": .object([
                "passed": number(summary.passed),
                "canaries": number(summary.canaries),
                "failed": number(summary[.failed]),
                "unparsable": number(summary[.unparsable]),
                "cannotRun": number(summary[.cannotRun]),
                "notDeterministic": number(summary[.notDeterministic]),
                "didNotSettle": number(summary[.didNotSettle]),
                "notRun": number(summary.notRun),
                "endedEarly": number(summary.endedEarly),
            ]),
            "runs": .list(report.records.map(run)),
            "neverTriggeredFaults": .list(
                report.neverTriggered.map { .object(["name": .text($0.name), "faults": .texts($0.faults)]) }),
        ]
        return .object(document)
    }

    private static func run(_ record: RunRecord) -> JSONValue {
        .object([
            "position": .optional(record.position),
            "varied": .flag(record.isVaried),
            "row": .optional(record.rowLabel),
            "name": .text(record.name),
            "path": .text(record.path),
            "title": .text(record.title),
            "tags": .texts(record.tags),
            "rules": .texts(record.rules),
            "canary": .optional(record.canary),
            "canaryObjection": .optional(record.canaryObjection),
            "endedEarly": record.earlyEnd.map { .object(["line": number($0.line), "stepsNotRun": number($0.steps)]) } ?? .null,
            "seed": record.variation.map { .unsigned($0.seed) } ?? .null,
            "order": record.variation.map { .unsigned($0.order) } ?? .null,
            "passed": .flag(record.isGreen),
            "outcome": .text(record.outcome.rawValue),
            "status": .number(Int64(record.status.rawValue)),
            "repetitions": number(record.repetitions),
            "steps": number(record.steps),
            "virtualMicroseconds": .number(record.duration.microseconds),
            "trace": .optional(record.fingerprint?.description),
            "failure": record.failure.map { failure in
                .object([
                    "message": .text(failure.message),
                    "pins": .texts(failure.pins),
                    "path": .optional(failure.path),
                    "line": .optional(failure.line),
                    "column": .optional(failure.column),
                    "length": .optional(failure.length),
                    "source": .optional(failure.source),
                    "phase": .optional(failure.phase),
                    "expected": .optional(failure.expected),
                    "actual": .optional(failure.actual),
                    "lastEvents": .texts(failure.lastEvents),
                ])
            } ?? .null,
            "unobservedFailures": .list(record.unobserved.map(unobserved)),
            "untriggeredFaults": .list(record.untriggered.map(fault)),
            "triggeredFaults": .list(record.triggered.map(fault)),
            "problems": .list(record.problems.map(problem)),
            "replay": .text(record.replay),
        ])
    }

    private static func fault(_ fault: UntriggeredFault) -> JSONValue {
        .object([
            "path": .text(fault.path), "line": number(fault.line), "source": .text(fault.source), "step": .text(fault.step),
            "includedFrom": .texts(fault.includedFrom),
        ])
    }

    private static func unobserved(_ failure: UnobservedFailure) -> JSONValue {
        .object([
            "microseconds": .number(failure.time.microseconds), "device": .optional(failure.device?.description),
            "process": .optional(failure.process), "what": .text(failure.what), "error": .text(failure.error),
            "cause": .text(failure.cause),
        ])
    }

    static func problem(_ problem: FileProblem) -> JSONValue {
        .object([
            "path": .text(problem.path), "line": .optional(problem.line), "column": .optional(problem.column),
            "message": .text(problem.message), "text": .text(problem.text),
        ])
    }

    private static func number(_ count: Int) -> JSONValue { .number(Int64(count)) }
}

extension JSONReport {
    /// The report that a document says.
    /// - Throws: what is wrong with it.
    static func read(_ document: JSONValue.Members) throws(ReportFault) -> RunReport {
        var records: [RunRecord] = []
        for item in try document.list("runs") { records.append(try record(item.members("runs"))) }
        var summary = RunSummary()
        for record in records { summary.count(record) }
        let counts = try document.optionalMembers("summary")
        summary.notRun = try counts?.count("notRun", upTo: JSONValue.Members.maximumRunCount) ?? 0
        var stated: Int?
        let outcomes = ["passed", "failed", "unparsable", "cannotRun", "notDeterministic", "didNotSettle"]
        if let counts, !outcomes.contains(where: counts.lacks) {
            var sum = 0
            for name in outcomes { sum += try counts.count(name) }
            stated = sum
        }
        var extent: SelectionExtent?
        if let members = try document.optionalMembers("selection") {
            extent = SelectionExtent(
                scenarios: try members.count("scenarios"),
                runs: try members.count("runs", upTo: JSONValue.Members.maximumRunCount), brokenCount: try members.count("broken"),
                digest: try members.text("digest"))
        }
        return RunReport(
            records: records, summary: summary, seconds: 0, seed: try document.unsigned("seed"), status: try document.status("status"),
            shard: try document.shard(), extent: extent, version: try document.text("pairsim"), statedCount: stated)
    }

    private static func record(_ item: JSONValue.Members) throws(ReportFault) -> RunRecord {
        let word = try item.text("outcome")
        guard let outcome = RunRecord.Outcome(rawValue: word) else { throw ReportFault("there is no outcome \"\(word)\"") }
        var variation: RunVariation?
        if !item.lacks("seed") { variation = RunVariation(seed: try item.unsigned("seed"), order: try item.unsigned("order")) }
        var record = RunRecord(
            position: item.lacks("position") ? nil : try item.count("position", upTo: JSONValue.Members.maximumRunCount),
            name: try item.text("name"), path: try item.text("path"),
            title: try item.text("title"),
            tags: try item.texts("tags"), rules: try item.texts("rules"), variation: variation, isVaried: try item.flag("varied"),
            rowLabel: try item.optionalText("row"), canary: try item.optionalCount("canary"), outcome: outcome,
            repetitions: try item.count("repetitions"), steps: try item.count("steps"),
            duration: VirtualDuration(microseconds: try item.microseconds("virtualMicroseconds")), replay: try item.text("replay"))
        if let failure = try item.optionalMembers("failure") { record.failure = try Self.failure(failure) }
        if let text = try item.optionalText("trace") {
            guard let value = UInt64(text, radix: 16) else { throw ReportFault("`trace` is no fingerprint") }
            record.fingerprint = TraceFingerprint(value: value)
        }
        record.canaryObjection = try item.optionalText("canaryObjection")
        if let end = try item.optionalMembers("endedEarly") {
            record.earlyEnd = .init(line: try end.count("line"), steps: try end.count("stepsNotRun"))
        }
        for problem in try item.list("problems") {
            let members = try problem.members("problems")
            record.problems.append(
                FileProblem(
                    kind: outcome == .cannotRun ? .access : .syntax, path: try members.text("path"),
                    line: try members.optionalCount("line"),
                    column: try members.optionalCount("column"), message: try members.text("message"), text: try members.text("text")))
        }
        for failure in try item.list("unobservedFailures") {
            record.unobserved.append(try unobserved(failure.members("unobservedFailures")))
        }
        record.untriggered = try faults("untriggeredFaults", of: item)
        record.triggered = try faults("triggeredFaults", of: item)
        return record
    }

    /// A version that did not know of them has none.
    private static func faults(_ name: String, of item: JSONValue.Members) throws(ReportFault) -> [UntriggeredFault] {
        var faults: [UntriggeredFault] = []
        for fault in item.lacks(name) ? [] : try item.list(name) {
            let members = try fault.members(name)
            faults.append(
                UntriggeredFault(
                    path: try members.text("path"), line: try members.count("line"), source: try members.text("source"),
                    step: members.lacks("step") ? nil : try members.text("step"),
                    includedFrom: members.lacks("includedFrom") ? [] : try members.texts("includedFrom")))
        }
        return faults
    }

    private static func failure(_ item: JSONValue.Members) throws(ReportFault) -> ScenarioFailure {
        ScenarioFailure(
            message: try item.text("message"), pins: try item.texts("pins"), path: try item.optionalText("path"),
            line: try item.optionalCount("line"), column: try item.optionalCount("column"), length: try item.optionalCount("length"),
            source: try item.optionalText("source"), phase: try item.optionalText("phase"), expected: try item.optionalText("expected"),
            actual: try item.optionalText("actual"), lastEvents: try item.texts("lastEvents"))
    }

    private static func unobserved(_ item: JSONValue.Members) throws(ReportFault) -> UnobservedFailure {
        let device = try item.optionalText("device")
        return UnobservedFailure(
            time: VirtualTime(microseconds: try item.microseconds("microseconds")),
            device: device.flatMap { name in (0..<10).map { DeviceID(index: $0) }.first { "\($0)" == name } },
            process: try item.optionalCount("process"), what: try item.text("what"), error: try item.text("error"),
            cause: try item.text("cause"))
    }
}
