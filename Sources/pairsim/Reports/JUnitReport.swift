import Foundation

/// JUnit XML as CI systems read it: a suite for each folder, a case for each run, the seed as a property.
///
/// An expectation that fails is a `failure`; a file that does not parse or a run that cannot be made is an `error`.
enum JUnitReport {
    static func render(_ report: RunReport) -> String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pairsim\""
        text += counts(of: report.records) + " time=\"\(time(report.seconds))\">\n"
        var suites: [String: [RunRecord]] = [:]
        for record in report.records {
            suites[record.folder, default: []].append(record)
        }
        for folder in suites.keys.sorted() {
            let records = suites[folder] ?? []
            text += "  <testsuite name=\(attribute(folder))" + counts(of: records)
            text += " time=\"\(time(records.reduce(0) { $0 + $1.seconds }))\">\n"
            text += "    <properties>\n      <property name=\"seed\" value=\"\(report.seed)\"/>\n    </properties>\n"
            text += records.map(testCase).joined()
            text += "  </testsuite>\n"
        }
        return text + "</testsuites>\n"
    }

    private static func testCase(_ record: RunRecord) -> String {
        let className = record.folder.split(separator: "/").joined(separator: ".")
        var text = "    <testcase name=\(attribute(record.caseName)) classname=\(attribute(className))"
        text += " file=\(attribute(record.path))"
        if let line = record.line { text += " line=\"\(line)\"" }
        text += " time=\"\(time(record.seconds))\""
        let output = systemOut(record)
        guard !record.isGreen else { return output.isEmpty ? text + "/>\n" : text + ">\n\(output)    </testcase>\n" }
        let element = record.outcome == .unparsable || record.outcome == .cannotRun ? "error" : "failure"
        text += ">\n      <\(element) message=\(attribute(record.headline)) type=\"\(record.outcome.rawValue)\">"
        text += escaped(FailureText.lines(of: record, style: Style(isColoured: false)).joined(separator: "\n"))
        return text + "</\(element)>\n\(output)    </testcase>\n"
    }

    /// The failures that nobody observed.
    private static func systemOut(_ record: RunRecord) -> String {
        guard !record.unobserved.isEmpty else { return "" }
        return "      <system-out>" + escaped(record.unobserved.map { "\($0)" }.joined(separator: "\n")) + "</system-out>\n"
    }

    private static func counts(of records: [RunRecord]) -> String {
        let bad = records.filter { !$0.isGreen }
        let errors = bad.count { $0.outcome == .unparsable || $0.outcome == .cannotRun }
        return " tests=\"\(records.count)\" failures=\"\(bad.count - errors)\" errors=\"\(errors)\" skipped=\"0\""
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
