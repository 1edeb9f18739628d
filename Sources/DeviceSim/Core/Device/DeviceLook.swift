import LocalData
import WatchConnectivity

/// Runs code that looks at a device, beside the simulation: on a scheduler of its own, so that no order, no count and no draw of the run is another for it.
///
/// To be used between two pieces of work, when nothing is ready. Confined to the simulation's thread.
package final class DeviceLook {
    private let scheduler = Scheduler()

    package init() {}

    /// Looks at what is stored, as if the device were unlocked. Whoever calls sees to it that `environment` refuses every change.
    /// - Returns: `nil` where `body` waits for something, which nothing here will give.
    package func run<Value>(
        at device: Device, in environment: StorageEnvironment, _ body: @escaping @Sendable (StorageRouter) async throws -> Value
    ) -> Result<Value, any Error>? {
        let router = StorageRouter(environment: environment, notesPlaces: false)
        let state = device.state
        device.state.isLocked = false
        device.state.wasUnlockedSinceBoot = true
        defer { device.state = state }
        let operation = AppOperation<Value>(name: "look")
        Task(executorPreference: scheduler.worldExecutor) {
            do {
                operation.finish(.success(try await body(router)))
            } catch {
                operation.finish(.failure(error))
            }
        }
        scheduler.runReady(limit: 1_000_000)
        return operation.result
    }

    /// Asks a process of the app for what it remembers. One that is suspended does not answer, as its own work may stand in the way.
    package func ask<Value>(_ process: AppProcess, _ body: @escaping @Sendable (StorageRouter) async -> Value) -> Value? {
        guard !process.executor.isSuspended, process.life.isAlive else { return nil }
        let executor = ProcessExecutor(scheduler: scheduler, name: "look")
        executor.context = process.context
        let operation = AppOperation<Value>(name: "look")
        let router = process.router
        process.enter {
            Task(executorPreference: executor) { operation.finish(.success(await body(router))) }
        }
        scheduler.runReady(limit: 1_000_000)
        return try? operation.result?.get()
    }
}

extension Device {
    /// What somebody sees who looks at the device from outside the app. Draws nothing, and tells nobody.
    package var outsideEnvironment: StorageEnvironment {
        var environment = environment(for: ProcessLife(device: id, number: 0, startedBeforeFirstUnlock: false))
        environment.observer = nil
        return environment
    }
}
