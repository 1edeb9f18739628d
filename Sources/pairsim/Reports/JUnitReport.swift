/// Runs as JUnit: a suite for each folder, a case for each run; seed, status, version, and shard as properties.
///
/// An expectation that fails is a `failure`; a file that does not parse or a run that cannot be made is an `error`.
enum JUnitReport {
    static let name = "pairsim"

    static func render(_ report: RunReport) -> String {
        var properties = JUnitDocument.properties(seed: report.seed, status: report.status, version: report.version, shard: report.shard)
        if let extent = report.extent {
            properties += [("selection.scenarios", "\(extent.scenarios)"), ("selection.runs", "\(extent.runs)")]
            properties += [("selection.broken", "\(extent.brokenCount)"), ("selection.digest", extent.digest)]
        }
        if report.summary.notRun > 0 { properties.append(("notRun", "\(report.summary.notRun)")) }
        var records: [String: [RunRecord]] = [:]
        for record in report.records { records[record.folder, default: []].append(record) }
        // A shard without a run has something to say all the same.
        if records.isEmpty { records["."] = [] }
        var suites = records.keys.sorted().map { folder in
            let records = records[folder] ?? []
            return JUnitDocument.Suite(
                name: folder, properties: properties, cases: records.map(element), seconds: records.reduce(0) { $0 + $1.seconds })
        }
        if let missing = missing(in: report) {
            suites.append(JUnitDocument.Suite(name: "not run", properties: properties, cases: [missing]))
        }
        return JUnitDocument(name: name, suites: suites, seconds: report.seconds).rendered()
    }

    /// What the case is called that stands for the runs that were not made.
    static let missingName = "runs that were not made"

    /// A report that ends before its time must not look green: viewers show the cases, and nobody reads a property.
    private static func missing(in report: RunReport) -> JUnitDocument.Case? {
        guard report.summary.notRun > 0 else { return nil }
        let count = Plural.of(report.summary.notRun, "run")
        let isInterrupted = report.status == .interrupted
        let message = isInterrupted ? "interrupted: \(count) not made" : "\(count) not made"
        return JUnitDocument.Case(
            name: missingName, className: name,
            fault: .init(
                element: isInterrupted ? "error" : "skipped", message: message, type: isInterrupted ? "interrupted" : "notRun",
                text: isInterrupted
                    ? "the run was stopped before its end, as by a time limit of the job" : "an earlier failure ended the run"))
    }

    private static func element(of record: RunRecord) -> JUnitDocument.Case {
        var item = JUnitDocument.Case(
            name: record.caseName, className: record.folder.split(separator: "/").joined(separator: "."), file: record.path,
            // A line of a file that is included is none of this one.
            line: record.faultPath == record.path ? record.line : nil,
            seconds: record.seconds)
        item.output =
            record.retold?.output
            ?? (record.unobserved.map { "\($0)" } + record.untriggered.map { "\($0): this fault was not triggered in this run" })
            .joined(separator: "\n")
        item.properties = record.retold?.properties ?? properties(of: record)
        guard !record.isGreen else { return item }
        item.fault = .init(
            element: record.outcome == .unparsable || record.outcome == .cannotRun ? "error" : "failure", message: record.headline,
            type: record.outcome.rawValue,
            text: FailureText.lines(of: record, style: Style(isColoured: false)).joined(separator: "\n"))
        return item
    }
}

extension JUnitReport {
    /// What Jenkins and GitLab show beside a case that failed: how to make it again, and what it is about. A case that passed has none, to keep reports of
    /// thousands of them small, unless it was not to go to its end, is a canary, or has a fault that was not triggered.
    static let (untriggeredName, triggeredName, canaryName) = ("untriggeredFault", "triggeredFault", "canary")

