import DeviceSimCore

/// What an event comes of, by the numbers of other events of the same trace, which count from 0.
package struct EventCause: Sendable, Hashable {
    /// The event before it of the same thing that travels: of a delivery the arrival, of an arrival the departure, of an applied entry the snapshot's
    /// sending. `nil` for what belongs to nothing that travels.
    package var carried: Int?
    /// What set it off: the step, or the event in whose course it was started. `nil` before the first step, and where nobody asked for causes.
    package var trigger: Int?

    /// The one that a person wants to know of first.
    package var foremost: Int? { carried ?? trigger }

    /// The causes of all events of a trace, in their order.
    package static func causes(in trace: Trace) -> [EventCause] {
        var ledger = Travels()
        return trace.events.indices.map { number in
            let trigger = trace.triggers.indices.contains(number) && trace.triggers[number] >= 0 ? trace.triggers[number] : nil
            return EventCause(carried: ledger.note(trace.events[number], number), trigger: trigger)
        }
    }
}

/// Where the latest event of each thing that travels is.
private struct Travels {
    private struct Place: Hashable {
        let kind: TraceEvent.Kind
        let device: DeviceID?
        let number: Int
    }

    private var latest: [Place: Int] = [:]
    private var activations: [DeviceID: Int] = [:]

    /// Where to look for the event before.
    private enum Side {
        case same, other
    }

    /// - Returns: The event of the same thing before this one.
    mutating func note(_ event: TraceEvent, _ number: Int) -> Int? {
        if event.kind == .activate, let device = event.device { activations[device] = number }
        if event.kind == .activated || event.kind == .inactive { return event.device.flatMap { activations[$0] } }
        guard case .number(let sequence)? = event["sequence"] else { return nil }
        defer { latest[Place(kind: event.kind, device: event.device, number: sequence)] = number }
        if let source = Self.sourceOfSync(event) { return latest[Place(kind: .sync, device: source, number: sequence)] }
        for (kind, side) in Self.before(event) {
            if let found = find(kind, sequence, side, of: event.device) { return found }
        }
        return nil
    }

    private func find(_ kind: TraceEvent.Kind, _ sequence: Int, _ side: Side, of device: DeviceID?) -> Int? {
        guard let device else { return nil }
        guard side == .other else { return latest[Place(kind: kind, device: device, number: sequence)] }
        let others: [DeviceID] = device.isPhone ? [.watch, .watch2] : [.phone]
        return others.compactMap { latest[Place(kind: kind, device: $0, number: sequence)] }.max()
    }

    /// The device whose snapshot an event of sync is about.
    private static func sourceOfSync(_ event: TraceEvent) -> DeviceID? {
        switch event.kind {
        case .applied, .kept, .equal, .putOff, .ignored, .refused, .outdated:
            guard case .text(let name)? = event["from"] else { return nil }
            return [DeviceID.watch2, .watch, .phone].first { name.hasPrefix($0.description) }
        default: return nil
        }
    }

    private static func before(_ event: TraceEvent) -> [(TraceEvent.Kind, Side)] {
        switch event.kind {
        case .contextSent: [(.contextUpdated, .same)]
        case .contextArrived: [(.contextSent, .other)]
        case .contextDelivered: [(.contextArrived, .same)]
        case .contextReplaced:
            event["from"] == event.device.map { .text($0.description) } ? [(.contextUpdated, .same)] : [(.contextArrived, .same)]
        case .messageArrived: [(.messageSent, .other)]
        case .messageDelivered: [(.messageArrived, .same)]
        case .messageReplied, .messageReplyIgnored: [(.messageDelivered, .same)]
        case .messageReplyDelivered: [(.messageReplied, .other), (.messageSent, .same)]
        case .messageFailed: [(.messageSent, .same)]
        case .messageLost: [(.messageArrived, .same), (.messageSent, .same), (.messageSent, .other)]
        case .userInfoSent, .userInfoCancelled: [(.userInfoQueued, .same)]
        case .userInfoArrived: [(.userInfoSent, .other)]
        case .userInfoDelivered: [(.userInfoArrived, .same)]
        case .userInfoFinished: [(.userInfoArrived, .other), (.userInfoQueued, .same)]
        case .userInfoFailed: [(.userInfoSent, .same), (.userInfoQueued, .same)]
        case .fileSent, .fileCancelled: [(.fileQueued, .same)]
        case .fileArrived: [(.fileSent, .other)]
        case .fileDelivered: [(.fileArrived, .same)]
        case .fileFinished: [(.fileArrived, .other), (.fileQueued, .same)]
        case .fileFailed: [(.fileSent, .same), (.fileQueued, .same)]
        default: []
        }
    }
}
