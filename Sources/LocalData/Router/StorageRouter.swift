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
    nonisolated let turns: Turns
    nonisolated let stored: StoredValues
    nonisolated let admission: Admission
    nonisolated let versions: ValueVersions
    nonisolated let moves: MovedValues
    nonisolated let sealer: Resealer
    nonisolated let values: ValueEngine
    nonisolated let migration: MigrationEngine
    nonisolated let syncing: SyncEngine
    nonisolated let marks: MigrationMarks
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
        marks = MigrationMarks(environment: environment, files: files)
        unneededKeys = UnneededKeys(environment: environment, files: files, process: processName)
        places = PlaceRecord(environment: environment, files: files, isNoting: notesPlaces)
        turns = Turns(environment: environment)
        stored = StoredValues(
            environment: environment, defaults: defaults, keychain: keychain, files: files, encryption: encryption, turns: turns, marks: marks,
            unneededKeys: unneededKeys)
        admission = Admission(
            environment: environment, files: files, catalogs: catalogs, ledger: sync.ledger, turns: turns, stored: stored)
        versions = ValueVersions(environment: environment, keychain: keychain, sync: sync, turns: turns, stored: stored)
        moves = MovedValues(
            environment: environment, files: files, marks: marks, processName: processName, catalogs: catalogs, turns: turns, stored: stored)
        sealer = Resealer(
            defaults: defaults, keychain: keychain, files: files, encryption: encryption, ledger: sync.ledger, turns: turns, stored: stored,
            versions: versions)
        values = ValueEngine(
            environment: environment, places: places, turns: turns, stored: stored, moves: moves, versions: versions, sealer: sealer)
        migration = MigrationEngine(
            environment: environment, files: files, encryption: encryption, marks: marks, sync: sync, turns: turns, stored: stored,
            admission: admission, versions: versions, moves: moves, values: values)
        syncing = SyncEngine(
            environment: environment, sync: sync, turns: turns, stored: stored, admission: admission, versions: versions, moves: moves,
            values: values, migration: migration)
    }

    /// Stores `value`, replacing an earlier one. When it returns, the value survives a crash and, except in preferences, a power loss; if it throws, the
    /// earlier value or the new one is there.
    /// - Throws: ``StorageError``: `encodingFailed`, `locked`, `lockedBeforeFirstUnlock`, `noSpace`, `accessDenied`, `phoneOnly`, `watchOnly`,
    ///   `notRegistered`, `invalidKey`, `inputOutput`, `superseded`, `outOfRange`, those of authentication and of the key material; `CancellationError` if the task is cancelled
    ///   while it waits for its turn.
    public nonisolated func set<Key: StorageKey>(_ value: Key.Value, for key: Key) async throws {
        try await admission.perform("set", on: key) { location in
            let plain = try key.encoded(value, width: self.environment.device.integerBitWidth)
            try await self.turns.run(at: location) {
                try await self.versions.noteChange(self.values.store(plain, for: key, origin: self.turns.localOrigin), of: key)
            }
        }
    }

    /// The stored value. If none is stored and the key has a ``StorageKey/migration``, the value is first brought over from where it still lies.
    /// - Throws: ``StorageError``: `notFound` only on verified absence, here and at the migration's sources; as ``set(_:for:)``, and `keyMissing`,
    ///   `decryptionFailed`, `corrupt`, `unsupportedFormat`, `wrongType`, `outOfRange`, `superseded`.
    public nonisolated func get<Key: StorageKey>(_ key: Key) async throws -> Key.Value {
        try await admission.perform("get", on: key) { location in
            try await self.turns.run(at: location) {
                await self.migration.resumeMigration(ifInterrupted: key, at: location, using: self)
                try await self.migration.replaceLeftover(of: key, at: location, using: self)
                do {
                    if let value = try await self.values.value(of: key) { return value }
                } catch let error as StorageError where error.code.mayBeEarlierForm {
                    guard try await self.migration.migrateInPlace(key, at: location, using: self) else { throw error }
                }
                try await self.migration.migrateOnRead(key, at: location, using: self)
                guard let value = try await self.values.value(of: key) else { throw StorageError(.notFound) }
                return value
            }
        }
    }

    /// Removes the value, durably; removing an absent value succeeds. What the key's ``StorageKey/migration`` would bring back goes too: see
    /// ``StorageMigration/sourceKeys``.
    /// - Throws: ``StorageError`` as ``set(_:for:)``. The value may then still be there, whole. `superseded` where a newer version of the app has it elsewhere. `unsupported` in an extension, for a key that syncs or has
    ///   a migration: only the app can remove its value.
    public nonisolated func remove<Key: StorageKey>(_ key: Key) async throws {
        try await admission.perform("remove", on: key) { location in
            try self.versions.requireRemovalIsKnown(of: key)
            try await self.turns.run(at: location) {
                // A migration that takes its source away has brought its value there, under another name: it is where it belongs.
                if try self.moves.isAnotherNameOfDestination(key) { return }
                try await self.migration.retireMigration(of: key)
                try await self.versions.noteChange(self.values.erase(key, origin: self.turns.localOrigin), of: key)
            }
        }
    }

    /// Whether a value is stored at the key's own place. Starts no migration, reads no value and asks nobody to authenticate. One that nobody can open
    /// any more is a value, unless the key's ``StorageKey/missingKeyPolicy`` discards it.
    /// - Throws: ``StorageError`` as ``get(_:)`` where that cannot be told, such as `locked`, and `superseded`.
    public nonisolated func exists<Key: StorageKey>(_ key: Key) async throws -> Bool {
        try await admission.perform("exists", on: key) { location in
            try await self.turns.run(at: location) {
                try await self.values.discardIfSealedForGood(key)
                if try self.stored.isStored(key) { return true }
                try self.moves.requireNotMovedAway(key, at: location)
                return false
            }
        }
    }
}

