import DeviceSim
import Foundation
import LocalData

/// One key as several tasks use it: LocalData's, or a specimen's.
protocol RegisterUnderTest: Sendable {
    func set(_ value: Int) async throws
    func get() async throws -> Int
    func remove() async throws
    func exists() async throws -> Bool
    func migrate() async throws
    func apply(_ value: Int?, _ stamp: SyncStamp) async throws -> Bool
}

extension RegisterUnderTest {
    func answer(to call: KeyRegister<Int>.Call) async -> KeyRegister<Int>.Answer {
        do {
            switch call {
            case .set(let value): try await set(value)
            case .get: return .value(try await get())
            case .remove: try await remove()
            case .exists: return .exists(try await exists())
            case .migrate: try await migrate()
            case .apply(let value, let stamp): return .applied(try await apply(value, stamp))
            }
            return .done
        } catch let error as StorageError where error.code == .notFound {
            return .missing
        } catch {
            return .failed
        }
    }
}

/// The key that the tasks meet at, and where an earlier version of the app left its value.
struct MeetingKey: StorageKey {
    typealias Value = Int

    var name = "meeting"
    var domain: StorageDomain
    var security: SecurityPolicy
    var owner = "Tests"
    var description = "What the tasks meet at."
    var syncPolicy: SyncPolicy = .manual
    var legacy: StorageDomain?

    var source: MeetingKey? { legacy.map { MeetingKey(name: "meeting.old", domain: $0, security: .none, syncPolicy: .never) } }
    var migration: AnyStorageMigration? {
        source.map { AnyStorageMigration(SimpleLegacyMigration(destinationKey: self, sourceKey: .key($0))) }
    }
}

/// LocalData as it is.
struct RouterRegister: RegisterUnderTest {
    let key: MeetingKey

    func set(_ value: Int) async throws { try await StorageRouter.shared.set(value, for: key) }
    func get() async throws -> Int { try await StorageRouter.shared.get(key) }
    func remove() async throws { try await StorageRouter.shared.remove(key) }
    func exists() async throws -> Bool { try await StorageRouter.shared.exists(key) }
    func migrate() async throws { try await StorageRouter.shared.forceMigration(for: key) }

    /// Each version comes from an installation of its own, so that none is outdated by another.
    func apply(_ value: Int?, _ stamp: SyncStamp) async throws -> Bool {
        let entry = SyncEntry(stamp: stamp, value: try value.map { try key.serializer.data(for: $0) })
        let snapshot = SyncSnapshot(
            device: stamp.device, epoch: "epoch \(stamp.counter)", sequence: 1, content: 1, entries: [key.name: entry])
        let report = try await StorageRouter.shared.apply(snapshot)
        guard report.applied == [key.name] || report.kept == [key.name] else { throw StorageError(.unsupported) }
        return report.applied == [key.name]
    }
}

/// **A bad specimen**: a router that takes no turn around what it does in several steps, as an actor does that awaits in between.
///
/// Each single step is LocalData's own and whole; `get` and `migrate` bring the old value over by three of them.
struct TurnlessRegister: RegisterUnderTest {
    let key: MeetingKey
    private var plain: MeetingKey {
        var key = key
        key.legacy = nil
        return key
    }

    func set(_ value: Int) async throws { try await StorageRouter.shared.set(value, for: plain) }

    func get() async throws -> Int {
        do {
            return try await StorageRouter.shared.get(plain)
        } catch let error as StorageError where error.code == .notFound {
            try await migrate()
            return try await StorageRouter.shared.get(plain)
        }
    }

    func remove() async throws {
        if let source = key.source { try await StorageRouter.shared.remove(source) }
        try await StorageRouter.shared.remove(plain)
    }

    func exists() async throws -> Bool { try await StorageRouter.shared.exists(plain) }

    func migrate() async throws {
        guard let source = key.source, try await StorageRouter.shared.exists(source) else { return }
        // Looked up first and believed later: whatever is set in between is overwritten.
        let isThere = try await StorageRouter.shared.exists(plain)
        let value = try await StorageRouter.shared.get(source)
        if !isThere { try await StorageRouter.shared.set(value, for: plain) }
        try await StorageRouter.shared.remove(source)
    }

    func apply(_ value: Int?, _ stamp: SyncStamp) async throws -> Bool { try await RouterRegister(key: plain).apply(value, stamp) }
}

/// **A bad specimen**: a cache that a read fills after its read, whatever was written meanwhile.
actor CachedRegister: RegisterUnderTest {
    private let storage: RouterRegister
    private var cache: Int?

    init(key: MeetingKey) {
        storage = RouterRegister(key: key)
    }

    func set(_ value: Int) async throws {
        try await storage.set(value)
        cache = value
    }

    func get() async throws -> Int {
        if let cache { return cache }
        let value = try await storage.get()
        cache = value
        return value
    }

    func remove() async throws {
        try await storage.remove()
        cache = nil
    }

    func exists() async throws -> Bool { try await storage.exists() }
    func migrate() async throws { try await storage.migrate() }

    func apply(_ value: Int?, _ stamp: SyncStamp) async throws -> Bool {
        let isApplied = try await storage.apply(value, stamp)
        if isApplied { cache = value }
        return isApplied
    }
}
