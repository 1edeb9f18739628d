import DeviceSim
import Foundation
import LocalData
import Testing

/// A phone with one value in one place, which is then locked.
final class LockedBench {
    /// What reading came to.
    enum Reading: Equatable {
        case found(String)
        case refused(StorageError.Code)
    }

    let key: PlaceKey
    /// A preference that migrates from ``key``.
    let successor: PlaceKey
    private let simulation = Simulation()

    init(_ place: ProtectedPlace, storing value: String?, syncs: Bool = false) throws {
        key = PlaceKey(name: "value", domain: place.domain, security: place.security, syncPolicy: syncs ? .automaticSmall : .never)
        successor = PlaceKey(name: "successor", source: .key(key))
        try simulation.finish(phone.launch())
        try simulation.settle()
        if let value { try run { [key] in try await StorageRouter.shared.set(value, for: key) } }
    }

    deinit {
        simulation.shutDown()
    }

    var phone: Device { simulation.phone }

    /// Brings the device into the state, with a new process of the app that remembers nothing.
    func enter(_ state: DeviceLockState) throws {
        switch state {
        case .unlocked: break
        case .locked:
            try phone.lock()
            try simulation.wait(simulation.options.knobs.lockGrace)
        case .beforeFirstUnlock: phone.reboot()
        }
        phone.terminate()
        try simulation.finish(phone.launchInBackground())
        try simulation.settle()
    }

    /// Unlocks the device, and launches the app anew.
    func unlock() throws {
        try phone.unlock()
        phone.terminate()
        try simulation.finish(phone.launch())
        try simulation.settle()
    }

    /// Launches the app anew, when the system has written its preferences.
    func relaunchLater() throws {
        try simulation.wait(.seconds(60))
        phone.terminate()
        try simulation.finish(phone.launch())
        try simulation.settle()
    }

    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        try simulation.run(on: phone, "operation", body)
    }

    /// The code of the storage error that `body` fails with; `nil` if it succeeds.
    func code(_ body: @escaping @Sendable (StorageRouter, PlaceKey) async throws -> Void) -> StorageError.Code? {
        do {
            try run { [key] in try await body(StorageRouter.shared, key) }
            return nil
        } catch let error as StorageError {
            return error.code
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    var value: Reading {
        get throws { value(of: key) }
    }

    func value(of key: PlaceKey) -> Reading {
        do {
            return .found(try run { try await StorageRouter.shared.get(key) })
        } catch let error as StorageError {
            return .refused(error.code)
        } catch {
            Issue.record("\(error)")
            return .refused(.inputOutput)
        }
    }

    /// Whether anything lies at the key's own place.
    func isStored(_ key: PlaceKey) throws -> Bool {
        let count: Int? = try run { try await StorageRouter.shared.storedByteCount(of: .key(key)) }
        return count != nil
    }

    /// Whether a forced migration says that it waits for this.
    func migrationIsDeferred(_ code: StorageError.Code) -> Bool {
        do {
            try run { [successor] in _ = try await StorageRouter.shared.forceMigration(for: successor) }
            return false
        } catch MigrationError.deferred(let error) {
            return error.code == code
        } catch {
            return false
        }
    }

    /// Registers the successor with a sweep.
    /// - Returns: what it was deferred by.
    func sweep() throws -> StorageError.Code? {
        let catalog = PlaceCatalog(allKeys: [.key(successor)])
        let outcomes = try run { try await StorageRouter.shared.registerCatalog(catalog, migrateImmediately: true) }
        switch outcomes.first?.result {
        case .deferred(let error)?: return error.code
        case .migrated?, .nothingToDo?: return nil
        case .failed(let error)?: Issue.record("\(error)")
        case nil: Issue.record("no outcome")
        }
        return nil
    }

    /// Applies a newer version from the counterpart.
    /// - Returns: what became of it; `nil` if the snapshot as a whole could not be taken into account.
    func apply(_ value: String?) -> SyncReport.Outcome? {
        let entry = SyncEntry(stamp: SyncStamp(counter: 1 << 40, device: "watch"), value: value.map { Data("\"\($0)\"".utf8) })
        let snapshot = SyncSnapshot(device: "watch", epoch: "counterpart", sequence: 1, content: 1, entries: [key.name: entry])
        return try? run { [key] in
            // A process that used the key knows that it syncs.
            _ = try? await StorageRouter.shared.exists(key)
            return try await StorageRouter.shared.apply(snapshot).outcomes[key.name]
        }
    }

    func presence() throws -> StoragePresence {
        let catalog = PlaceCatalog(allKeys: [.key(key)])
        let report = try run {
            _ = try await StorageRouter.shared.registerCatalog(catalog)
            return await StorageRouter.shared.auditReport()
        }
        let presence = report.items.first?.presence
        return try #require(presence)
    }
}

struct PlaceKey: StorageKey {
    typealias Value = String

    let name: String
    var domain: StorageDomain = .userDefaults(suite: nil)
    var security: SecurityPolicy = .none
    var syncPolicy: SyncPolicy = .never
    var source: AnyStorageKey?
    let owner = "Tests"
    let description = "A value in a place"

    var migration: AnyStorageMigration? {
        source.map { AnyStorageMigration(SimpleLegacyMigration(destinationKey: self, sourceKey: $0)) }
    }
}

private struct PlaceCatalog: StorageKeyCatalog {
    let name = "Place"
    let allKeys: [AnyStorageKey]
}
