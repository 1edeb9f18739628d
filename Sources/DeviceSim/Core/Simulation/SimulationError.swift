/// Why a simulation cannot go on.
public enum SimulationError: Error, Sendable, Hashable {
    /// Nothing is ready, nothing is scheduled, and the operation has not finished: it never will.
    case deadlock(at: VirtualTime, operation: String)
    /// More work than `limit` ran at one instant.
    case livelock(at: VirtualTime, limit: Int)
    /// More work than `limit` ran while time passed, and there was still some to come.
    case unrest(from: VirtualTime, to: VirtualTime, limit: Int)
    /// Something was still to happen after this long.
    /// - Parameter agenda: What is still to come: when (in seconds since the start, as in traces), what, and whose.
    case didNotSettle(after: VirtualDuration, agenda: [String])
    /// The device is not in a state in which that can be done, such as a launch on a device that is off.
    case impossible(device: DeviceID, reason: String)
}

extension SimulationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .deadlock(let time, let operation):
            "'\(operation)' waits for ever: at \(time) nothing is ready to run and nothing is scheduled"
        case .livelock(let time, let limit):
            "work goes on without an end: \(limit) jobs ran at \(time) and more are ready"
        case .unrest(let start, let end, let limit):
            "work goes on without an end: \(limit) jobs ran from \(start) to \(end)"
        case .didNotSettle(let span, let agenda):
            (["something is still scheduled after \(span) of virtual time"] + agenda.map { "  due at \($0)" }).joined(separator: "\n")
        case .impossible(let device, let reason):
            "\(device): \(reason)"
        }
    }
}
