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
        appendFacts(to: &bytes)
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

    private func appendFacts(to bytes: inout [UInt8]) {
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
