import Foundation

/// The main entry point: reads, writes and removes the values of ``StorageKey``s wherever they are declared to be.
///
/// Operations on one key are linearizable, in the order in which they were called; operations on different keys do not wait for each other. That is
/// why the operations themselves are not isolated to the actor.
public actor StorageRouter: StorageProviding {
    /// The router of the device whose code is running: of the simulated process whose job runs on this thread, the one bound by ``current``, else the
    /// platform's own.
    public static var shared: StorageRouter { SimulatedProcesses.router ?? current ?? platform }

    /// The router that a simulation binds around the code of a process, and that tasks inherit; apps leave it alone.
    @TaskLocal public static var current: StorageRouter?

    static let platform = StorageRouter(environment: .platform)

    /// What the router works on. Its preferences and keychain refuse "not there" where a process cannot know that yet
    /// (``StorageError/Code/lockedBeforeFirstUnlock``).
    public nonisolated let environment: StorageEnvironment
    /// Preferences without keys, for what an app keeps outside of LocalData's declarations.
    public nonisolated let defaults: UserDefaultsHelper
    /// Keychain items without keys, for what an app keeps outside of LocalData's declarations.
    public nonisolated let keychain: KeychainHelper
    /// Files without keys, for what an app keeps outside of LocalData's declarations. Writes are durable and atomic.
    public nonisolated let files: FileStorageHelper
    /// Sealing and opening, and where key material comes from.
    public nonisolated let encryption: EncryptionHelper
    /// What travels to the counterpart. Apps call the router; this is for looking at.
    public nonisolated let sync: SyncHelper
    nonisolated let catalogs = CatalogRegistry()
    nonisolated let locations = LocationCache()
    nonisolated let access = ExclusiveAccess()
    nonisolated let observers = ChangeObservers()
    nonisolated let schemas = SchemaMarks()
    nonisolated let markNames = MarkNames()
    nonisolated let interrupted = InterruptedMigrations()
    nonisolated let places: PlaceRecord
    nonisolated let processName = ProcessName()
    nonisolated let unneededKeys: UnneededKeys
    nonisolated let believableDefaults: BelievableDefaults

    /// A router of its own device. Apps use ``shared``: two routers of one environment do not take turns, so operations on one key would no
    /// longer be linearizable.
    public init(environment: StorageEnvironment) {
        self.init(environment: environment, notesPlaces: true)
    }

    /// - Parameter notesPlaces: Whether the places of values are noted for audits. A simulation that plants what an earlier version of LocalData
    ///   would have left notes none.
    package init(environment: StorageEnvironment, notesPlaces: Bool) {
        let files = FileStorageHelper(environment: environment)
        believableDefaults = BelievableDefaults(environment.defaults, on: environment.device, files: files)
        var environment = environment
        environment.defaults = believableDefaults
        environment.keychain = BelievableKeychain.around(environment)
        self.environment = environment
        self.files = files
        defaults = UserDefaultsHelper(environment: environment)
        keychain = KeychainHelper(environment: environment)
        encryption = EncryptionHelper(environment: environment)
        sync = SyncHelper(environment: environment, files: files)
        unneededKeys = UnneededKeys(environment: environment, files: files, process: processName)
        places = PlaceRecord(environment: environment, files: files, isNoting: notesPlaces)
    }

    /// Stores `value`, replacing an earlier one. When it returns, the value survives a crash and, except in preferences, a power loss; if it throws, the
    /// earlier value or the new one is there.
    /// - Throws: ``StorageError``: `encodingFailed`, `locked`, `lockedBeforeFirstUnlock`, `noSpace`, `accessDenied`, `phoneOnly`, `watchOnly`,
    ///   `notRegistered`, `invalidKey`, `inputOutput`, `superseded`, `outOfRange`, those of authentication and of the key material; `CancellationError` if the task is cancelled
    ///   while it waits for its turn.
    public nonisolated func set<Key: StorageKey>(_ value: Key.Value, for key: Key) async throws {
        try await perform("set", on: key) { location in
            let plain = try key.encoded(value, width: self.environment.device.integerBitWidth)
            try await self.run(at: location) {
                try await self.noteChange(self.store(plain, for: key, origin: self.localOrigin), of: key)
            }
        }
    }

    /// The stored value. If none is stored and the key has a ``StorageKey/migration``, the value is first brought over from where it still lies.
    /// - Throws: ``StorageError``: `notFound` only on verified absence, here and at the migration's sources; as ``set(_:for:)``, and `keyMissing`,
    ///   `decryptionFailed`, `corrupt`, `unsupportedFormat`, `wrongType`, `outOfRange`, `superseded`.
    public nonisolated func get<Key: StorageKey>(_ key: Key) async throws -> Key.Value {
        try await perform("get", on: key) { location in
            try await self.run(at: location) {
                await self.resumeMigration(ifInterrupted: key, at: location)
                try await self.replaceLeftover(of: key, at: location)
                do {
                    if let value = try await self.value(of: key) { return value }
                } catch let error as StorageError where error.code.mayBeEarlierForm {
                    guard try await self.migrateInPlace(key, at: location) else { throw error }
                }
                try await self.migrateOnRead(key, at: location)
                guard let value = try await self.value(of: key) else { throw StorageError(.notFound) }
                return value
            }
        }
    }

    /// Removes the value, durably; removing an absent value succeeds. What the key's ``StorageKey/migration`` would bring back goes too: see
    /// ``StorageMigration/sourceKeys``.
    /// - Throws: ``StorageError`` as ``set(_:for:)``. The value may then still be there, whole. `superseded` where a newer version of the app has it elsewhere. `unsupported` in an extension, for a key that syncs or has
    ///   a migration: only the app can remove its value.
    public nonisolated func remove<Key: StorageKey>(_ key: Key) async throws {
        try await perform("remove", on: key) { location in
            try self.requireRemovalIsKnown(of: key)
            try await self.run(at: location) {
                // A migration that takes its source away has brought its value there, under another name: it is where it belongs.
                if try self.isAnotherNameOfDestination(key) { return }
                try await self.retireMigration(of: key)
                try await self.noteChange(self.erase(key, origin: self.localOrigin), of: key)
            }
        }
    }

    /// Whether a value is stored at the key's own place. Starts no migration, reads no value and asks nobody to authenticate. One that nobody can open
    /// any more is a value, unless the key's ``StorageKey/missingKeyPolicy`` discards it.
    /// - Throws: ``StorageError`` as ``get(_:)`` where that cannot be told, such as `locked`, and `superseded`.
    public nonisolated func exists<Key: StorageKey>(_ key: Key) async throws -> Bool {
        try await perform("exists", on: key) { location in
            try await self.run(at: location) {
                try await self.discardIfSealedForGood(key)
                if try self.isStored(key) { return true }
                try self.requireNotMovedAway(key, at: location)
                return false
            }
        }
    }
}
