/// The runs that are told, as Markdown with a sequence diagram of each in Mermaid's notation: for a comment on a pull request or a job's summary.
///
/// Mermaid takes text apart by characters of its own, so all text goes through ``safe(_:)``. A diagram has the last ``messageLimit`` lines of its run.
enum MermaidReport {
    /// More than this many do not fit a screen, and some hosts draw no larger diagram.
    static let messageLimit = 120
    /// What a report begins with, and a diagram alone after its first line: neither is shown.
    static let generator = "<!-- a report of pairsim -->"
    static let comment = "%% a report of pairsim"

    static func render(_ report: RunReport) -> String {
        let told = report.records.filter { $0.told != nil }
        let faults = JobSummary.faults(report)
        guard !told.isEmpty else { return "\(generator)\n\(markdown(report.summary.text)): no run to show.\n" + faults }
        var text = "\(generator)\n\(markdown(report.summary.text))\n"
        for record in told {
            guard let run = record.told else { continue }
            text += "\n### \(markdown(record.name))\n\n\(markdown(record.isGreen ? "passed" : record.headline))\n\n"
            text += "```mermaid\n" + diagram(of: run) + "```\n\n" + "Replay: `\(code(record.replay))`\n"
        }
        if report.untold > 0 { text += "\n\(report.untold) more runs are not shown.\n" }
        return text + faults
    }

    /// The first run's diagram alone, as a file of the ending `.mmd` has it.
    static func renderAlone(_ report: RunReport) -> String {
        let told = report.records.compactMap(\.told)
        guard let first = told.first else { return "sequenceDiagram\n    \(comment)\n    Note over phone: no run to show\n" }
        let text = diagram(of: first, notes: [comment])
        guard told.count > 1 else { return text }
        return text + "    %% \(told.count - 1) more: with {name} in the path each run has a file\n"
    }

    /// The diagram of a run.
    /// - Parameter notes: Lines that are not shown, for its beginning.
    static func diagram(of told: ToldRun, notes: [String] = []) -> String {
        let story = told.story
        var lines = lines(of: story, from: told.firstEvent)
        let left = lines.count - messageLimit
        if left > 0 { lines = ["Note over \(name(story.devices[0])): … \(left) lines before this one"] + lines.suffix(messageLimit) }
        let heads = story.devices.map { "participant \(name($0))" }
        return "sequenceDiagram\n" + (notes + heads + lines).map { "    \($0)\n" }.joined()
    }

    private static func lines(of story: RunStory, from first: Int) -> [String] {
        let everyone = story.devices.count > 1 ? "\(name(story.devices[0])),\(name(story.devices[story.devices.count - 1]))" : "phone"
        var lines: [String] = []
        var number = first
        for step in story.steps where step.outcome != .notRun {
            while number < step.events.lowerBound {
                lines += line(of: number, story)
                number += 1
            }
            guard step.events.upperBound >= first else { continue }
            let sign = step.outcome == .failed ? "FAILED " : ""
            lines.append("Note over \(everyone): \(sign)line \(step.line) \(safe(step.text))")
            while number < step.events.upperBound {
                lines += line(of: number, story)
                number += 1
            }
            if let message = step.message { lines.append("Note over \(everyone): \(safe(message))") }
        }
        return lines
    }

    /// What travels is an arrow; what happens to a device is a note; what only reports is left out.
    private static func line(of number: Int, _ story: RunStory) -> [String] {
        let event = story.trace.events[number]
        guard let device = event.device else {
            return event.kind == .step ? [] : ["Note over \(name(story.devices[0])): \(safe(text(of: event)))"]
        }
        let from = story.causes[number].carried.flatMap { story.trace.events[$0].device }
        switch event.kind {
        case .contextArrived, .messageArrived, .userInfoArrived, .fileArrived, .messageReplyDelivered:
            guard let from, from != device else { return [] }
            return ["\(name(from))->>\(name(device)): \(safe(text(of: event)))"]
        case .messageLost, .messageFailed, .contextReplaced, .userInfoFailed, .fileFailed:
            return ["\(name(device))-x\(name(device)): \(safe(text(of: event)))"]
        case .set, .remove, .failed, .fault, .applied, .kept, .putOff, .refused, .launch, .launchInBackground, .crash, .killed, .terminate,
            .powerLoss, .powerOn, .powerOff, .lock, .unlock, .background, .foreground, .suspend, .resume, .unobservedFailure, .sessionError,
            .contextRefused, .install, .uninstall, .update, .migrate, .appDoes:
            return ["Note over \(name(device)): \(safe(text(of: event)))"]
        default: return []
        }
    }

    private static func text(of event: TraceEvent) -> String {
        let facts = EventText.facts(of: event)
        return event.kind.rawValue + (facts.isEmpty ? "" : " " + facts)
    }

    private static func name(_ device: DeviceID) -> String { device.description }

    /// What stands behind a colon: a line without the signs that end a statement, begin a comment or an entity, or are markup. Those become entity codes,
    /// which Mermaid writes with `#` instead of `&#`.
    static func safe(_ text: String) -> String {
        var result = ""
        for scalar in SafeText.line(text.replacing("\n", with: " ")).unicodeScalars.prefix(160) {
            switch scalar {
            case "#", ";", ":", "<", ">", "&", "%", "`", "\"", "{", "}", "[", "]", "\\", "|", "*", "_", "~", "$":
                result += "#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        // A line that consists of this word ends a block.
        return result == "end" ? "(end)" : result
    }

    /// As text of Markdown: nothing in it is markup.
    static func markdown(_ text: String) -> String {
        var result = ""
        for scalar in SafeText.line(text.replacing("\n", with: " ")).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\\", "`", "*", "_", "[", "]", "#", "|", "!", "~", "@":
                result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Between two back quotes.
    static func code(_ text: String) -> String { SafeText.line(text).replacing("`", with: "'") }
}
