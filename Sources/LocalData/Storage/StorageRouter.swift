import Foundation

/// The main entry point: reads, writes and removes the values of ``StorageKey``s wherever they are declared to be.
///
/// Operations on one physical location are linearizable; operations on different locations do not wait for each other.
public actor StorageRouter: StorageProviding {
    /// The router of the device whose code is running: the one bound by ``current``, else the platform's own.
    public static var shared: StorageRouter { current ?? platform }

    /// The router of the simulated device whose code is running. A simulation binds it; apps leave it alone.
    @TaskLocal public static var current: StorageRouter?

    static let platform = StorageRouter(environment: .platform)

    public nonisolated let environment: StorageEnvironment
    public nonisolated let defaults: UserDefaultsHelper
    public nonisolated let keychain: KeychainHelper
    public nonisolated let files: FileStorageHelper
    public nonisolated let encryption: EncryptionHelper
    public nonisolated let sync: SyncHelper
    nonisolated let catalogs = CatalogRegistry()
    nonisolated let observers = ChangeObservers()
    nonisolated let locations = LocationCache()
    nonisolated let holdLock = NSLock()
    private var lock = LocationLock()

    public init(environment: StorageEnvironment) {
        self.environment = environment
        defaults = UserDefaultsHelper(environment: environment)
        keychain = KeychainHelper(environment: environment)
        files = FileStorageHelper(environment: environment)
        encryption = EncryptionHelper(environment: environment)
        sync = SyncHelper(environment: environment, files: files)
    }

    /// Stores `value` durably, and sends it to the counterpart if the key's policy says so. A failed sync does not fail a stored `set`.
    /// - Throws: ``StorageError``; the earlier value is then intact.
    public func set<Key: StorageKey>(_ value: Key.Value, for key: Key) async throws {
        try await naming(key, "set") {
            let location = try admit(key)
            let plain = try key.serializer.data(for: value)
            let ticket = try await withExclusiveAccess(to: location) { try await self.store(plain, for: key, origin: .local) }
            if let ticket { await syncAfterChange(ticket, key: key, origin: .local) }
        }
    }

    /// The stored value; if there is none, what the key's migration brings over.
    /// - Throws: ``StorageError``; `notFound` only on verified absence.
    public func get<Key: StorageKey>(_ key: Key) async throws -> Key.Value {
        try await naming(key, "get") {
            let location = try admit(key)
            let plain = try await withExclusiveAccess(to: location) { try await self.plainDataMigrating(key) }
            guard let plain else { throw StorageError(.notFound) }
            return try key.serializer.value(from: plain)
        }
    }

    /// Removes the value, and what a ``SimpleLegacyMigration`` would bring back. Removing an absent value succeeds.
    public func remove<Key: StorageKey>(_ key: Key) async throws {
        try await naming(key, "remove") {
            let location = try admit(key)
            let ticket = try await withExclusiveAccess(to: location) {
                try await self.retireMigration(of: key)
                return try await self.erase(key, origin: .local)
            }
            if let ticket { await syncAfterChange(ticket, key: key, origin: .local) }
        }
    }

    /// Whether something is stored at the key's own place. A value that still lies where an earlier version left it does not count.
    /// - Throws: ``StorageError``, such as `locked` where that cannot be told.
    public func exists<Key: StorageKey>(_ key: Key) async throws -> Bool {
        try await naming(key, "exists") {
            let location = try admit(key)
            return try await withExclusiveAccess(to: location) { try await self.isStored(key) }
        }
    }

    // MARK: Checks and locks

    /// Whether this device may use the key, and where it lies.
    nonisolated func admit(_ key: some StorageKey) throws -> StorageLocation {
        guard key.availability.isAvailable(on: environment.device.role) else {
            throw StorageError(key.availability == .watchOnly ? .watchOnly : .phoneOnly)
        }
        try checkRegistered(key)
        return try location(of: key)
    }

    /// Completes errors with the key, its domain and the operation.
    private func naming<Result>(
        _ key: some StorageKey, _ operation: String, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as StorageError {
            throw error.at(key: key.name, domain: key.domain.kind, operation: operation)
        }
    }

    /// Runs `body` alone among all operations on one location; first come, first served. Other locations are not delayed.
    ///
    /// Code that `body` awaits may come back here for the same location: it passes.
    func withExclusiveAccess<Result: Sendable>(
        to location: StorageLocation, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        if LocationHold.covering(location, router: self) != nil { return try await body() }
        if !lock.take(location) {
            await withCheckedContinuation { lock.wait(for: location, $0) }
        }
        let hold = LocationHold(location, router: self)
        defer {
            hold.end()
            lock.release(location)
        }
        return try await LocationHold.$current.withValue(hold) { try await body() }
    }
}
