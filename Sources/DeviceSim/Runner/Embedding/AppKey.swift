import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// A key of a scenario as app code uses it. Its own methods do what `StorageRouter.shared` does with the key.
public struct AppKey: Sendable {
    /// The key as the scenario has it.
    public let key: ScenarioKey
    let binding: any KeyBinding

    /// The stored name.
    public var name: String { key.name }

    /// Stores a value, as `StorageRouter.set(_:for:)` does.
    public func set(_ value: ScenarioValue) async throws { try await binding.set(value, with: .shared) }
    /// - Throws: `StorageError` of the code `notFound` for verified absence.
    public func value() async throws -> ScenarioValue { try await binding.get(with: .shared) }
    /// Removes the value, as `StorageRouter.remove(_:)` does.
    public func remove() async throws { try await binding.remove(with: .shared) }
    /// Whether there is a value, as `StorageRouter.exists(_:)` says.
    public func exists() async throws -> Bool { try await binding.exists(with: .shared) }
    /// Runs the key's migration, as `StorageRouter.forceMigration(for:)` does.
    public func migrate() async throws { try await binding.migrate(with: .shared) }
}
