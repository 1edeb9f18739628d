import Foundation
import LocalData

/// A key of a scenario as something to call, its type hidden.
protocol KeyBinding: Sendable {
    /// As the app's catalog lists it.
    var key: AnyStorageKey { get }
    func set(_ value: ScenarioValue, with router: StorageRouter) async throws
    /// Stores at the key's place as an older app would have: no catalog is asked, nothing syncs, nothing migrates.
    func plant(_ value: ScenarioValue, with router: StorageRouter) async throws
    func get(with router: StorageRouter) async throws -> ScenarioValue
    func remove(with router: StorageRouter) async throws
    func exists(with router: StorageRouter) async throws -> Bool
    func migrate(with router: StorageRouter) async throws
    /// The value as the key's serializer writes it, for looking for it where it must not be.
    func serialized(_ value: ScenarioValue) throws -> Data
    /// The same place and type, for another name or domain: where an earlier version kept it.
    func moved(toName name: String, domain: StorageDomain) -> (any KeyBinding)?
    /// The same key with its migration from `source`.
    func migrating(from source: AnyStorageKey) -> (any KeyBinding)?
}

/// A key declared in a scenario file.
struct DeclaredKeyBinding<Value: ScenarioRepresentable>: KeyBinding {
    let declared: DeclaredKey<Value>

    var key: AnyStorageKey { AnyStorageKey(declared) }

    func set(_ value: ScenarioValue, with router: StorageRouter) async throws {
        try await router.set(try typed(value), for: declared)
    }

    func plant(_ value: ScenarioValue, with router: StorageRouter) async throws {
        try await router.set(try typed(value), for: declared.placeOnly)
    }

    func get(with router: StorageRouter) async throws -> ScenarioValue {
        try await router.get(declared).scenarioValue
    }

    func remove(with router: StorageRouter) async throws { try await router.remove(declared) }
    func exists(with router: StorageRouter) async throws -> Bool { try await router.exists(declared) }
    func migrate(with router: StorageRouter) async throws { _ = try await router.forceMigration(for: declared) }
    func serialized(_ value: ScenarioValue) throws -> Data { try declared.serializer.data(for: try typed(value)) }

    func moved(toName name: String, domain: StorageDomain) -> (any KeyBinding)? {
        DeclaredKeyBinding(declared: declared.moved(toName: name, domain: domain))
    }

    func migrating(from source: AnyStorageKey) -> (any KeyBinding)? {
        DeclaredKeyBinding(declared: declared.migrating(from: source))
    }

    private func typed(_ value: ScenarioValue) throws -> Value {
        guard let typed = Value(value) else { throw StorageError(.encodingFailed, key: declared.name, facts: ["not a \(Value.self)"]) }
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

    func remove(with router: StorageRouter) async throws { try await router.remove(registered) }
    func exists(with router: StorageRouter) async throws -> Bool { try await router.exists(registered) }
    func migrate(with router: StorageRouter) async throws { _ = try await router.forceMigration(for: registered) }
    func serialized(_ value: ScenarioValue) throws -> Data { try registered.serializer.data(for: try typed(value)) }
    func moved(toName name: String, domain: StorageDomain) -> (any KeyBinding)? { nil }
    func migrating(from source: AnyStorageKey) -> (any KeyBinding)? { nil }

    private func typed(_ value: ScenarioValue) throws -> Key.Value {
        try value.decoded(as: Key.Value.self)
    }
}
