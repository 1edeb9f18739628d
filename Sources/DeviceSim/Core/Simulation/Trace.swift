/// What happened in a simulation, in order. Every report, picture and expectation reads this one record.
public struct Trace: Sendable {
    /// What happened, in order.
    public private(set) var events: [TraceEvent] = []

    /// What set each event off: the number of an earlier event, or -1. Empty where nobody asked for causes.
    package private(set) var triggers: [Int] = []

    /// A trace without events.
    public init() {}

    /// Appends what happened.
    public mutating func record(_ event: TraceEvent) {
        events.append(event)
    }

    /// Appends what happened, and what set it off.
    mutating func record(_ event: TraceEvent, setOffBy cause: Int) {
        events.append(event)
        triggers.append(cause)
    }
}

extension Trace {
    /// The same events, with other words in their facts.
    package func replacingTexts(_ replace: (String) -> String) -> Trace {
        var trace = self
        trace.events = events.map { event in
            let facts = event.facts.map { fact in
                switch fact.value {
                case .text(let text): TraceEvent.Fact(fact.name, .text(replace(text)))
                case .list(let texts): TraceEvent.Fact(fact.name, .list(texts.map(replace)))
                case .number, .flag: fact
                }
            }
            return facts == event.facts
                ? event : TraceEvent(time: event.time, device: event.device, process: event.process, kind: event.kind, facts: facts)
        }
        return trace
    }
}

/// One thing that happened. Carries names, counts and sizes; never a stored value.
public struct TraceEvent: Sendable, Hashable {
    /// When it happened.
    public let time: VirtualTime
    /// The device it happened on; `nil` for the link and the simulation itself.
    public let device: DeviceID?
    /// Which run of the app it happened in, counted from 1 on each device; `nil` outside the app.
    public let process: Int?
    /// What happened.
    public let kind: Kind
    /// Facts, in the order in which a person reads them.
    public let facts: [Fact]

    /// An event with its facts, in the order in which they are shown.
    public init(time: VirtualTime, device: DeviceID?, process: Int?, kind: Kind, facts: [Fact] = []) {
        self.time = time
        self.device = device
        self.process = process
        self.kind = kind
        self.facts = facts
    }

    /// A named fact.
    public struct Fact: Sendable, Hashable {
        /// What the fact is about, such as `key`. Stable, like the kinds.
        public let name: String
        /// What the fact says. Never a stored value.
        public let value: Value

        /// A fact of that name.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// What a fact can say.
    public enum Value: Sendable, Hashable {
        /// A text, shown in quotation marks where it needs them.
        case text(String)
        /// A whole number.
        case number(Int)
        /// `true` or `false`.
        case flag(Bool)
        /// Texts, in an order that says something or sorted.
        case list([String])
    }
}

extension TraceEvent {
    /// The fact of that name, if there is one.
    public subscript(name: String) -> Value? {
        facts.first { $0.name == name }?.value
    }
}

extension Trace {
    /// Tells two traces apart: equal traces have equal fingerprints on every platform and in every process.
    public var fingerprint: TraceFingerprint { TraceFingerprint(of: json()) }
}

/// FNV-1a, 64 bits, of a trace's canonical JSON. It finds differences; it does not resist someone who wants to hide one.
public struct TraceFingerprint: Sendable, Hashable {
    /// The hash. Two that differ come of different traces.
    public let value: UInt64

    /// One that was computed before.
    package init(value: UInt64) {
        self.value = value
    }

