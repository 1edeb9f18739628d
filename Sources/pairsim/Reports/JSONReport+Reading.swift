import DeviceSim

extension JSONReport {
    /// The report that a document says.
    /// - Throws: what is wrong with it.
    static func read(_ document: JSONValue.Members) throws(ReportFault) -> RunReport {
        var records: [RunRecord] = []
        for item in try document.list("runs") { records.append(try record(item.members("runs"))) }
        var summary = RunSummary()
        for record in records { summary.count(record) }
        summary.notRun = try document.optionalMembers("summary")?.count("notRun") ?? 0
        var extent: RunExtent?
        if let members = try document.optionalMembers("selection") {
            extent = RunExtent(
                scenarios: try members.count("scenarios"), runs: try members.count("runs"), brokenCount: try members.count("broken"),
                digest: try members.text("digest"))
        }
        return RunReport(
            records: records, summary: summary, seconds: 0, seed: try document.unsigned("seed"), status: try document.status("status"),
            shard: try document.shard(), extent: extent, version: try document.text("pairsim"))
    }

    private static func record(_ item: JSONValue.Members) throws(ReportFault) -> RunRecord {
        let word = try item.text("outcome")
        guard let outcome = RunRecord.Outcome(rawValue: word) else { throw ReportFault("there is no outcome \"\(word)\"") }
        var variation: RunVariation?
        if !item.lacks("seed") { variation = RunVariation(seed: try item.unsigned("seed"), order: try item.unsigned("order")) }
        var record = RunRecord(
            position: try item.optionalCount("position"), name: try item.text("name"), path: try item.text("path"),
            title: try item.text("title"),
            tags: try item.texts("tags"), rules: try item.texts("rules"), variation: variation, isVaried: try item.flag("varied"),
            rowLabel: try item.optionalText("row"), canary: try item.optionalCount("canary"), outcome: outcome,
            repetitions: try item.count("repetitions"), steps: try item.count("steps"),
            duration: VirtualDuration(microseconds: try item.number("virtualMicroseconds")), replay: try item.text("replay"))
        if let failure = try item.optionalMembers("failure") { record.failure = try Self.failure(failure) }
        if let text = try item.optionalText("trace") {
            guard let value = UInt64(text, radix: 16) else { throw ReportFault("`trace` is no fingerprint") }
            record.fingerprint = TraceFingerprint(value: value)
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
        return record
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
            time: VirtualTime(microseconds: try item.number("microseconds")),
            device: device.flatMap { name in (0..<10).map { DeviceID(index: $0) }.first { "\($0)" == name } },
            process: try item.optionalCount("process"), what: try item.text("what"), error: try item.text("error"),
            cause: try item.text("cause"))
    }
}
