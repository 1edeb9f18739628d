import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData

/// A key of a scenario as something to call, its type hidden.
package protocol KeyBinding: Sendable {
    /// As the app's catalog lists it.
    var key: AnyStorageKey { get }
    func set(_ value: ScenarioValue, with router: StorageRouter) async throws
    /// Stores at the key's place as an older app would have: no catalog is asked, nothing syncs, nothing migrates.
    func plant(_ value: ScenarioValue, with router: StorageRouter) async throws
    func get(with router: StorageRouter) async throws -> ScenarioValue
    /// What lies at the key's place, opened: nothing migrates, nothing syncs, no app is asked.
    func opened(with router: StorageRouter) async throws -> ScenarioValue
    func remove(with router: StorageRouter) async throws
    func exists(with router: StorageRouter) async throws -> Bool
    /// Follows the key's changes until its process ends.
    /// - Parameter note: What there is, then each change: the value, `nil` where there is none, and where it came from, `nil` for the first.
    func observe(with router: StorageRouter, _ note: @Sendable (ScenarioValue?, ChangeOrigin?) -> Void) async throws
    func migrate(with router: StorageRouter) async throws
    func reseal(with router: StorageRouter) async throws -> ResealOutcome
    func overrideSync(_ policy: SyncPolicy?, with router: StorageRouter) async throws
    /// The value as the key's serializer writes it, for looking for it where it must not be.
    func serialized(_ value: ScenarioValue) throws -> Data
    /// The same place and type, for another name or domain: where an earlier version kept it.
    func moved(toName name: String, domain: StorageDomain) -> (any KeyBinding)?
    /// The same key under another name, as a catalog lists it whose keys get their names at run time.
    func listed(as placeholder: String) -> (any KeyBinding)?
    /// The same key with its migration from `sources`.
    func migrating(_ migration: MigrationDeclaration, from sources: [AnyStorageKey]) -> (any KeyBinding)?
    /// What the plan says of the key's migration.
    func migrationState(with router: StorageRouter) async throws -> String
}

/// A key declared in a scenario file.
struct DeclaredKeyBinding<Key: ScenarioStorageKey>: KeyBinding {
    let declared: Key

    var key: AnyStorageKey { AnyStorageKey(declared) }

    func set(_ value: ScenarioValue, with router: StorageRouter) async throws {
        try await router.set(try typed(value), for: declared)
    }

    func plant(_ value: ScenarioValue, with router: StorageRouter) async throws {
        try await router.set(try typed(value), for: declared.plain.placeOnly)
    }

    func get(with router: StorageRouter) async throws -> ScenarioValue {
        try await router.get(declared).scenarioValue
    }

    func opened(with router: StorageRouter) async throws -> ScenarioValue {
        try await router.get(declared.plain.placeOnly).scenarioValue
    }

    func remove(with router: StorageRouter) async throws { try await router.remove(declared) }
    func exists(with router: StorageRouter) async throws -> Bool { try await router.exists(declared) }
    func observe(with router: StorageRouter, _ note: @Sendable (ScenarioValue?, ChangeOrigin?) -> Void) async throws {
        for try await change in router.changes(of: declared) { note(change.value?.scenarioValue, change.origin) }
    }
    func migrate(with router: StorageRouter) async throws { _ = try await router.forceMigration(for: declared) }
    func reseal(with router: StorageRouter) async throws -> ResealOutcome { try await router.resealValue(of: declared) }
    func overrideSync(_ policy: SyncPolicy?, with router: StorageRouter) async throws {
        try await router.setSyncPolicyOverride(policy, for: declared)
    }
    func migrationState(with router: StorageRouter) async throws -> String {
        try await router.migrationPlan(for: declared).state.description
    }
    func serialized(_ value: ScenarioValue) throws -> Data { try declared.serializer.data(for: try typed(value)) }

    func moved(toName name: String, domain: StorageDomain) -> (any KeyBinding)? {
        DeclaredKeyBinding<DeclaredKey<Key.Value>>(declared: declared.plain.moved(toName: name, domain: domain))
    }

    func listed(as placeholder: String) -> (any KeyBinding)? {
        DeclaredKeyBinding<DeclaredKey<Key.Value>>(declared: declared.plain.named(placeholder))
    }

    func migrating(_ migration: MigrationDeclaration, from sources: [AnyStorageKey]) -> (any KeyBinding)? {
        declared.migrating(migration, from: sources).map { DeclaredKeyBinding(declared: $0) }
    }

    private func typed(_ value: ScenarioValue) throws -> Key.Value {
        guard let typed = Key.Value(value) else {
            throw StorageError(.encodingFailed, key: declared.name, facts: ["not a \(Key.Value.self)"])
        }
        return typed
    }
}

/// A key that an embedding test registered: its values are JSON that its type decodes from.
struct RegisteredKeyBinding<Key: StorageKey>: KeyBinding {
    let registered: Key

    var key: AnyStorageKey { AnyStorageKey(registered) }

    func set(_ value: ScenarioValue, with router: StorageRouter) async throws {
        try await router.set(try typed(value), for: registered)
    }

    func plant(_ value: ScenarioValue, with router: StorageRouter) async throws {
        try await router.set(try typed(value), for: registered)
    }

    func get(with router: StorageRouter) async throws -> ScenarioValue {
        let value = try await router.get(registered)
        return try ScenarioValue(encoding: value)
    }

    /// - Throws: Always: such a key has no other guise, and reading it may migrate.
    func opened(with router: StorageRouter) async throws -> ScenarioValue {
        throw StorageError(.unsupported, facts: ["a registered key is not opened from outside its app"])
    }

    func remove(with router: StorageRouter) async throws { try await router.remove(registered) }
    func exists(with router: StorageRouter) async throws -> Bool { try await router.exists(registered) }
    func observe(with router: StorageRouter, _ note: @Sendable (ScenarioValue?, ChangeOrigin?) -> Void) async throws {
        for try await change in router.changes(of: registered) {
            note(try change.value.map { try ScenarioValue(encoding: $0) }, change.origin)
        }
    }
    func migrate(with router: StorageRouter) async throws { _ = try await router.forceMigration(for: registered) }
    func reseal(with router: StorageRouter) async throws -> ResealOutcome { try await router.resealValue(of: registered) }
    func overrideSync(_ policy: SyncPolicy?, with router: StorageRouter) async throws {
        try await router.setSyncPolicyOverride(policy, for: registered)
    }
    func migrationState(with router: StorageRouter) async throws -> String {
        try await router.migrationPlan(for: registered).state.description
    }
    func serialized(_ value: ScenarioValue) throws -> Data { try registered.serializer.data(for: try typed(value)) }
    func moved(toName name: String, domain: StorageDomain) -> (any KeyBinding)? { nil }
    func listed(as placeholder: String) -> (any KeyBinding)? { nil }
    func migrating(_ migration: MigrationDeclaration, from sources: [AnyStorageKey]) -> (any KeyBinding)? { nil }

    private func typed(_ value: ScenarioValue) throws -> Key.Value {
        do {
            return try value.decoded(as: Key.Value.self)
        } catch is DecodingError {
            // What it says may hold parts of the value.
            throw StorageError(.encodingFailed, key: registered.name, facts: ["not a \(Key.Value.self) as JSON"])
        }
    }
}
