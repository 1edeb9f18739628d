import LocalData

/// Writes into the trace what LocalData does by itself in one process.
///
/// Confined to the simulation's thread.
final class SimulatedObserver: StorageObserver, @unchecked Sendable {
    private weak var device: Device?
    private let life: ProcessLife

    init(device: Device, life: ProcessLife) {
        self.device = device
        self.life = life
    }

    func storageDid(_ event: StorageEvent) {
        // What a process does after its end happens nowhere.
        guard let device, life.isAlive, device.process?.life === life else { return }
        device.record(event.kind, event.facts)
    }
}

extension StorageEvent {
    fileprivate var kind: TraceEvent.Kind {
        switch self {
        case .sent: .sync
        case .took(_, .applied, _): .applied
        case .took(_, .kept, _): .kept
        case .took(_, .equal, _): .equal
        case .took(_, .deferred, _): .putOff
        case .took(_, .unknown, _), .took(_, .notSynced, _): .ignored
        case .took(_, .failed, _), .refusedSnapshot: .refused
        case .foundOutdated: .outdated
        }
    }

    fileprivate var facts: [TraceEvent.Fact] {
        switch self {
        case .sent(let snapshot):
            // The names of the trace's other events are sorted, and so are these.
            return [
                .init("sequence", .number(Int(clamping: snapshot.sequence))), .init("keys", .list(snapshot.values)),
                .init("deletions", .list(snapshot.deletions)), .init("omitted", .list(snapshot.omitted)),
            ]
        case .took(let key, let outcome, let source): return [.init("key", .text(key))] + outcome.reason + source.facts
        case .foundOutdated(let source): return source.facts
        case .refusedSnapshot(let code): return [.init("error", .text(code.rawValue))]
        }
    }
}

extension StorageEvent.SnapshotSource {
    fileprivate var facts: [TraceEvent.Fact] { [.init("from", .text(device)), .init("sequence", .number(Int(clamping: sequence)))] }
}

extension SyncReport.Outcome {
    fileprivate var reason: [TraceEvent.Fact] {
        switch self {
        case .applied, .kept, .equal: []
        case .unknown: [.init("because", .text("unknown"))]
        case .notSynced: [.init("because", .text("notSynced"))]
        case .deferred(let code), .failed(let code): [.init("error", .text(code.rawValue))]
        }
    }
}