/// The storage operations that code under test depends on, so that tests can put another store in the router's place.
public protocol StorageProviding: Sendable {
    /// Stores `value` durably; when it returns, the value survives a crash and a power loss.
    func set<Key: StorageKey>(_ value: Key.Value, for key: Key) async throws
    /// The stored value. Throws ``StorageError/Code/notFound`` only on verified absence.
    func get<Key: StorageKey>(_ key: Key) async throws -> Key.Value
    /// Removes the value. Removing an absent value succeeds.
    func remove<Key: StorageKey>(_ key: Key) async throws
    /// Whether a value is stored. Throws where that cannot be told, such as on a locked device.
    func exists<Key: StorageKey>(_ key: Key) async throws -> Bool
}

extension StorageRouter {
    /// A key's values: the current one first, then each change, with where it came from (this device, the counterpart, a migration).
    ///
    /// ```swift
    /// for try await change in StorageRouter.shared.changes(of: StorageKeys.ThemeKey()) {
    ///     apply(change.value ?? .system)
    /// }
    /// ```
    ///
    /// An observer that is slower than the changes skips to the latest. Changes made by other processes, or around LocalData, are not seen.
    public nonisolated func changes<Key: StorageKey>(of key: Key) -> StorageChanges<Key> {
        StorageChanges(router: self, key: key)
    }

    /// The current value and, without a gap, the changes from then on.
    nonisolated func observe<Key: StorageKey>(_ key: Key) async throws -> (AsyncStream<ChangeObservers.Update>, Key.Value?) {
        try await admission.perform("changes", on: key) { location in
            try await self.turns.run(at: location) {
                if try await self.values.plainData(of: key) == nil { try await self.migration.migrateOnRead(key, at: location, using: self) }
                let value = try await self.values.value(of: key)
                return (self.values.observers.updates(at: location.resolved(in: self.environment)), value)
            }
        }
    }
}

/// For tools and simulations that look at, or damage, what is stored.
extension StorageRouter {
    /// How many bytes lie at the key's place, or `nil` where nothing does. Opens nothing.
    package nonisolated func storedByteCount(of key: AnyStorageKey) async throws -> Int? {
        try await storedBytes(of: key)?.count
    }

    /// The bytes at the key's place as they are; of a native preference its canonical bytes.
    package nonisolated func storedBytes(of key: AnyStorageKey) async throws -> Data? {
        switch try await stored.storedForm(of: key.base) {
        case .bytes(let data)?, .propertyList(.data(let data))?: data
        case .propertyList(let value)?: value.canonicalBytes
        case nil: nil
        }
    }

    /// Whether the values of two keys are one file, under two names.
    package nonisolated func isOneFile(_ first: AnyStorageKey, _ second: AnyStorageKey) async throws -> Bool {
        try stored.isOneFile(first.base, second.base)
    }

    /// What seals the value at the key's place; `nil` where there is none, or none that is sealed.
    package nonisolated func sealingKey(of key: AnyStorageKey) async throws -> KeyUse.Key? {
        guard let bytes = try await storedBytes(of: key) else { return nil }
        switch (try? EnvelopePrefix(parsing: bytes))?.header.keySource {
        case .master(let id)?: return .master(id)
        case .external(let id)?: return .external(id)
        case nil: return nil
        }
    }

    /// The id of the master key that seals the key's values, if there is one.
    package nonisolated func primaryMasterKey(of key: AnyStorageKey) throws -> String? {
        try encryption.ring(of: key.accessGroup).pointer()?.primary
    }

    /// The ids of the master keys, and of the one that seals.
    package nonisolated func masterKeys() throws -> (ids: [String], primary: String?) {
        (try encryption.ring.keyIDs(), try encryption.ring.pointer()?.primary)
    }

    /// Puts bytes into the attribute beside a keychain item's secret, where LocalData keeps its note.
    /// - Returns: False where there is no such item.
    package nonisolated func overwriteStoredAttribute(of key: AnyStorageKey, with bytes: Data) async throws -> Bool {
        guard case .keychain(let service) = key.domain else { return false }
        return try keychain.overwriteAttribute(account: key.name, service: service, with: bytes)
    }

    /// Puts bytes at the key's place, unsecured and unannounced. What a sealed keychain item has beside its secret stays as it is, as damage leaves it.
    package nonisolated func overwriteStoredBytes(of key: AnyStorageKey, with bytes: Data) async throws {
        var tag: Data?
        if case .keychain(let service) = key.domain, key.security.isEncrypted {
            tag = try keychain.syncTag(of: key.base, service: service)
        }
        try stored.put(.bytes(bytes), for: key.base, tag: tag)
    }
}