    /// The fingerprint of bytes.
    public init(of bytes: [UInt8]) {
        value = FNV1a(of: bytes).value
    }
}

extension TraceFingerprint: CustomStringConvertible {
    /// Sixteen hexadecimal digits.
    public var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension Trace {
    /// The trace as JSON Lines: one object for each event, each ended by a newline.
    ///
    /// The bytes are canonical: the same events always give the same bytes, on every platform. The keys of an event stand in
    /// alphabetical order: `device` (left out for the link and the simulation), `facts` (left out when there are none; in the order
    /// in which they were recorded), `kind`, `process` (left out outside the app) and `time` in microseconds.
    public func json() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(events.count * 96)
        for event in events {
            event.appendJSON(to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }
}

extension TraceEvent {
    /// The event as one JSON object, as ``Trace/json()`` writes it, without the newline.
    public var json: String {
        var bytes: [UInt8] = []
        appendJSON(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func appendJSON(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        if let device {
            bytes.append(contentsOf: "\"device\":\"".utf8)
            bytes.append(contentsOf: device.description.utf8)
            bytes.append(contentsOf: "\",".utf8)
        }
        Self.appendFacts(facts, to: &bytes)
        bytes.append(contentsOf: "\"kind\":\"".utf8)
        bytes.append(contentsOf: kind.rawValue.utf8)
        bytes.append(UInt8(ascii: "\""))
        if let process {
            bytes.append(contentsOf: ",\"process\":".utf8)
            JSONText.append(process, to: &bytes)
        }
        bytes.append(contentsOf: ",\"time\":".utf8)
        JSONText.append(time.microseconds, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    /// The facts as a member of a JSON object, with the comma behind it; nothing where there are none.
    package static func appendFacts(_ facts: [Fact], to bytes: inout [UInt8]) {
        guard !facts.isEmpty else { return }
        bytes.append(contentsOf: "\"facts\":{".utf8)
        for (index, fact) in facts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            // A name may occur twice in an event, but not in a JSON object.
            let earlier = facts[..<index].count { $0.name == fact.name }
            JSONText.append(earlier == 0 ? fact.name : "\(fact.name)#\(earlier + 1)", to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            switch fact.value {
            case .text(let text): JSONText.append(text, to: &bytes)
            case .number(let number): JSONText.append(number, to: &bytes)
            case .flag(let flag): JSONText.append(flag, to: &bytes)
            case .list(let list): JSONText.append(list, to: &bytes)
            }
        }
        bytes.append(contentsOf: "},".utf8)
    }
}

extension Trace {
    /// The trace for people: one line for each event in fixed columns (seconds, device, run of the app, event, facts).
    ///
    /// Control characters appear escaped, so the lines are safe to show on a terminal.
    public func log() -> [String] {
        TraceEvent.log(of: events)
    }

    /// The last events of each device, and of the link and the scenario, in the order in which they happened, as ``log()`` shows them. Besides these the
    /// last of what mostly is the cause: crashes, lost power, faults, what failed, and that an app's catalog was refused. A line `…` stands for others that
    /// happened before or between.
    public func lastEvents(perDevice limit: Int = 6) -> [String] {
        var left: [DeviceID?: Int] = [:]
        var leftOfCauses: [DeviceID?: Int] = [:]
        var hasRefusal: Set<DeviceID?> = []
        var chosen: [TraceEvent] = []
        // Of the chosen ones, those before which others were left out, counted from the last.
        var isCutBefore: Set<Int> = []
        // Which step is the last one, the failure says. Which callbacks an app lacks is the same all the time.
        for event in events.reversed() where event.kind != .step && event.kind != .unimplemented {
            let count = left[event.device, default: limit]
            // An app whose catalog was refused has no keys, from its launch on. However long ago that was, nothing is to be understood without it.
            let isRefusal = event.kind == .log && event["error"] == .text("invalidCatalog") && hasRefusal.insert(event.device).inserted
            if count > 0 {
                left[event.device] = count - 1
            } else if !isRefusal {
                let causes = leftOfCauses[event.device, default: limit / 2]
                guard causes > 0, Self.causes.contains(event.kind) else {
                    isCutBefore.insert(chosen.count - 1)
                    continue
                }
                leftOfCauses[event.device] = causes - 1
            }
            chosen.append(event)
        }
        let lines = TraceEvent.log(of: chosen.reversed())
        return lines.enumerated().flatMap { index, line in
            isCutBefore.contains(chosen.count - 1 - index) ? [Self.leftOut, line] : [line]
        }
    }

    /// The last `count` events, whichever they are, as ``lastEvents(perDevice:)`` shows them.
    package func lastEvents(_ count: Int) -> [String] {
        let lines = TraceEvent.log(of: Array(events.suffix(count)))
        return lines.isEmpty || lines.count == events.count ? lines : [Self.leftOut] + lines
    }

    /// Stands where lines are left out.
    private static let leftOut = "…"
}

extension Trace {
    private static let causes: Set<TraceEvent.Kind> = [
        .powerLoss, .crash, .killed, .widgetCrash, .widgetKilled, .failed, .fault, .messageFailed, .contextRefused, .sessionError, .misuse,
    ]

    /// A time in seconds with all its microseconds, as traces show it.
    static func text(of time: VirtualTime) -> String {
        let micros = String(time.microseconds.magnitude % 1_000_000)
        let sign = time.microseconds < 0 ? "-" : ""
        return sign + "\(time.microseconds.magnitude / 1_000_000)." + String(repeating: "0", count: 6 - micros.count) + micros
    }
}

extension TraceEvent {
    /// The event as a line of its own, whose words are one space apart: such lines can be compared.
    package var logLine: String { Self.log(of: [self])[0].split(separator: " ").joined(separator: " ") }

    /// The events as lines whose columns are aligned with each other.
    public static func log(of events: [TraceEvent]) -> [String] {
        let times = events.map(\.seconds)
        let timeWidth = times.map(\.count).max() ?? 0
        // One very long name must not push every line's facts out of sight.
        let kindWidth = min(28, events.map(\.kind.rawValue.count).max() ?? 0)
        return zip(events, times).map { event, time in
            let device = event.device?.description ?? "-"
            let process = event.process.map { "#\($0)" } ?? ""
            var line = String(repeating: " ", count: timeWidth - time.count) + time
            line += "  " + device.padded(to: 6) + " " + process.padded(to: 3)
            line += " " + event.kind.rawValue.padded(to: kindWidth)
            for fact in event.facts {
                line += " " + fact.logged
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The time in seconds with all its microseconds.
    private var seconds: String { Trace.text(of: time) }
}

extension TraceEvent.Fact {
    fileprivate var logged: String {
        switch value {
        case .text(let text): "\(name)=\(Self.word(text))"
        case .number(let number): "\(name)=\(number)"
        case .flag(let flag): "\(name)=\(flag)"
        case .list(let list): "\(name)=[\(list.map(Self.word).joined(separator: " "))]"
        }
    }

    /// As it is where it reads as one word, else quoted.
    private static func word(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !special.contains($0) }
        guard !isPlain else { return text }
        var bytes: [UInt8] = []
        JSONText.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let special = Array("\"\\[]=".utf8)
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        let missing = width - count
        return missing > 0 ? self + String(repeating: " ", count: missing) : self
    }
}
