import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// What apps were told last of the keys that they observe, by process: another process knows nothing of what one before it was told.
///
/// Confined to the simulation's thread.
package final class KeyObservers: @unchecked Sendable {
    private struct Observer {
        weak var process: DeviceProcess?
        let key: KeyReference
        /// `.some(nil)`: that there is none.
        var told: ScenarioValue??
    }

    private var observers: [Observer] = []

    /// Somebody in the process is about to observe the key.
    func begin(_ key: KeyReference, in process: DeviceProcess) {
        observers.removeAll { $0.process?.life.isAlive != true || ($0.process === process && $0.key == key) }
        observers.append(Observer(process: process, key: key))
    }

    func tell(_ value: ScenarioValue?, of key: KeyReference, in process: DeviceProcess) {
        guard let place = observers.firstIndex(where: { $0.process === process && $0.key == key }) else { return }
        observers[place].told = .some(value)
    }

    /// What an observer of the key in the process was told last; `nil` where there is none, or it was told nothing yet.
    package func told(_ key: KeyReference, in process: DeviceProcess) -> ScenarioValue?? {
        observers.last { $0.process === process && $0.key == key }?.told ?? nil
    }

    /// The keys that are observed in the process, in the order of their places in the scenario.
    package func keys(in process: DeviceProcess) -> [KeyReference] {
        observers.filter { $0.process === process }.map(\.key).sorted { $0.index < $1.index }
    }
}

extension ScenarioRun {
    /// Begins to follow a key's changes. The step ends with the first, which is what there is.
    func observe(_ key: KeyReference, on device: Device) throws -> AppOperation<Void> {
        let binding = binding(of: key, on: device)
        let process = try device.requireProcess()
        let life = process.life
        let observers = observers
        let name = storedName(of: key)
        observers.begin(key, in: process)
        let begun = AppOperation<Void>(name: "observe \(key.identifier)")
        _ = process.start("changes of \(key.identifier)") { [weak device, weak process] in
            do {
                try await binding.observe(with: .shared) { [weak device, weak process] value, origin in
                    guard life.isAlive, let process else { return }
                    observers.tell(value, of: key, in: process)
                    device?.record(.observed, by: life, [name, .init("origin", .text(origin?.word ?? "found"))])
                    begun.finish(.success(()))
                }
                begun.finish(.success(()))
            } catch {
                begun.finish(.failure(error))
            }
        }
        return begun
    }

    func observed(_ key: KeyReference, on device: Device, _ condition: Expectation.ValueCondition) throws -> ExpectationResult {
        let process = try device.requireProcess()
        try simulation.runReady()
        guard let told = observers.told(key, in: process) else {
            throw StepFailure(
                "the app observes no changes of '\(key.identifier)' in this process; `\(device.id) observes \(key.identifier)` begins with it"
            )
        }
        let result: Result<ScenarioValue, any Error> = told.map { .success($0) } ?? .failure(StorageError(.notFound, key: key.identifier))
        return hold(result, to: condition, "\(device.id) observed \(key.identifier)", otherwise: "something else was told last")
    }
}

extension ChangeOrigin {
    /// In a trace: who changed the value.
    fileprivate var word: String {
        switch self {
        case .local: "local"
        case .sync: "sync"
        case .migration: "migration"
        }
    }
}
