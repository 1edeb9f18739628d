import DeviceSimCore
import DeviceSimLanguage

/// Makes a scenario of logs: what was done on the devices as steps at its times, what came of it as expectations.
///
/// Payloads have stand-ins. What the logs do not tell is assumed as a scenario starts by itself, and said in the header.
struct ScenarioWriter {
    let log: JoinedLog
    let settings: [KnobFinding]
    var payloads = PayloadStandIn()
    private(set) var assumptions: [String] = []
    private(set) var start: [String] = []
    /// What apps are like from the beginning: steps without a time.
    var habits: [String] = []
    private(set) var steps: [TimedStep] = []
    var labels = Labels()
    /// How the app on each device answers messages, as far as steps have said.
    var answers: [DeviceID: String] = [:]
    /// The lines of the launch of both apps, which a scenario begins with.
    private(set) var startLines: Set<Int> = []

    /// The line of the logs that is being told of: steps of one instant keep the order of these.
    var position = 0

    struct TimedStep {
        let time: Int64
        let position: Int
        let order: Int
        let line: String
    }

    /// Numbers for the names of messages and transfers.
    struct Labels {
        private var counts: [Character: Int] = [:]
        /// By the exchange.
        var transfers: [Int: String] = [:]

        mutating func next(_ letter: Character) -> String {
            counts[letter, default: 0] += 1
            return "\(letter)\(counts[letter, default: 1])"
        }
    }

    init(_ log: JoinedLog, settings: [KnobFinding]) {
        self.log = log
        self.settings = settings
    }

    func event(_ index: Int) -> ObservedEvent { log.events[index] }

    mutating func assume(_ sentence: String) {
        if !assumptions.contains(sentence) { assumptions.append(sentence) }
    }

    mutating func begin(with line: String) {
        if !start.contains(line) { start.append(line) }
    }

    mutating func add(_ line: String, at time: Int64) {
        steps.append(TimedStep(time: time, position: position, order: steps.count, line: line))
    }

    /// Longer than this no scenario waits from one step to the next.
    private static let longestGap: Int64 = 7 * 86_400_000_000

    // MARK: The text

    /// The scenario in canonical layout.
    mutating func text() -> String {
        startLines = linesOfStart()
        writeStart()
        writeHabits()
        for index in log.events.indices where !startLines.contains(index) {
            position = index
            writeStep(index)
        }
        writeSwitches()
        writeUnsent()
        writeRangeFromReachability()
        sayWhatIsUncertain()
        let told = timeline()
        var lines = header
        lines += [""] + start + settings.filter { !$0.isDefault }.map { "knob \($0.knob.name) \($0.setting)" }
        lines += [""] + habits
        lines += told
        let text = lines.joined(separator: "\n") + "\n"
        guard let source = try? SourceText(path: "observed.scenario", bytes: Array(text.utf8)),
            case .success(let formatted) = ScenarioFormatter.format(source)
        else { return text }
        return formatted
    }

    private var header: [String] {
        let names = log.logs.map(\.name).map(Self.safe)
        var lines = ["# What happened, as far as logs tell.", "# Logs: \(names.joined(separator: ", "))", "# Tags: observed"]
        lines += log.logs.flatMap(\.headers).map { "# Written on \(Self.safe($0.description))." }
        lines += assumptions.map { "# Assumed: \($0)" }
        return lines
    }

    /// The steps by time, each with the time at which the log has it, and what must have come of them in the end.
    private mutating func timeline() -> [String] {
        let sorted = steps.sorted { ($0.time, $0.position, $0.order) < ($1.time, $1.position, $1.order) }
        guard let origin = sorted.first?.time ?? log.times.last else { return [] }
        var lines: [String] = []
        var now: Int64 = 0
        var skipped: Int64 = 0
        for step in sorted {
            if step.time - origin - skipped > now {
                let gap = step.time - origin - skipped - now
                if gap > Self.longestGap {
                    assume(
                        "nothing happened in \(gap / 86_400_000_000) days between two lines, of which \(Self.longestGap / 86_400_000_000) are kept."
                    )
                    skipped += gap - Self.longestGap
                }
                now = step.time - origin - skipped
                lines += [""]
                lines.append("at \(VirtualDuration(microseconds: now))")
            }
            lines += step.line.split(separator: "\n").map(String.init)
        }
        let end = min((log.times.max() ?? origin) - origin - skipped, now + Self.longestGap)
        lines.append("")
        if sorted.isEmpty { lines.append("wait 1s") }
        if end > now { lines.append("at \(VirtualDuration(microseconds: end))") }
        return lines + expectations
    }

