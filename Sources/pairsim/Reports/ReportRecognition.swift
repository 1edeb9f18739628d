import Foundation

/// Tells what pairsim has written from what is somebody's own, so that no report and no trace ever replaces notes, sources or the log of a device.
enum ReportRecognition {
    /// How much of a file says what it is, in bytes.
    static let startLength = 4_096
    /// How much of it does where something long comes first: what a search exercised, or the title of a scenario.
    static let longStartLength = 16 << 20

    /// - Parameter start: The first ``startLength`` bytes of a file, or all of it.
    /// - Returns: Whether they may begin a report or a trace that says further on what it is.
    static func mayBeOurs(_ start: Data) -> Bool {
        let text = String(decoding: start, as: UTF8.self)
        guard text.utf8.count >= startLength else { return false }
        // Keys are sorted, so these are what a report of a search may have before its format.
        return text.hasPrefix("{\"facts\":{")
            || ["comparisons", "content", "coverage", "exhaustive", "failingRuns"].contains { text.hasPrefix("{\n  \"\($0)\": ") }
    }

    /// - Parameter start: The first ``startLength`` bytes of a file, or all of it; or where it ``mayBeOurs(_:)``, the first ``longStartLength``.
    /// - Returns: Whether they begin a report or a trace that pairsim wrote, of any format.
    static func isOurs(_ start: Data) -> Bool {
        let text = String(decoding: start, as: UTF8.self)
        if start.count > startLength {
            // As a line of the outermost object: what a scenario says within a text has its ends of lines escaped.
            return text.contains("\n  \"format\": \"\(ExplorationReport.format)\"") || isTrace(text)
        }
        return isOurs(text)
    }

    private static func isOurs(_ text: String) -> Bool {
        if isTAP(text) { return true }
        if text.hasPrefix("<?xml "), text.contains("<testsuites name=\"\(JUnitReport.name)") { return true }
        if text.hasPrefix("<!DOCTYPE html>"), text.contains(HTMLReport.generator) { return true }
        if text.hasPrefix(MermaidReport.generator) || text.hasPrefix("sequenceDiagram\n    \(MermaidReport.comment)") { return true }
        guard text.hasPrefix("{") else { return false }
        if [JSONReport.format, ExplorationReport.format].contains(where: { text.contains("\"format\": \"\($0)\"") }) { return true }
        return text.contains("\"otherData\":{\"tool\":\"pairsim ") || isTrace(text)
    }

    /// Whether the first line is that of a trace.
    private static func isTrace(_ text: String) -> Bool {
        text.hasPrefix("{\"facts\":{") && text.prefix { $0 != "\n" }.contains("\"kind\":\"trace.begin\"")
    }

    /// `TAP version 14`, `# pairsim 0.1.0, seed 1` with or without a shard, `1..9`: others write TAP too, and may speak of pairsim in it.
    private static func isTAP(_ text: String) -> Bool {
        let lines = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
        guard lines.count > 2, lines[0] == "TAP version 14", lines[1].hasPrefix("# pairsim "), lines[2].hasPrefix("1..") else {
            return false
        }
        let parts = lines[1].dropFirst("# pairsim ".count).split(separator: ",", omittingEmptySubsequences: false)
        return parts.count > 1 && parts[0].first?.isNumber == true && parts[0].allSatisfy { $0.isNumber || $0 == "." }
            && parts[1].hasPrefix(" seed ") && UInt64(parts[1].dropFirst(" seed ".count)) != nil
    }
}

extension FileAccess {
    /// Replaces a report or a trace that pairsim wrote, or a file with nothing in it, or writes a new file. Anything else is left as it is.
    func replaceOurs(_ data: Data, at path: String) throws(FileError) {
        try makeSureIsOurs(path)
        try write(data, to: path)
    }

    /// - Throws: that the file is somebody's own.
    func makeSureIsOurs(_ path: String) throws(FileError) {
        // What is written to a device or a pipe replaces nothing; a folder is complained of by who writes.
        guard try kind(of: path) == .file else { return }
        var start = try read(path, first: ReportRecognition.startLength)
        if !ReportRecognition.isOurs(start), ReportRecognition.mayBeOurs(start) {
            start = try read(path, first: ReportRecognition.longStartLength)
        }
        guard start.isEmpty || ReportRecognition.isOurs(start) else {
            throw FileError(
                path: path, reason: "pairsim did not write what is there, and leaves it alone; name another file, or remove this one first")
        }
    }
}
