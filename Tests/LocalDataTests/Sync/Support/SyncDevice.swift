import Foundation
import WatchConnectivity

@testable import LocalData

/// One device of a pair: storage that outlives its app, a session, and a router as the app's process.
final class SyncDevice: @unchecked Sendable {
    let session = PairedSession()
    let faults = ZZFaults()
    let files: ZZFS
    let defaults: ZZDefaults
    let keychain: ZZKeychain
    let device: ZZDevice
    let environment: StorageEnvironment
    private(set) var router: StorageRouter
    private let keys: [AnyStorageKey]

    init(_ role: DeviceRole, identifier: String? = nil, keys: [AnyStorageKey], seed: UInt64 = 1) {
        files = ZZFS(faults)
        defaults = ZZDefaults(faults)
        keychain = ZZKeychain(faults)
        device = ZZDevice(role, identifier ?? role.rawValue)
        environment = StorageEnvironment(
            fileSystem: files, defaults: defaults, keychain: keychain, clock: ZZClock(),
            entropy: ZZEntropy(seed &* 31 &+ (role == .watch ? 7 : 3)), device: device)
        router = StorageRouter(environment: environment)
        self.keys = keys
        for key in keys { router.sync.ledger.note(key.base) }
    }

    /// A new process of the app: what was in memory is gone.
    func relaunch() {
        faults.crashAt = nil
        router = StorageRouter(environment: environment)
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

    /// The version of a key, as the ledger has it.
    func record<Key: StorageKey>(_ key: Key) throws -> SyncRecord? {
        try router.sync.ledger.record(of: key.name, in: key.domain)
    }
}
