import Foundation
import WatchConnectivity

@testable import LocalData

/// One device of a pair: storage that outlives its app, a session, and a router as the app's process.
final class SyncDevice: @unchecked Sendable {
    let session = PairedSession()
    let storage: TestDevice
    let crash = CrashPoint()
    private(set) var router: StorageRouter
    private var keys: [AnyStorageKey]

    init(_ role: DeviceRole, keys: [AnyStorageKey], seed: UInt64 = 1, identifier: String? = nil) {
        storage = TestDevice(role: role, identifier: identifier ?? role.rawValue, seed: seed &* 31 &+ (role == .watch ? 7 : 3))
        router = StorageRouter(environment: storage.environment(cutAt: crash))
        self.keys = keys
        noteKeys()
    }

    /// A new process of the app: what was in memory is gone.
    func relaunch() {
        crash.arm(before: nil)
        router = StorageRouter(environment: storage.environment(cutAt: crash))
        noteKeys()
    }

    /// A version of the app that has other keys.
    func update(to keys: [AnyStorageKey]) {
        self.keys = keys
        relaunch()
    }

    /// The app registers more keys, in the process that runs.
    func register(_ keys: [AnyStorageKey]) {
        for key in keys { router.sync.ledger.note(key.base) }
    }

    private func noteKeys() {
        for key in keys { router.sync.ledger.note(key.base) }
    }

    /// Runs the app's code on this device.
    func run<Result: Sendable>(_ body: @Sendable (StorageRouter) async throws -> Result) async rethrows -> Result {
        try await WCSessionBackends.$current.withValue(session) {
            try await StorageRouter.$current.withValue(router) { try await body(router) }
        }
    }

    func set<Key: StorageKey>(_ value: Key.Value, for key: Key) async throws {
        try await run { try await $0.set(value, for: key) }
    }

    /// The value, or `nil` on verified absence.
    func value<Key: StorageKey>(_ key: Key) async throws -> Key.Value? {
        do {
            return try await run { try await $0.get(key) }
        } catch let error as StorageError where error.code == .notFound {
            return nil
        }
    }

    func remove<Key: StorageKey>(_ key: Key) async throws {
        try await run { try await $0.remove(key) }
    }

    /// What the app does at launch and when the counterpart becomes reachable.
    func sync() async throws {
        try await run { try await $0.syncRegisteredKeysIfNeeded() }
    }

    func status() async -> SyncStatus {
        await run { await $0.syncStatus() }
    }

    /// What this installation's stamps name as their writer.
    var replica: String {
        get throws { try router.sync.ledger.replica() }
    }

    /// The version of a key, as the ledger has it.
    func record<Key: StorageKey>(_ key: Key) throws -> SyncRecord? {
        try router.sync.ledger.record(of: key.name, in: key.domain)
    }
}
