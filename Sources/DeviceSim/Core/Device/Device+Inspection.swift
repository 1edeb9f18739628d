import LocalData

extension Device {
    /// Looks at what is stored, or changes it, from outside the app: with a router of its own, as if the device were unlocked.
    /// For plants, damage and expectations about the disk; leaves no trace.
    package func inspect<Value>(
        _ name: String, _ body: @escaping @Sendable (StorageRouter) async throws -> Value
    ) -> AppOperation<Value> {
        let life = ProcessLife(device: id, number: 0, startedBeforeFirstUnlock: false)
        let router = StorageRouter(environment: environment(for: life), notesPlaces: false)
        let outcome = AppOperation<Value>(name: name)
        Task(executorPreference: scheduler.worldExecutor) { [weak self] in
            let state = self?.state
            self?.state.isLocked = false
            self?.state.wasUnlockedSinceBoot = true
            do {
                outcome.finish(.success(try await body(router)))
            } catch {
                outcome.finish(.failure(error))
            }
            if let state { self?.state = state }
        }
        return outcome
    }
}
