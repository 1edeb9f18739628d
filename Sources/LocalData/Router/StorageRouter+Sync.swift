import Foundation
import WatchConnectivity

/// What apps call.
extension StorageRouter {
    /// Brings this device and its counterpart together: applies what the session received last, then sends the synced values again if the counterpart
    /// is not known to have them. Call it at launch, once the session is activated, and whenever the counterpart becomes reachable.
    ///
    /// Values of ``SyncPolicy/manual`` keys travel by this call and ``syncNow()`` only. A session that is not activated, or has no counterpart, is no
    /// error: the values stay pending, see ``syncStatus()``.
    /// - Throws: ``StorageError`` if the received context is not readable or the session refuses the new one. Nothing is lost; it can be called again.
    public func syncRegisteredKeysIfNeeded() async throws {
        if hasSecretsToTakeUp { await takeUpSecrets() }
        try await engines.syncing.synchronize(isForced: false, on: self)
    }

    /// Takes up what had to wait for the device to be unlocked: migrations that a sweep had to defer, and values of the counterpart that could not be
    /// stored; then sends what could not be read. Nothing waits for a relaunch. Without anything to take up it costs a look at the synced values.
    ///
    /// Call it in `applicationProtectedDataDidBecomeAvailable(_:)`, and whenever the app comes to the foreground: watchOS posts no such notification, and
    /// an app that was suspended is not told. Values of ``SyncPolicy/manual`` keys do not travel by it.
    /// - Throws: As ``syncRegisteredKeysIfNeeded()``; `CancellationError`. What still cannot be stored waits for the next call.
    public func protectedDataBecameAvailable() async throws {
        try await takeUpWhatWaited()
    }

    /// Migrations need no turn of the router's; the sync after them takes it.
    private nonisolated func takeUpWhatWaited() async throws {
        if hasSecretsToTakeUp { await takeUpSecrets() }
        try await engines.syncing.takeUpWhatWaited(on: self)
    }

    private nonisolated var hasSecretsToTakeUp: Bool { engines.values.hasUngathered || engines.rotation.hasUnshared }

    /// Secrets and master keys that an access group is to have, and that could not be looked at when the catalog was registered.
    private nonisolated func takeUpSecrets() async {
        await engines.values.gatherWhatWaited()
        await engines.rotation.shareWhatWaited()
    }

    /// As ``syncRegisteredKeysIfNeeded()``, and sends even where the counterpart is known to have everything.
    public func syncNow() async throws {
        if hasSecretsToTakeUp { await takeUpSecrets() }
        try await engines.syncing.synchronize(isForced: true, on: self)
    }

    /// Forgets what this process knew of the counterpart: the person has put on another watch. Call it in `sessionDidDeactivate(_:)`, before the
    /// session is activated again; the next ``syncRegisteredKeysIfNeeded()`` then says everything to whoever is there.
    ///
    /// Nothing is lost without it where each watch has contexts of its own, which is not published (W15).
    public func counterpartMayHaveChanged() async {
        await sync.forgetCounterpart()
    }

    /// What this device has to say, to answer the counterpart's request with: `replyHandler(snapshot.payload)`. Of ``SyncPolicy/manual`` keys that is
    /// what was published last: the counterpart asks, and not this device's app.
    /// - Parameter maximumByteCount: What the channel can take; a reply takes less than a context. The largest values are left out, and named.
    /// - Throws: ``StorageError`` if the ledger cannot be read; `CancellationError` if the task is cancelled. Keys that cannot be read for now are left out,
    ///   and named.
    public func syncSnapshot(maximumByteCount: Int = SyncSnapshot.maximumMessageByteCount) async throws -> SyncSnapshot {
        await engines.syncing.loadSyncedKeys(.missing, on: self)
        try Task.checkCancellation()
        return try await sync.answer(maximumByteCount: maximumByteCount)
    }

    /// Applies the counterpart's snapshot: of each key the version with the higher stamp is kept. Applying again, late or in another order changes
    /// nothing. What is applied is not sent back; if this device has something that the counterpart lacks, that is sent once.
    /// - Returns: What became of each entry. A key that cannot be stored for now is deferred, and tried again by ``syncRegisteredKeysIfNeeded()``.
    /// - Throws: ``StorageError`` if the ledger cannot be read or written.
    @discardableResult
    public func apply(_ snapshot: SyncSnapshot) async throws -> SyncReport {
        try await engines.syncing.apply(snapshot, on: self)
    }

