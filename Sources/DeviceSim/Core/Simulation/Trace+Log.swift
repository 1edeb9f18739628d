extension Trace {
    /// The trace for people: one line for each event in fixed columns (seconds, device, run of the app, event, facts).
    ///
    /// Control characters appear escaped, so the lines are safe to show on a terminal.
    public func log() -> [String] {
        TraceEvent.log(of: events)
    }

    /// The last events of each device, and of the link and the scenario, in the order in which they happened, as ``log()`` shows them. Besides these the
    /// last of what mostly is the cause: crashes, lost power, faults, and what failed.
    public func lastEvents(perDevice limit: Int = 6) -> [String] {
        var left: [DeviceID?: Int] = [:]
        var leftOfCauses: [DeviceID?: Int] = [:]
        var chosen: [TraceEvent] = []
        // Which step is the last one, the failure says. Which callbacks an app lacks is the same all the time.
        for event in events.reversed() where event.kind != .step && event.kind != .unimplemented {
            let count = left[event.device, default: limit]
            if count > 0 {
                left[event.device] = count - 1
            } else {
                let causes = leftOfCauses[event.device, default: limit / 2]
                guard causes > 0, Self.causes.contains(event.kind) else { continue }
                leftOfCauses[event.device] = causes - 1
            }
            chosen.append(event)
        }
        return TraceEvent.log(of: chosen.reversed())
    }
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
