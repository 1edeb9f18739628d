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

    public func set<Key: StorageKey>(_ value: Key.Value, for key: Key) async throws {
        throw StorageError(.unsupported)
    }

    public func get<Key: StorageKey>(_ key: Key) async throws -> Key.Value {
        throw StorageError(.unsupported)
    }

    public func remove<Key: StorageKey>(_ key: Key) async throws {
        throw StorageError(.unsupported)
    }

    public func exists<Key: StorageKey>(_ key: Key) async throws -> Bool {
        throw StorageError(.unsupported)
    }
}

/// What the storage, migration and sync topics share. All of these run under the key's lock, taken by ``withExclusiveAccess(to:_:)``.
extension StorageRouter {
    /// Runs `body` alone among all operations on one location; first come, first served. Other locations are not delayed.
    func withExclusiveAccess<Result: Sendable>(
        to location: StorageLocation, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        throw StorageError(.unsupported)
    }

    /// What lies at the key's place, or `nil` on verified absence.
    func storedForm(of key: any StorageKey) async throws -> StoredForm? { nil }

    /// The serialized bytes of the key's value, opened, or `nil` on verified absence. Starts no migration.
    func plainData(of key: any StorageKey) async throws -> Data? { nil }

    /// Secures and stores serialized bytes, with the sync ledger kept around it.
    func store(_ plain: Data, for key: any StorageKey, origin: ChangeOrigin) async throws -> SyncTicket? { nil }

    /// Removes what lies at the key's place, with the sync ledger kept around it.
    func erase(_ key: any StorageKey, origin: ChangeOrigin) async throws -> SyncTicket? { nil }
}
