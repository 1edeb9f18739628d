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

    // What it does is theirs: each names what it reaches, in the order in which they know each other.
    nonisolated let turns: Turns
    nonisolated let stored: StoredValues
    nonisolated let admission: Admission
    nonisolated let versions: ValueVersions
    nonisolated let moves: MovedValues
    nonisolated let sealer: Resealer
    nonisolated let values: ValueEngine
    nonisolated let migration: MigrationEngine
    nonisolated let syncing: SyncEngine
    nonisolated let rotation: RotationEngine
    nonisolated let audit: AuditEngine

    /// A router of its own device. Apps use ``shared``: two routers of one environment do not take turns, so operations on one key would no
    /// longer be linearizable.
    public init(environment: StorageEnvironment) {
        self.init(environment: environment, notesPlaces: true)
    }

    /// - Parameter notesPlaces: Whether the places of values are noted for audits. A simulation that plants what an earlier version of LocalData
    ///   would have left notes none.
    package init(environment: StorageEnvironment, notesPlaces: Bool) {
        let files = FileStorageHelper(environment: environment)
        let believableDefaults = BelievableDefaults(environment.defaults, on: environment.device, files: files)
        var environment = environment
        environment.defaults = believableDefaults
        environment.keychain = BelievableKeychain.around(environment)
        self.environment = environment
        self.files = files
        defaults = UserDefaultsHelper(environment: environment)
        keychain = KeychainHelper(environment: environment)
        encryption = EncryptionHelper(environment: environment)
        sync = SyncHelper(environment: environment, files: files)

        let processName = ProcessName()
        let marks = MigrationMarks(environment: environment, files: files)
        let unneededKeys = UnneededKeys(environment: environment, files: files, process: processName)
        let places = PlaceRecord(environment: environment, files: files, isNoting: notesPlaces)
        turns = Turns(environment: environment)
        stored = StoredValues(
            environment: environment, defaults: defaults, keychain: keychain, files: files, encryption: encryption, turns: turns,
            marks: marks,
            unneededKeys: unneededKeys)
        admission = Admission(
            environment: environment, files: files, places: places, witnesses: believableDefaults, ledger: sync.ledger, turns: turns,
            stored: stored)
        versions = ValueVersions(environment: environment, keychain: keychain, sync: sync, turns: turns, stored: stored)
        moves = MovedValues(
            environment: environment, files: files, marks: marks, processName: processName, catalogs: admission.catalogs, turns: turns,
            stored: stored)
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
        rotation = RotationEngine(
            environment: environment, defaults: defaults, files: files, encryption: encryption, catalogs: admission.catalogs,
            unneededKeys: unneededKeys, turns: turns, stored: stored, sealer: sealer)
        audit = AuditEngine(
            environment: environment, keychain: keychain, files: files, encryption: encryption, catalogs: admission.catalogs,
            places: places,
            ledger: sync.ledger, turns: turns, stored: stored, moves: moves)
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
                if try await self.values.plainData(of: key) == nil {
                    try await self.migration.migrateOnRead(key, at: location, using: self)
                }
                let value = try await self.values.value(of: key)
                return (self.values.observers.updates(at: location.resolved(in: self.environment)), value)
            }
        }
    }
}
