import DeviceSimCore
import LocalData

extension Expectation {
    /// At which end deliveries are counted.
    public enum DeliveryEnd: String, Sendable, Hashable, CaseIterable {
        /// Accepted by this device's session.
        case sent
        /// Sent by this device and handed to the counterpart's app.
        case delivered
        /// Handed to this device's app.
        case received
    }

    /// Which channel's deliveries are counted.
    public enum DeliveryChannel: String, Sendable, Hashable, CaseIterable {
        /// Application contexts.
        case context
        /// Messages, with and without replies, and message data.
        case message
        /// Complication infos are among them.
        case userInfo = "user info"
        /// File transfers.
        case file
        /// Urgent ones only (W96).
        case complication
    }

    /// How many there must be.
    public enum CountCondition: Sendable, Hashable {
        /// Neither more nor fewer.
        case exactly(Int)
        /// Not fewer.
        case atLeast(Int)
        /// Not more.
        case atMost(Int)

        /// Whether a count is as it must be.
        public func holds(for count: Int) -> Bool {
            switch self {
            case .exactly(let number): count == number
            case .atLeast(let number): count >= number
            case .atMost(let number): count <= number
            }
        }
    }
}

extension Expectation.CountCondition {
    /// As a scenario file writes it.
    public var notation: String {
        switch self {
        case .exactly(let count): Self.times(count)
        case .atLeast(let count): "at least \(Self.times(count))"
        case .atMost(let count): "at most \(Self.times(count))"
        }
    }

    private static func times(_ count: Int) -> String { count == 1 ? "1 time" : "\(count) times" }
}

/// Which events of the trace are meant.
public struct EventPattern: Sendable, Hashable {
    /// What must have happened.
    public let kind: TraceEvent.Kind
    /// `nil`: on whichever device.
    public let device: DeviceID?
    /// Facts that the event must have, sorted by name. An integer matches a number, a string a text or an element of a list, a Bool a flag.
    public let facts: [Fact]

    /// A pattern for events of a kind, on any device unless one is named.
    public init(_ kind: TraceEvent.Kind, on device: DeviceID? = nil, facts: [Fact] = []) {
        self.kind = kind
        self.device = device
        self.facts = facts.sorted { $0.name < $1.name }
    }

    /// A fact that an event must have.
    public struct Fact: Sendable, Hashable {
        /// The name under which the trace has it.
        public let name: String
        /// What it must be.
        public let value: ScenarioValue

        /// A fact of that name and value.
        public init(_ name: String, _ value: ScenarioValue) {
            self.name = name
            self.value = value
        }
    }
}

extension EventPattern {
    /// Whether an event is one that the pattern is about.
    public func matches(_ event: TraceEvent) -> Bool {
        guard event.kind == kind, device == nil || event.device == device else { return false }
        return facts.allSatisfy { fact in
            switch (event[fact.name], fact.value) {
            case (.text(let text)?, .string(let wanted)): text == wanted
            case (.list(let list)?, .string(let wanted)): list.contains(wanted)
            case (.number(let number)?, .integer(let wanted)): Int64(number) == wanted
            case (.flag(let flag)?, .bool(let wanted)): flag == wanted
            default: false
            }
        }
    }
}

extension EventPattern {
    /// As a line of a block: `watch context.delivered with sequence 2`.
    public var notation: String { (device.map { "\($0) " } ?? "") + kind.rawValue + factsNotation }

    /// As behind `expect event`: `context.delivered on watch with sequence 2`.
    public var standingNotation: String { kind.rawValue + (device.map { " on \($0)" } ?? "") + factsNotation }

    private var factsNotation: String {
        facts.isEmpty ? "" : " with " + facts.map { "\($0.name) \($0.value.notation)" }.joined(separator: ", ")
    }
}

