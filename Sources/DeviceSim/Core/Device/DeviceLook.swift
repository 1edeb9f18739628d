import LocalData
import WatchConnectivity

/// Runs code that looks at a device, beside the simulation: on a scheduler of its own, so that no order, no count and no draw of the run is another for it.
///
/// To be used between two pieces of work, when nothing is ready. Confined to the simulation's thread.
package final class DeviceLook {
    private let scheduler = Scheduler()

    package init() {}

    /// Looks at what is stored. Whoever calls sees to it that `environment` refuses every change.
    /// - Parameter asUnlocked: Whether the device is looked at as if it were unlocked; else as it is.
    /// - Returns: `nil` where `body` waits for something, which nothing here will give.
    package func run<Value>(
        at device: Device, in environment: StorageEnvironment, asUnlocked: Bool = true,
        _ body: @escaping @Sendable (StorageRouter) async throws -> Value
    ) -> Result<Value, any Error>? {
        let router = StorageRouter(environment: environment, notesPlaces: false)
        let state = device.state
        if asUnlocked {
            device.state.isLocked = false
            device.state.wasUnlockedSinceBoot = true
        }
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
    package var outsideEnvironment: StorageEnvironment { lookEnvironment(.outside(of: id)) }

    /// What a process of the app would find that began now, which the person is asked for as the app is. Draws nothing, and tells nobody.
    package var nextProcessEnvironment: StorageEnvironment {
        lookEnvironment(.next(on: id, isBeforeFirstUnlock: state.lockState == .beforeFirstUnlock))
    }

    private func lookEnvironment(_ life: ProcessLife) -> StorageEnvironment {
        var environment = environment(for: life)
        environment.observer = nil
        return environment
    }
}
