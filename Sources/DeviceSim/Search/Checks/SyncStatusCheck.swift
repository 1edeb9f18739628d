import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import LocalData

/// Holds what LocalData says of its sync to what came of it: what was sent waits no longer.
struct SyncStatusCheck {
    let run: ScenarioRun
    let device: Device
    let step: Int

    /// What an app was told when it had asked for a sync, and nothing kept that from its work.
    static func check(_ observation: StepObservation, in run: ScenarioRun, _ keeper: InvariantChecker, step: Int) throws -> Violation? {
        guard case .data(let data) = observation.action, data.action.isSync, case .done = observation.result,
            let device = run.simulation.device(data.device), !observation.conditions.hasFaults, !observation.conditions.lacksRoom,
            !observation.conditions.isLocked, keeper.keys.contains(where: \.syncs)
        else { return nil }
        return try SyncStatusCheck(run: run, device: device, step: step).afterSync(keeper)
    }

    /// Nothing waits for the next sync right after one.
    private func afterSync(_ keeper: InvariantChecker) throws -> Violation? {
        guard let status = try status() else { return nil }
        keeper.recorder?.looked(.explanation)
        guard let waiting = waiting(status, keeper) else { return nil }
        return Violation(
            .explanation, key: waiting.reference.identifier, device: device.id, step: step,
            explanation: [
                "the sync of \(device.id) has just succeeded, and '\(waiting.reference.identifier)' waits for one with nothing in its way"
            ], expectation: Expectation(.pending(device.id, waiting.reference, false)))
    }

    /// - Returns: `nil` where the app has no LocalData, or does not run.
    private func status() throws -> SyncStatus? {
        guard let process = device.process, process.state != .suspended, !(process.app is any ValueKeeping) else { return nil }
        let operation = try device.start("sync status") { await StorageRouter.shared.syncStatus() }
        try run.simulation.finish(operation)
        return try operation.result?.get()
    }

    private func waiting(_ status: SyncStatus, _ keeper: InvariantChecker) -> CheckedKey? {
        for pending in status.pending where pending.obstacle == .waiting {
            let key = keeper.keys.first { $0.name == pending.key && $0.isCurrent && !keeper.damaged.contains($0.reference.index) }
            if let key { return key }
        }
        return nil
    }
}
