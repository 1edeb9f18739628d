extension Simulation {
    /// Does something in the app that runs on `device`, to the end, letting virtual time pass where it has to wait.
    ///
    /// ```swift
    /// let theme = try simulation.run(on: simulation.watch) { try await StorageRouter.shared.get(StorageKeys.ThemeKey()) }
    /// ```
    /// - Throws: what `operation` throws; ``SimulationError`` if the app does not run or the operation cannot finish.
    public func run<Value>(
        on device: Device, _ name: String = "operation", _ operation: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let outcome = try device.start(name, operation)
        try finish(outcome)
        guard let result = outcome.result else { throw SimulationError.deadlock(at: now, operation: name) }
        return try result.get()
    }

    /// Launches the app on both devices (on a second watch too) and lets it come to rest: sessions activated, first sync done.
    public func launchBoth() throws {
        for device in devices { try finish(device.launch()) }
        try settle()
    }
}