    private static func properties(of record: RunRecord) -> [(name: String, value: String)] {
        var properties: [(name: String, value: String)] = []
        properties += record.untriggered.map { (untriggeredName, "\($0)") } + record.triggered.map { (triggeredName, "\($0)") }
        guard !record.isGreen else {
            if let end = record.earlyEnd { properties += [("until", "\(end.line)"), ("stepsNotRun", "\(end.steps)")] }
            if let canary = record.canary { properties.append((canaryName, "\(canary)")) }
            return properties
        }
        if let variation = record.variation { properties += [("seed", "\(variation.seed)"), ("order", "\(variation.order)")] }
        if !record.tags.isEmpty { properties.append(("tags", record.tags.joined(separator: " "))) }
        if !record.rules.isEmpty { properties.append(("rules", record.rules.joined(separator: " "))) }
        if let fingerprint = record.fingerprint { properties.append(("trace", "\(fingerprint)")) }
        properties.append(("replay", record.replay))
        if let nearest = record.told?.nearest { properties.append(("nearest", nearest.text)) }
        return properties
    }
}

/// JUnit XML as CI systems read it.
struct JUnitDocument {
    struct Suite {
        let name: String
        var properties: [(name: String, value: String)] = []
        var cases: [Case] = []
        var seconds = 0.0
    }

    struct Case {
        let name: String
        let className: String
        var file: String?
        var line: Int?
        var seconds = 0.0
        var properties: [(name: String, value: String)] = []
        var fault: Fault?
        /// What the case printed.
        var output = ""
    }

    struct Fault {
        /// `failure` for what did not hold, `error` for what could not be tried, `skipped` for what was not asked for to its end.
        let element: String
        let message: String
        let type: String
        let text: String
    }

    let name: String
    let suites: [Suite]
    let seconds: Double

    /// What every report says of itself.
    static func properties(seed: UInt64, status: ExitStatus, version: String, shard: Shard?) -> [(name: String, value: String)] {
        [("seed", "\(seed)"), ("status", "\(status.rawValue)"), ("pairsim", version)] + (shard.map { [("shard", $0.notation)] } ?? [])
    }

    func rendered() -> String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\(Self.attribute(name))"
        text += Self.counts(of: suites.flatMap(\.cases)) + " time=\"\(Self.time(seconds))\">\n"
        for suite in suites {
            text +=
                "  <testsuite name=\(Self.attribute(suite.name))" + Self.counts(of: suite.cases)
                + " time=\"\(Self.time(suite.seconds))\">\n"
            text += "    <properties>\n"
            for (name, value) in suite.properties {
                text += "      <property name=\(Self.attribute(name)) value=\(Self.attribute(value))/>\n"
            }
            text += "    </properties>\n" + suite.cases.map(Self.element).joined() + "  </testsuite>\n"
        }
        return text + "</testsuites>\n"
    }

    private static func element(of item: Case) -> String {
        var text = "    <testcase name=\(attribute(item.name)) classname=\(attribute(item.className))"
        if let file = item.file { text += " file=\(attribute(file))" }
        if let line = item.line { text += " line=\"\(line)\"" }
        text += " time=\"\(time(item.seconds))\""
        guard item.fault != nil || !item.output.isEmpty || !item.properties.isEmpty else { return text + "/>\n" }
        text += ">\n"
        if !item.properties.isEmpty {
            text += "      <properties>\n"
            for (name, value) in item.properties { text += "        <property name=\(attribute(name)) value=\(attribute(value))/>\n" }
            text += "      </properties>\n"
        }
        if let fault = item.fault {
            text += "      <\(fault.element) message=\(attribute(fault.message)) type=\(attribute(fault.type))>"
            text += escaped(fault.text) + "</\(fault.element)>\n"
        }
        if !item.output.isEmpty { text += "      <system-out>" + escaped(item.output) + "</system-out>\n" }
        return text + "    </testcase>\n"
    }

    private static func counts(of cases: [Case]) -> String {
        let failures = cases.count { $0.fault?.element == "failure" }
        let errors = cases.count { $0.fault?.element == "error" }
        let skipped = cases.count { $0.fault?.element == "skipped" }
        return " tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\""
    }

    private static func time(_ seconds: Double) -> String { Decimals.fixed(seconds, places: 3) }

    private static func attribute(_ text: String) -> String {
        "\"" + escaped(text).replacing("\n", with: "&#10;").replacing("\t", with: "&#9;").replacing("\"", with: "&quot;") + "\""
    }

    /// Escapes the markup, and leaves out what XML 1.0 cannot say: control characters and the two non-characters.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            default:
                let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                guard !isControl, scalar.value != 0xFFFE, scalar.value != 0xFFFF else { continue }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
