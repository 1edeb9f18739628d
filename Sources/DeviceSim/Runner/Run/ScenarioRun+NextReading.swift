import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// What is expected within a time of an app that does not run: it is looked at as the app's next process would find it.
extension ScenarioRun {
    /// What lies on a device whose app does not run.
    enum StoredValue {
        case wanted
        /// And why it is not what is asked for.
        case another(String)
    }

    /// What the next process of an app that does not run would read: the system launches apps for what arrives, and suspends them again within the instant.
    /// - Returns: Why that is not what is asked for, if it is not; `nil` where nobody asks for a value, and where no process could be.
    func storedValue(_ condition: Expectation.Condition) throws -> StoredValue? {
        guard case .value(let id, let key, let wanted) = condition else { return nil }
        let device = try device(id)
        guard device.state.isPoweredOn, device.isAppInstalled else { return nil }
        let version = version(of: device)
        guard exists(key.index, in: version) else { return .another("version \(version) of the app has no '\(key.identifier)'") }
        let (look, environment) = (DeviceLook(), device.nextReadingEnvironment)
        if scenario[key].declaration?.migrationSource != nil {
            let migrating = keys[key]
            let state = look.run(at: device, in: environment, asUnlocked: false) { try await migrating.migrationState(with: $0) }
            guard let found = try? state?.get(), Self.quietMigrations.contains(found) else {
                return .another("what it is made of waits, and moves only when the app runs")
            }
        }
        let binding = binding(of: key, on: device)
        guard let found = look.run(at: device, in: environment, asUnlocked: false, { try await binding.opened(with: $0) }) else {
            return .another("its next process would have to wait for the value")
        }
        guard !wanted.holds(for: found) else { return .wanted }
        return switch found {
        case .success: .another("its next process would read another value")
        case .failure(let error) where ScenarioErrorName(error) == .storage(.notFound): .another("its next process would find no value")
        case .failure(let error): .another("its next process could not read the value (\(ErrorText.name(of: error)))")
        }
    }

    /// What a plan says of a migration that leaves the value as it is.
    private static let quietMigrations: Set<String> = [
        Expectation.MigrationState.nothing.rawValue, Expectation.MigrationState.interrupted.rawValue,
        Expectation.MigrationState.removed.rawValue,
    ]

    /// What is in the way of an answer, with what was found instead of one.
    static func adding(_ reason: String, to obstacle: any Error) -> any Error {
        switch obstacle {
        case var failure as StepFailure:
            failure.message += "; \(reason)"
            return failure
        case SimulationError.impossible(let device, let text):
            return SimulationError.impossible(device: device, reason: "\(text); \(reason)")
        default: return obstacle
        }
    }
}
