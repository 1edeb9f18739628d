import DeviceSimCatalogue
import DeviceSimCore

/// What logs say of one rule.
package struct RuleVerdict: Sendable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        case confirmed
        case contradicted
        /// No line is about it, or none that would be otherwise if it did not hold.
        case notSeen = "not seen"
    }

    package let rule: SessionRule
    /// The lines that are as the rule says, the first few.
    package internal(set) var confirmations: [RuleFinding] = []
    package internal(set) var confirmationCount = 0
    /// The lines that no device writes that keeps the rule.
    package internal(set) var contradictions: [RuleFinding] = []

    /// Of confirmations no more are kept.
    static let keptConfirmations = 3

    package var state: State {
        if !contradictions.isEmpty { return .contradicted }
        return confirmationCount > 0 ? .confirmed : .notSeen
    }
}

/// Lines that say something of a rule, and what.
package struct RuleFinding: Sendable, Hashable {
    /// The line that decides.
    package let place: LogPlace
    /// What it is held against, where that is another line.
    package let against: LogPlace?
    /// For a person; names and numbers, never values.
    package let text: String
}

/// Holds the rules against the lines of logs.
///
/// A contradiction is proved by lines that are there, never by lines that are not: whatever is lost of a log, a rule is not called contradicted that
/// was kept. What a knob of the simulation varies contradicts nothing either; it is a setting.
struct RuleJudge {
    let log: JoinedLog
    private var verdicts: [Int: RuleVerdict]
    /// The lines of each run of an app, in their order.
    let processes: [(key: ProcessKey, lines: [Int])]

    struct ProcessKey: Hashable {
        let device: DeviceID
        let process: Int
        let file: Int
    }

    static func verdicts(on log: JoinedLog) -> [RuleVerdict] {
        var judge = RuleJudge(log)
        judge.judgeProbes()
        judge.judgeActivation()
        judge.judgePairing()
        judge.judgeContexts()
        judge.judgeMessages()
        judge.judgeTransfers()
        judge.judgeErrors()
        judge.judgeWaking()
        judge.judgeWrist()
        return SessionRule.table.compactMap { judge.verdicts[$0.number] }
    }

    private init(_ log: JoinedLog) {
        self.log = log
        verdicts = Dictionary(SessionRule.table.map { ($0.number, RuleVerdict(rule: $0)) }, uniquingKeysWith: { first, _ in first })
        var lines: [ProcessKey: [Int]] = [:]
        var keys: [ProcessKey] = []
        for (index, event) in log.events.enumerated() {
            guard let device = event.device, let process = event.process else { continue }
            let key = ProcessKey(device: device, process: process, file: event.place.file)
            if lines[key] == nil { keys.append(key) }
            lines[key, default: []].append(index)
        }
        processes = keys.map { ($0, lines[$0] ?? []) }
    }

    func event(_ index: Int) -> ObservedEvent { log.events[index] }

    /// The first line is as the rule says, given the other.
    mutating func confirm(_ rule: Int, _ index: Int, against other: Int? = nil, _ text: String) {
        guard var verdict = verdicts[rule] else { return }
        verdict.confirmationCount += 1
        if verdict.confirmations.count < RuleVerdict.keptConfirmations { verdict.confirmations.append(finding(index, other, text)) }
        verdicts[rule] = verdict
    }

    /// The first line cannot be there, given the other.
    mutating func contradict(_ rule: Int, _ index: Int, against other: Int? = nil, _ text: String) {
        let found = finding(index, other, text)
        verdicts[rule]?.contradictions.append(found)
    }

    private func finding(_ index: Int, _ other: Int?, _ text: String) -> RuleFinding {
        RuleFinding(place: event(index).place, against: other.map { event($0).place }, text: text)
    }

    /// What a probe has looked at by itself, such as a property that no line tells.
    private mutating func judgeProbes() {
        for (index, event) in log.events.enumerated() where event.name == ObservedEvent.probeSaw {
            guard let name = event.text("rule"), let rule = SessionRule(named: name), let holds = event.flag("holds") else { continue }
            let what = event.text("what") ?? "what the probe looked at"
            if holds { confirm(rule.number, index, what) } else { contradict(rule.number, index, what) }
        }
    }
}