extension Vocabulary {
    static let eventForms: [Form] = [
        Form(
            .expect, "EXPECT DEVICE END CHANNEL TIMES [SINCE] [TIMING]", "how many of them went through",
            example: "expect phone delivered context 1 time"
        ) { match in
            guard let times = match.times else { return nil }
            return deliveries(match, times)
        },
        Form(
            .expect, "EXPECT DEVICE END no CHANNEL [SINCE] [TIMING]", "none of them went through",
            example: "expect watch received no message since reconnected"
        ) { deliveries($0, .exactly(0)) },
        Form(
            .expect, "EXPECT event EVENT [on DEVICE] [with FACTS] [TIMES] [SINCE] [TIMING]",
            "the trace has such an event: at least one, or as often as it says",
            example: "expect event context.delivered on watch 1 time since reconnected"
        ) { match in
            pattern(match).flatMap { expectation(match, .event($0, match.times ?? .atLeast(1))) }
        },
        Form(
            .expect, "EXPECT no event EVENT [on DEVICE] [with FACTS] [SINCE] [TIMING]", "the trace has no such event",
            example: "expect no event context.delivered on watch"
        ) { match in pattern(match).flatMap { expectation(match, .event($0, .exactly(0))) } },
        Form(
            .expect, "expect in order [SINCE] [TIMING]", "the trace has the events of its block in that order, others may lie between",
            example: "expect in order within 5s"
        ) { match in block(match, inOrder: true) },
        Form(
            .expect, "expect in any order [SINCE] [TIMING]", "the trace has an event of its own for each line of its block",
            example: "expect in any order since reconnected"
        ) { match in block(match, inOrder: false) },
        Form(
            .expect, "expect nothing else [SINCE] [for TIME]",
            "no delivery and no error (a failure, a refusal, a crash, a kill, a line of an app's log) since the mark, or the last one, beside those that the expectations of events and counts since it were about",
            example: "expect nothing else since reconnected for 1min"
        ) { match in expectation(match, .nothingElse) },
    ]

    static let eventPatterns: [Form] = [
        Form(.event, "EVENT [with FACTS]", "an event on whichever device", example: "link.up") { match in
            pattern(match).map { .eventPattern($0) }
        },
        Form(.event, "DEVICE EVENT [with FACTS]", "an event on that device", example: "watch storage.set with key \"theme\"") { match in
            pattern(match).map { .eventPattern($0) }
        },
    ]

    private static func pattern(_ match: Match) -> EventPattern? {
        guard let kind = match.word(.event).flatMap({ TraceEvent.Kind(rawValue: $0) }) else { return nil }
        if let device = match.device, !kind.place.contains(device) {
            let hint =
                switch kind.place {
                case .noDevice: "it is an event of the scenario as a whole: name no device"
                case .phone: "write `phone`"
                case .watch, .anyDevice: "write `watch`"
                }
            match.diagnose(match.capture(.device)?.range ?? match.range, "`\(kind.rawValue)` never happens on the \(device)", hint: hint)
            return nil
        }
        guard areKeys(in: match, of: kind) else { return nil }
        return EventPattern(kind, on: match.device, facts: match.facts)
    }

    /// Whether the keys that the facts name are keys of the file, by their stored names. One that is none is reported.
    private static func areKeys(in match: Match, of kind: TraceEvent.Kind) -> Bool {
        let context = match.context
        for fact in match.facts {
            guard kind.namesKeys(in: fact.name), case .string(let name) = fact.value, context.storedNames[name] == nil else { continue }
            let range = match.capture(.facts)?.range ?? match.range
            if let key = context.storedNames.filter({ $0.value == name }).keys.min() {
                match.diagnose(
                    range, "events have keys by their stored names, and that of `\(name)` is another",
                    hint: "write `\(fact.name) \(ScenarioValue.quoted(key))`")
                return false
            }
            // An app under test has keys of its own. What another version of the app, or who lies, sends need be no key of anybody's.
            guard context.keysAreComplete, !context.keys.isEmpty, kind != .ignored, kind != .refused else { continue }
            match.diagnose(
                range, "no key is stored as \(ScenarioValue.quoted(name))",
                hint: Suggestion.nearest(to: name, in: context.storedNames.keys).map { "did you mean \(ScenarioValue.quoted($0))?" }
                    ?? "the keys are \(Suggestion.list(context.storedNames.keys.sorted(), limit: 8, last: "and"))")
            return false
        }
        return true
    }

    private static func deliveries(_ match: Match, _ times: Expectation.CountCondition) -> Meaning? {
        guard let end = match.word(.end).flatMap({ Expectation.DeliveryEnd(rawValue: $0) }),
            let channel = Expectation.DeliveryChannel.allCases.first(where: { match.has($0.firstWord) })
        else { return nil }
        return onDevice(match) { .deliveries($0, end, channel, times) }
    }

    private static func block(_ match: Match, inOrder: Bool) -> Meaning? {
        match.timing().map { .eventBlock(inOrder: inOrder, timing: $0, since: match.since) }
    }
}

extension TraceEvent.Kind {
    /// Whether the fact of that name is a key, or a list of them.
    fileprivate func namesKeys(in fact: String) -> Bool {
        switch self {
        case .sync: ["deletions", "keys", "omitted"].contains(fact)
        case .set, .get, .remove, .exists, .observed, .migrate, .reseal, .failed, .applied, .kept, .equal, .putOff, .refused, .ignored:
            fact == "key"
        default: false
        }
    }
}

extension Expectation.DeliveryChannel {
    /// Tells it from the others.
    fileprivate var firstWord: String { self == .userInfo ? "user" : rawValue }
}
