import Foundation

/// The main entry point: reads, writes and removes the values of ``StorageKey``s wherever they are declared to be.
///
/// Operations on one key are linearizable: each takes effect at one instant between its call and its return. What a task awaits comes before what it calls next; of tasks
/// that begin at one moment the system says which comes first. Operations on different keys do not wait for each other, which is why the operations
/// themselves are not isolated to the actor.
public actor StorageRouter: StorageProviding {
    /// The router of the device whose code is running: of the simulated process whose job runs on this thread, the one bound by ``current``, else the
    /// platform's own. An app names it first in its launch itself, not in a task that begins there: iOS tells only during the launch that it has prewarmed the process.
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

    /// What does the work.
    nonisolated let engines: Engines

    /// A router of its own device. Apps use ``shared``: two routers of one environment do not take turns, so operations on one key would no
    /// longer be linearizable.
    public init(environment: StorageEnvironment) {
        self.init(environment: environment, notesPlaces: true)
    }

    /// - Parameter notesPlaces: Whether the places of values are noted for audits. A simulation that plants what an earlier version of LocalData
    ///   would have left notes none.
    package init(environment: StorageEnvironment, notesPlaces: Bool) {
        engines = Engines(environment: environment, notesPlaces: notesPlaces)
        self.environment = engines.environment
        defaults = engines.defaults
        keychain = engines.keychain
        files = engines.files
        encryption = engines.encryption
        sync = engines.sync
    }

    /// Stores `value`, replacing an earlier one. When it returns, the value survives a crash and, except in preferences, a power loss; if it throws, the
    /// earlier value or the new one is there.
    /// - Throws: ``StorageError``: `encodingFailed`, `locked`, `lockedBeforeFirstUnlock`, `noSpace`, `accessDenied`, `phoneOnly`, `watchOnly`,
    ///   `notRegistered`, `invalidKey`, `inputOutput`, `superseded`, `outOfRange`, those of authentication and of the key material; `CancellationError` if the task is cancelled
    ///   while it waits for its turn. `unsupported` in an extension, for a key that syncs, lies in an App Group and is sealed by a master key without
    ///   ``StorageKey/accessGroup``: the app could not open the value.
    public nonisolated func set<Key: StorageKey>(_ value: Key.Value, for key: Key) async throws {
        try await engines.admission.perform("set", on: key) { location in
            self.tellOfRequest(.askedToSet(key: key.name))
            try self.engines.versions.requireAppCanOpen(key)
            let plain = try key.encoded(value, width: self.environment.device.integerBitWidth)
            try await self.engines.turns.run(at: location) {
                try await self.engines.versions.noteChange(
                    self.engines.values.store(plain, for: key, origin: self.engines.turns.localOrigin), of: key)
            }
        }
    }

    /// The stored value. If none is stored and the key has a ``StorageKey/migration``, the value is first brought over from where it still lies; an extension
    /// reads it there.
    /// - Throws: ``StorageError``: `notFound` only on verified absence, here and at the migration's sources; as ``set(_:for:)``, and `keyMissing`,
    ///   `decryptionFailed`, `undeclaredPolicy`, `corrupt`, `unsupportedFormat`, `wrongType`, `outOfRange`, `superseded`, `undecided`.
    public nonisolated func get<Key: StorageKey>(_ key: Key) async throws -> Key.Value {
        try await engines.admission.perform("get", on: key) { location in
            try await self.engines.turns.run(at: location) {
                guard let value = try await self.found(key, at: location) else { throw StorageError(.notFound) }
                return value
            }
        }
    }

    /// The stored value, brought over first if need be; `nil` on verified absence. Called in the key's turn.
    private nonisolated func found<Key: StorageKey>(_ key: Key, at location: StorageLocation) async throws -> Key.Value? {
        if environment.device.isAppExtension { return try await engines.migration.valueInExtension(of: key, at: location) }
        await engines.values.gather(ifPutOff: key, at: location)
        await engines.migration.resumeMigration(ifInterrupted: key, at: location, using: self)
        try await engines.migration.replaceLeftover(of: key, at: location, using: self)
        do {
            if let value = try await engines.values.value(of: key) { return value }
        } catch let error as StorageError where error.code.mayBeEarlierForm {
            guard try await engines.migration.migrateInPlace(key, at: location, using: self) else { throw error }
        }
        try await engines.migration.migrateOnRead(key, at: location, using: self)
        return try await engines.values.value(of: key)
    }

    /// Removes the value; removing an absent value succeeds. When it returns, that outlasts a crash and, except in preferences, a power loss. What the
    /// key's ``StorageKey/migration`` would bring back goes too: see ``StorageMigration/sourceKeys``. Of a key that this device does not have, by its
    /// ``StorageKey/availability``, what an earlier version of the app left here is removed, and the other device's value stays.
    /// - Throws: ``StorageError`` as ``set(_:for:)``. The value may then still be there, whole. `superseded` where a newer version of the app has it elsewhere. `unsupported` in an extension, for a key that syncs or has
    ///   a migration: only the app can remove its value.
    public nonisolated func remove<Key: StorageKey>(_ key: Key) async throws {
        try await engines.admission.perform("remove", on: key, isOfAnyDevice: true) { location in
            try await self.engines.migration.requireRemovable(key, at: location)
            self.tellOfRequest(.askedToRemove(key: key.name))
            try self.engines.versions.requireRemovalIsKnown(of: key)
            try await self.engines.turns.run(at: location) {
                // A migration that takes its source away has brought its value there, under another name: it is where it belongs.
                if try self.engines.moves.isAnotherNameOfDestination(key) { return }
                try await self.engines.versions.noteChange(self.engines.migration.remove(key), of: key)
            }
        }
    }

    private nonisolated func tellOfRequest(_ event: @autoclosure () -> StorageEvent) {
        if case .local = engines.turns.localOrigin { engines.environment.tell(event()) }
    }

    /// Whether a value is stored at the key's own place. Starts no migration, reads no value and asks nobody to authenticate. One that nobody can open
    /// any more is a value, unless the key's ``StorageKey/missingKeyPolicy`` discards it.
    /// - Throws: ``StorageError`` as ``get(_:)`` where that cannot be told, such as `locked`, and `superseded`.
    public nonisolated func exists<Key: StorageKey>(_ key: Key) async throws -> Bool {
        try await engines.admission.perform("exists", on: key) { location in
            try await self.engines.turns.run(at: location) {
                if try await !self.engines.values.discardIfSealedForGood(key), try self.engines.stored.isStored(key) { return true }
                try self.engines.moves.requireNotMovedAway(key, at: location)
                return false
            }
        }
    }
}

/// The storage operations that code under test depends on, so that tests can put another store in the router's place.
public protocol StorageProviding: Sendable {
    /// Stores `value`; when it returns, the value survives a crash and, except in preferences, a power loss.
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
    /// An observer that is slower than the changes skips to the latest. Changes made by other processes, or around LocalData, are not seen. Nor is a value in a form that
    /// only a newer version of the app can read, which `get` refuses (``StorageError/Code/superseded``): what was told last is then of before.
    public nonisolated func changes<Key: StorageKey>(of key: Key) -> StorageChanges<Key> {
        StorageChanges(router: self, key: key)
    }

    /// The current value and, without a gap, the changes from then on.
    nonisolated func observe<Key: StorageKey>(_ key: Key) async throws -> (AsyncStream<ChangeObservers.Update>, Key.Value?) {
        try await engines.admission.perform("changes", on: key) { location in
            try await self.engines.turns.run(at: location) {
                let value = try await self.found(key, at: location)
                return (self.engines.values.observers.updates(at: location.resolved(in: self.environment)), value)
            }
        }
    }
}
