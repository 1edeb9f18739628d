import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import LocalData

/// The values of the counterpart that LocalData said it could not store, for what the disk or the keychain answered.
struct PutOffValues {
    /// How much of the trace was looked at.
    private var seen = 0

    /// Those of which it was said since the last time.
    mutating func news(in trace: Trace) -> [(name: String, device: DeviceID)] {
        let events = trace.events
        defer { seen = events.count }
        return events.dropFirst(seen).compactMap { event in
            guard event.kind == .putOff, let device = event.device, case .text(let name)? = event["key"],
                case .text(let error)? = event["error"], Self.errors.contains(error)
            else { return nil }
            return (name, device)
        }
    }

    /// What may come after the value is there to be seen, and before it is durable.
    private static let errors = [StorageError.Code.noSpace, .inputOutput, .accessDenied].map(\.rawValue)
}

extension InvariantChecker {
    /// Takes what LocalData said since the last time.
    mutating func notePutOff(in run: ScenarioRun) {
        for (name, device) in putOff.news(in: run.simulation.trace) {
            for key in keys where key.name == name { histories[place(of: key, on: device)].notePutOff(on: device) }
        }
    }
}