    /// The snapshot in what the session delivered, or `nil` if there is none: then it is the app's own. As ``SyncSnapshot/init(in:)``, and the
    /// environment's ``StorageEnvironment/observer`` is told of one that is refused.
    /// - Throws: ``StorageError/Code/invalidSnapshot`` for one that cannot be read, ``StorageError/Code/superseded`` for one of a newer format.
    public nonisolated func snapshot(in dictionary: [String: Any]) throws -> SyncSnapshot? {
        try engines.syncing.snapshot(in: dictionary)
    }

    /// What waits to be sent, and why.
    public func syncStatus() async -> SyncStatus {
        await engines.syncing.loadSyncedKeys(.missing, on: self)
        return await sync.status()
    }

    /// The message with which one device asks the other for a snapshot.
    public static var syncRequest: [String: Any] { [syncRequestKey: SyncSnapshot.formatVersion] }

    /// Whether a message is ``syncRequest``.
    public static func isSyncRequest(_ message: [String: Any]) -> Bool { message[syncRequestKey] != nil }

    private static var syncRequestKey: String { "\(SyncSnapshot.entryKey).request" }
}

/// Sync policies chosen at run time.
extension StorageRouter {
    /// Replaces the declared sync policy of a key on this device, durably, such as for a setting "sync over the watch"; `nil` returns to the declaration.
    ///
    /// ``SyncPolicy/never`` stops sending and applying here; what the counterpart has stays there, and what the system has not delivered to it yet is
    /// taken back, at once where the session is activated, else by the next sync. What is on its way already arrives. What is set and removed here
    /// meanwhile keeps its place among the versions of the value, and travels once the key syncs again. Another policy takes effect with the next
    /// change or sync. It does not make a key sync whose availability keeps it on one device.
    ///
    /// It goes along with the value: a key with a ``StorageKey/migration`` and without a choice of its own has that of its source, where both declare
    /// the same policy, and else what was switched off or restricted at any of its sources.
    ///
    /// A damaged list of overrides means ``SyncPolicy/never`` for every key, since nobody knows what a person switched off: ``syncStatus()`` and the audit
    /// tell. The first override that is set then replaces the list. Each other key stays as it is until it gets an override, or `nil` for its declaration;
    /// ``removeSyncPolicyOverrides()`` does so for all keys.
    /// A key that extensions of the app can have too, in an App Group or a keychain access group, and that declares ``SyncPolicy/never``, is not switched
    /// on: an extension does not see what was chosen. Declare a policy for it, and choose ``SyncPolicy/never`` until it is to sync.
    ///
    /// What was being applied to the key is waited for, except in a task that is cancelled. Once it was, and ``SyncPolicy/never`` is
    /// acknowledged, nothing of the key is handed to the session or applied any more.
    /// - Throws: ``StorageError`` if the list of overrides cannot be read or written, or is of a newer version (`superseded`); `lockedBeforeFirstUnlock`
    ///   where it lies in preferences alone, as on a watch that was set up from a backup, and the process began before the first unlock: launch the app
    ///   again; `unsupported` for a key that is not switched on; `notRegistered`. The policy is then unchanged.
    public func setSyncPolicyOverride<Key: StorageKey>(_ policy: SyncPolicy?, for key: Key) async throws {
        try await engines.syncing.setOverride(policy, of: key, on: self)
    }

    /// Forgets what ``setSyncPolicyOverride(_:for:)`` chose, for all keys: each syncs again as it declares. Also the way out of a damaged list; ask the
    /// person first, who may have switched something off.
    /// - Throws: ``StorageError`` if the list of overrides cannot be read or written, or is of a newer version (`superseded`); the policies are then
    ///   unchanged.
    public func removeSyncPolicyOverrides() async throws {
        try await engines.syncing.removeOverrides(on: self)
    }

    /// The sync policy in force for a key on this device: its override, else what it declares; ``SyncPolicy/never`` while the overrides cannot be read.
    public nonisolated func syncPolicy<Key: StorageKey>(of key: Key) -> SyncPolicy {
        sync.ledger.policy(of: key)
    }
}
