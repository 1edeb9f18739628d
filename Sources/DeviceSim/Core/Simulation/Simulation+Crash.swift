extension Simulation {
    /// Does something in the app that runs on `device`, and lets a crash come at `point`, or right after it if it has fewer operations.
    /// - Returns: what came of it: `nil` if it was cut short. What is returned was acknowledged before the crash.
    /// - Throws: ``SimulationError`` if the app does not run or the operation can never finish.
    public func run<Value>(
        on device: Device, until point: CrashPoint, _ name: String = "operation",
        _ operation: @escaping @Sendable () async throws -> Value
    ) throws -> Result<Value, any Error>? {
        let process = try device.requireProcess()
        device.arm(point)
        let outcome = process.start(name, operation)
        try finish(outcome, in: process)
        device.storage.faults.removeInterruptions()
        guard process.life.isAlive else { return nil }
        device.end(by: point.kind)
        return outcome.result
    }

    /// Does something in the app that runs on `device`, and lists the storage operations that it took.
    public func operations<Value>(
        on device: Device, _ name: String = "operation", _ operation: @escaping @Sendable () async throws -> Value
    ) throws -> (result: Result<Value, any Error>, operations: [StorageOperation]) {
        let process = try device.requireProcess()
        device.storage.operationLog = []
        defer { device.storage.operationLog = nil }
        let outcome = process.start(name, operation)
        try finish(outcome)
        guard let result = outcome.result else { throw SimulationError.deadlock(at: now, operation: name) }
        return (result, (device.storage.operationLog ?? []).map(\.operation))
    }

    /// Waits until the operation has ended, or its process.
    func finish<Value>(_ operation: AppOperation<Value>, in process: AppProcess, within limit: VirtualDuration = .seconds(24 * 3600)) throws
    {
        let isOver = try run(until: { operation.isFinished || !process.life.isAlive }, deadline: now + limit)
        guard isOver else { throw SimulationError.deadlock(at: now, operation: operation.name) }
    }
}
