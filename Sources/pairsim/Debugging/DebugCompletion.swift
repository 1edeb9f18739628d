/// What Tab offers in the shell.
enum DebugCompletion {
    /// Whole words for the place of the last one.
    static func candidates(_ text: String, timeline: Timeline) -> [String] {
        guard let (before, word) = LineWords.unfinished(text) else { return [] }
        guard let first = before.first else { return DebugVerb.allCases.map(\.rawValue).filter { $0.hasPrefix(word) } }
        let devices = timeline.story.devices.map(\.description)
        let keys = timeline.story.keys
        let all: [String]
        switch DebugVerb(typed: first) {
        case .try: all = LineCompletion.words(after: Array(before.dropFirst()), in: Form.Topic.steps, scenario: timeline.scenario)
        case .show: all = devices + DebugShell.Part.allCases.map(\.rawValue)
        case .events: all = ["all"] + devices
        case .why: all = devices + keys
        case .watch: all = keys
        case .help: all = DebugVerb.allCases.map(\.rawValue)
        case .branch: all = ["cut"] + (0..<1).map(String.init)
        case .until:
            all =
                before.count > 1 && ["expect", "never"].contains(before[1])
                ? LineCompletion.words(after: Array(before.dropFirst()), in: [.expect], scenario: timeline.scenario)
                : ["expect", "failure", "end", "start"] + devices + keys
                    + Set(timeline.story.trace.events.map(\.kind.rawValue)).sorted()
        case .step, .back, .next, .prev, .list, .save, .quit, nil: all = []
        }
        return all.filter { $0.hasPrefix(word) }
    }
}

/// What may come next in a line of a scenario, as words to write.
enum LineCompletion {
    /// The words that may follow some words; a scenario's own names stand for the slots that name them.
    static func words(after before: [String], in topics: Set<Form.Topic>, scenario: Scenario?) -> [String] {
        var words: [String] = []
        for continuation in Vocabulary.continuations(after: before, in: topics) {
            switch continuation {
            case .word(let word): words.append(word)
            case .slot(let slot): words += slot.words ?? (slot == .key ? scenario?.keys.map(\.identifier) ?? [] : [])
            }
        }
        var known: Set<String> = []
        return words.filter { known.insert($0).inserted }
    }
}

extension Form.Topic {
    /// Lines that are steps.
    static let steps: Set<Form.Topic> = [.device, .link, .session, .transfer, .data, .fault, .expect, .time]
}