    /// A file's name, a model or a version comes from outside: nothing of it may end the line, or look like one that is read.
    static func safe(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control || ScenarioValue.isDeceptive($0) ? "?" : $0 }))
    }

    // MARK: What came of it

    /// What apps were told, counted.
    private var expectations: [String] {
        struct Outcome: Hashable {
            let device: DeviceID
            let kind: TraceEvent.Kind
            let facts: String
        }
        var counts: [Outcome: Int] = [:]
        var order: [Outcome] = []
        for (index, event) in log.events.enumerated() where !startLines.contains(index) {
            guard let device = event.device, let kind = event.kind, kind.isToldToApp else { continue }
            let outcome = Outcome(device: device, kind: kind, facts: Self.facts(of: event))
            if counts[outcome] == nil { order.append(outcome) }
            counts[outcome, default: 0] += 1
        }
        let isWhole = log.logs.allSatisfy(\.seemsWhole)
        return order.map { outcome in
            let count = counts[outcome, default: 0]
            let times = (isWhole ? "" : "at least ") + (count == 1 ? "1 time" : "\(count) times")
            return "expect event \(outcome.kind.rawValue) on \(outcome.device)\(outcome.facts) \(times) within 1s"
        }
    }

    private static func facts(of event: ObservedEvent) -> String {
        if let code = event.code { return " with code \(code)" }
        if event.kind == .reachabilityChanged, let flag = event.flag("isReachable") { return " with isReachable \(flag)" }
        return ""
    }

    // MARK: What is not sure

    private mutating func sayWhatIsUncertain() {
        for (log, clock) in zip(log.logs, log.clocks) {
            let name = Self.safe(log.name)
            switch clock.basis {
            case .same: break
            case .bothWays(let uncertainty):
                assume(
                    "the clock of \(name) is \(Self.offset(clock.microseconds)), by what went both ways; at most \(VirtualDuration(microseconds: uncertainty / 2)) off."
                )
            case .oneWay:
                assume(
                    "the clock of \(name) is \(Self.offset(clock.microseconds)), by what went one way and a link of \(Knobs().linkLatency)."
                )
            case .guessed: assume("\(name) begins when the first log does: nothing that was exchanged is in both.")
            case .unsteady: assume("the clock of \(name) is about \(Self.offset(clock.microseconds)); it is not steady.")
            }
            if !log.damagedLines.isEmpty {
                assume("nothing that matters was in what is damaged of \(name): lines \(Self.list(log.damagedLines)).")
            }
            if log.missingCount > 0 { assume("nothing that matters was in what is missing of \(name), \(log.missingCount) of its lines.") }
        }
        if log.exchanges.contains(where: { $0.sent != nil }) {
            assume("what was sent has other content here: logs have names, sizes and digests.")
        }
    }

    private static func list(_ numbers: [Int]) -> String {
        numbers.prefix(10).map { "\($0)" }.joined(separator: ", ") + (numbers.count > 10 ? " and \(numbers.count - 10) more" : "")
    }

    private static func offset(_ microseconds: Int64) -> String {
        let span = VirtualDuration(microseconds: abs(microseconds))
        return microseconds == 0 ? "right" : "\(span) \(microseconds > 0 ? "ahead" : "behind")"
    }
}

extension TraceEvent.Kind {
    /// Whether the app itself is told: what a log of a real device has.
    package var isToldToApp: Bool {
        switch self {
        case .activated, .inactive, .deactivated, .reachabilityChanged, .watchStateChanged, .companionAppInstalledChanged,
            .contextDelivered, .messageDelivered, .messageReplyDelivered, .messageFailed, .userInfoDelivered, .userInfoFinished,
            .userInfoFailed, .fileDelivered, .fileFinished, .fileFailed, .contextRefused:
            true
        case .powerOn, .powerOff, .powerLoss, .lock, .unlock, .passcodeSet, .passcodeRemoved, .biometryChanged, .clockChanged, .backup,
            .restore, .complicationChanged, .wristDown, .wristUp, .crown, .covered, .takenOff, .putOn, .complicationLoads, .erase,
            .install, .uninstall, .update, .launch, .launchInBackground, .prewarm, .foreground, .background, .suspend, .resume,
            .appDoes, .appShows, .terminate, .crash, .backgroundTask, .backgroundTaskCompleted, .backgroundTaskExpired, .frontmostEnded,
            .sessionBegan, .sessionEnded, .processorTime, .log, .killed, .widgetLaunch, .widgetSuspend, .widgetResume, .widgetTerminate,
            .widgetCrash, .widgetKilled, .widgetReload, .widgetReloadRefused, .set, .get, .remove, .exists, .observed, .migrate,
            .rotate, .reseal, .retire, .plan, .audit, .failed, .linkUp, .linkDown, .pair, .unpair, .switchWatch, .activate,
            .sessionError, .sessionObserved, .unimplemented, .misuse, .unobservedFailure, .contextUpdated, .contextUnchanged,
            .contextSent, .contextArrived, .contextReplaced, .messageSent, .messageArrived, .messageReplied, .messageReplyIgnored,
            .messageLost, .userInfoQueued, .userInfoSent, .userInfoArrived, .userInfoCancelled, .fileQueued, .fileSent, .fileArrived,
            .fileCancelled, .sync, .applied, .kept, .equal, .putOff, .ignored, .refused, .outdated, .step, .fault:
            false
        }
    }
}
