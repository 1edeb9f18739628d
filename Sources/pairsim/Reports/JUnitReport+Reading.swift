import Foundation

extension JUnitReport {
    /// The report that the tool's own XML says. It has less than the JSON report: of a failure the text only.
    /// - Throws: what is wrong with it.
    static func read(_ data: Data) throws(ReportFault) -> RunReport {
        var reader = JUnitReader()
        do throws(XMLScanner.Fault) {
            try XMLScanner.read(data) { reader.take($0) }
        } catch {
            throw ReportFault("it is neither JSON nor XML, or is cut off: \(error.reason)")
        }
        guard reader.name != ExplorationReport.suiteName else {
            throw ReportFault("it is the JUnit report of a search; the reports of explore are joined from --report json")
        }
        guard reader.name == name, let seed = reader.properties["seed"].flatMap({ UInt64($0) }),
            let status = reader.properties["status"].flatMap({ Int32($0) }).flatMap(ExitStatus.init),
            let version = reader.properties["pairsim"]
        else { throw ReportFault("it is no report of pairsim") }
        var shard: Shard?
        if let text = reader.properties["shard"] {
            guard let named = Shard(notation: text, origin: "") else { throw ReportFault("there is no shard \(text)") }
            shard = named
        }
        var summary = RunSummary()
        for record in reader.records { summary.count(record) }
        summary.notRun = reader.count(reader.properties["notRun"], "notRun", upTo: JSONValue.Members.maximumRunCount) ?? 0
        let extent = SelectionExtent(of: &reader)
        // A number that is none may have been what makes a report one of failures.
        if let fault = reader.fault { throw ReportFault(fault) }
        return RunReport(
            records: reader.records, summary: summary, seconds: reader.seconds, seed: seed, status: status, shard: shard,
            extent: extent, version: version, statedCount: reader.statedCount)
    }
}

extension SelectionExtent {
    fileprivate init?(of reader: inout JUnitReader) {
        func count(_ name: String) -> Int? {
            reader.count(reader.properties[name], name, upTo: JSONValue.Members.maximumRunCount)
        }
        guard let scenarios = count("selection.scenarios"), let runs = count("selection.runs"), let broken = count("selection.broken"),
            let digest = reader.properties["selection.digest"]
        else { return nil }
        self.init(scenarios: scenarios, runs: runs, brokenCount: broken, digest: digest)
    }
}

/// Collects the cases of a JUnit report.
private struct JUnitReader {
    var name: String?
    var seconds = 0.0
    /// How many cases the report says that it has.
    var statedCount: Int?
    var properties: [String: String] = [:]
    var records: [RunRecord] = []
    private var text = ""
    private var current: RunRecord?

    /// What is wrong with its numbers; `nil`: nothing.
    private(set) var fault: String?

    /// A number of things; `nil` where there is none.
    mutating func count(_ text: String?, _ name: String, upTo limit: Int64 = JSONValue.Members.maximumCount) -> Int? {
        guard let text else { return nil }
        let range = 0...Int(limit)
        if let number = Int(text), range.contains(number) { return number }
        fault = fault ?? "`\(name)` is no whole number from 0 to \(range.upperBound)"
        return nil
    }

    private mutating func seconds(_ text: String?) -> Double {
        guard let text else { return 0 }
        if let number = Double(text), (0...1e9).contains(number) { return number }
        fault = fault ?? "`time` is no number of seconds"
        return 0
    }

    mutating func take(_ event: XMLScanner.Event) {
        switch event {
        case .start(let element, let attributes): begin(element, attributes)
        case .text(let more): text += more
        case .end(let element): end(element)
        }
    }

    private mutating func begin(_ element: String, _ attributes: [String: String]) {
        text = ""
        switch element {
        case "testsuites":
            name = attributes["name"]
            seconds = seconds(attributes["time"])
            statedCount = count(attributes["tests"], "tests")
        case "property":
            guard let name = attributes["name"] else { break }
            // Those of a case are its own.
            if current == nil {
                properties[name] = attributes["value"]
            } else {
                current?.retold?.properties.append((name, attributes["value"] ?? ""))
            }
        case "testcase":
            let path = attributes["file"] ?? attributes["name"] ?? ""
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            current = RunRecord(
                name: (folder.isEmpty ? "" : folder + "/") + (attributes["name"] ?? ""), path: path, title: "", outcome: .passed, replay: ""
            )
            let (seconds, line) = (seconds(attributes["time"]), count(attributes["line"], "line"))
            current?.seconds = seconds
            current?.retold = RunRecord.Retold(line: line)
        case "failure", "error":
            let outcome = attributes["type"].flatMap(RunRecord.Outcome.init)
            // A canary that passed has failed.
            current?.outcome = outcome.map { $0 == .passed ? .failed : $0 } ?? .failed
            current?.retold?.headline = attributes["message"] ?? ""
        default: break
        }
    }

    private mutating func end(_ element: String) {
        switch element {
        case "failure", "error":
            current?.retold?.text = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        case "system-out": current?.retold?.output = text
        case "testcase":
            if current?.path == JUnitReport.missingName {
                statedCount = statedCount.map { max(0, $0 - 1) }
            } else if var record = current {
                func values(_ name: String) -> [String] { record.retold?.properties.filter { $0.name == name }.map(\.value) ?? [] }
                let (untriggered, triggered) = (values(JUnitReport.untriggeredName), values(JUnitReport.triggeredName))
                record.retold?.untriggered = untriggered
                record.retold?.triggered = triggered
                // One that failed as it must is a case that passed.
                if record.outcome == .passed, let canary = count(values(JUnitReport.canaryName).first, JUnitReport.canaryName),
                    let outcome = RunRecord.Outcome.allCases.first(where: { Int($0.status.rawValue) == canary }), outcome != .passed
                {
                    record.canary = canary
                    record.outcome = outcome
                }
                if let line = count(values("until").first, "until"), let steps = count(values("stepsNotRun").first, "stepsNotRun") {
                    record.earlyEnd = .init(line: line, steps: steps)
                }
                records.append(record)
            }
            current = nil
        default: break
        }
    }
}
