import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData

/// An app that keeps the values of a scenario's keys by code of its own: `phone set theme "dark"`, `phone get theme`, `phone sync` and what is
/// expected of values go to it, so that scenarios and searches try code that is no mere call of `StorageRouter`.
///
/// Every method has a default that uses the router; an app writes those that it does otherwise. It throws `StorageError` where a reason for a failure
/// is known: a search takes any other failure for a broken promise, and `notFound` for verified absence.
public protocol ValueKeeping: SimulatedApp {
    /// Stores a value: `phone set theme "dark"`. What is acknowledged must survive a crash.
    func set(_ value: ScenarioValue, for key: AppKey) async throws
    /// Reads the value: `phone get theme`. Throws `StorageError` of the code `notFound` for verified absence.
    func value(of key: AppKey) async throws -> ScenarioValue
    /// Removes the value: `phone remove theme`.
    func remove(_ key: AppKey) async throws
    /// Whether there is a value: `phone exists theme`.
    func exists(_ key: AppKey) async throws -> Bool
    /// Brings the value over from where an earlier version of the app left it: `phone migrate theme`.
    func migrate(_ key: AppKey) async throws
    /// Sends what the counterpart may not have.
    func sync() async throws
}

extension ValueKeeping {
    public func set(_ value: ScenarioValue, for key: AppKey) async throws { try await key.set(value) }
    public func value(of key: AppKey) async throws -> ScenarioValue { try await key.value() }
    public func remove(_ key: AppKey) async throws { try await key.remove() }
    public func exists(_ key: AppKey) async throws -> Bool { try await key.exists() }
    public func migrate(_ key: AppKey) async throws { try await key.migrate() }
    public func sync() async throws { try await StorageRouter.shared.syncRegisteredKeysIfNeeded() }
}

/// A key whose values the app under test keeps.
struct AppKeyBinding: KeyBinding {
    let app: any ValueKeeping
    let appKey: AppKey

    private var base: any KeyBinding { appKey.binding }

    var key: AnyStorageKey { base.key }

    func set(_ value: ScenarioValue, with router: StorageRouter) async throws { try await app.set(value, for: appKey) }
    func get(with router: StorageRouter) async throws -> ScenarioValue { try await app.value(of: appKey) }
    func opened(with router: StorageRouter) async throws -> ScenarioValue { try await base.opened(with: router) }
    func remove(with router: StorageRouter) async throws { try await app.remove(appKey) }
    func exists(with router: StorageRouter) async throws -> Bool { try await app.exists(appKey) }
    func observe(with router: StorageRouter, _ note: @Sendable (ScenarioValue?, ChangeOrigin?) -> Void) async throws {
        try await base.observe(with: router, note)
    }
    func migrate(with router: StorageRouter) async throws { try await app.migrate(appKey) }
    func reseal(with router: StorageRouter) async throws -> ResealOutcome { try await base.reseal(with: router) }
    func overrideSync(_ policy: SyncPolicy?, with router: StorageRouter) async throws { try await base.overrideSync(policy, with: router) }
    func plant(_ value: ScenarioValue, with router: StorageRouter) async throws { try await base.plant(value, with: router) }
    func serialized(_ value: ScenarioValue) throws -> Data { try base.serialized(value) }
    func moved(toName name: String, domain: StorageDomain) -> (any KeyBinding)? { base.moved(toName: name, domain: domain) }
    func listed(as placeholder: String) -> (any KeyBinding)? { base.listed(as: placeholder) }
    func migrating(_ migration: MigrationDeclaration, from sources: [AnyStorageKey]) -> (any KeyBinding)? {
        base.migrating(migration, from: sources)
    }
    func migrationState(with router: StorageRouter) async throws -> String { try await base.migrationState(with: router) }
}

extension ScenarioRun {
    /// The key as the app on the device uses it: by LocalData's router, or by code of its own.
    package func binding(of reference: KeyReference, on device: Device) -> any KeyBinding {
        guard let app = keeper(on: device) else { return keys[reference] }
        return AppKeyBinding(app: app, appKey: AppKey(key: scenario[reference], binding: keys[reference]))
    }

    /// The app on the device, if it keeps values by code of its own.
    func keeper(on device: Device) -> (any ValueKeeping)? {
        // The usual app is known by its class; the search for a conformance costs more.
        guard let app = device.process?.app, !(app is ScenarioApp) else { return nil }
        return app as? any ValueKeeping
    }
}

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
