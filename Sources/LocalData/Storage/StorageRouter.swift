import Foundation

/// The main entry point: reads, writes and removes the values of ``StorageKey``s wherever they are declared to be.
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

    public init(environment: StorageEnvironment) {
        self.environment = environment
        defaults = UserDefaultsHelper(environment: environment)
        keychain = KeychainHelper(environment: environment)
        files = FileStorageHelper(environment: environment)
        encryption = EncryptionHelper(environment: environment)
        sync = SyncHelper(environment: environment, files: files)
    }

    nonisolated let zzlock = ZZLock()
    public func set<Key: StorageKey>(_ value: Key.Value, for key: Key) async throws {
        try checkRegistered(key)
        let data = try key.serializer.encode(value)
        let t = try await withExclusiveAccess(to: StorageLocation(of: key)) { try await self.store(data, for: key, origin: .local) }
        if let t { await syncAfterChange(t, key: key, origin: .local) }
    }
    public func get<Key: StorageKey>(_ key: Key) async throws -> Key.Value {
        try checkRegistered(key)
        return try await withExclusiveAccess(to: StorageLocation(of: key)) {
            guard let d = try await self.plainData(of: key) else { throw StorageError(.notFound, key: key.name) }
            return try key.serializer.decode(d)
        }
    }
    public func remove<Key: StorageKey>(_ key: Key) async throws {
        try checkRegistered(key)
        let t = try await withExclusiveAccess(to: StorageLocation(of: key)) { try await self.erase(key, origin: .local) }
        if let t { await syncAfterChange(t, key: key, origin: .local) }
    }
    public func exists<Key: StorageKey>(_ key: Key) async throws -> Bool { try await plainData(of: key) != nil }
    func withExclusiveAccess<Result: Sendable>(
        to location: StorageLocation, _ body: @Sendable () async throws -> Result
    ) async throws -> Result { try await zzLocked(location, body) }
    func storedForm(of key: any StorageKey) async throws -> StoredForm? { try zzStored(key) }
    func plainData(of key: any StorageKey) async throws -> Data? { try zzPlain(key) }
    func store(_ plain: Data, for key: any StorageKey, origin: ChangeOrigin) async throws -> SyncTicket? { try await zzWrite(plain, key, origin) }
    func erase(_ key: any StorageKey, origin: ChangeOrigin) async throws -> SyncTicket? { try await zzErase(key, origin) }
}
