import Foundation
import WatchConnectivity

/// What apps call.
extension StorageRouter {
    /// Brings this device and its counterpart together: applies what the session received last, then sends the synced values again if the counterpart
    /// is not known to have them. Call it at launch, once the session is activated, and whenever the counterpart becomes reachable.
    ///
    /// Values of ``SyncPolicy/manual`` keys travel by this call only. A session that is not activated, or has no counterpart, is no error: the values
    /// stay pending, see ``syncStatus()``.
    /// - Throws: ``StorageError`` if the received context is not readable or the session refuses the new one. Nothing is lost; it can be called again.
    public func syncRegisteredKeysIfNeeded() async throws {
        try await synchronize(isForced: false)
    }

    /// Takes up what had to wait for the device to be unlocked: migrations that a sweep had to defer, and values of the counterpart that could not be
    /// stored; then sends what could not be read. Nothing waits for a relaunch. Without anything to take up it costs a look at the synced values.
    ///
    /// Call it in `applicationProtectedDataDidBecomeAvailable(_:)`, and whenever the app comes to the foreground: watchOS posts no such notification, and
    /// an app that was suspended is not told. Values of ``SyncPolicy/manual`` keys do not travel by it.
    /// - Throws: As ``syncRegisteredKeysIfNeeded()``; `CancellationError`. What still cannot be stored waits for the next call.
    public func protectedDataBecameAvailable() async throws {
        await resumeMigrations(mayAskPerson: true)
        try await synchronize(isForced: false, publishesManual: false)
    }

    /// As ``syncRegisteredKeysIfNeeded()``, and sends even where the counterpart is known to have everything.
    public func syncNow() async throws {
        try await synchronize(isForced: true)
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
    /// - Throws: ``StorageError`` if the ledger cannot be read. Keys that cannot be read for now are left out, and named.
    public func syncSnapshot(maximumByteCount: Int = SyncSnapshot.maximumMessageByteCount) async throws -> SyncSnapshot {
        await loadSyncedKeys(.missing)
        return try await sync.answer(maximumByteCount: maximumByteCount)
    }

    /// Applies the counterpart's snapshot: of each key the version with the higher stamp is kept. Applying again, late or in another order changes
    /// nothing. What is applied is not sent back; if this device has something that the counterpart lacks, that is sent once.
    /// - Returns: What became of each entry. A key that cannot be stored for now is deferred, and tried again by ``syncRegisteredKeysIfNeeded()``.
    /// - Throws: ``StorageError`` if the ledger cannot be read or written.
    @discardableResult
    public func apply(_ snapshot: SyncSnapshot) async throws -> SyncReport {
        try await turns.run(at: .syncTurn) {
            await self.loadSyncedKeys(.missing)
            let report = try await self.take(snapshot)
            if report.isOutdated { try await self.sync.answerOutdated(snapshot) } else { await self.sync.answer(to: snapshot) }
            return report
        }
    }

    /// The snapshot in what the session delivered, or `nil` if there is none: then it is the app's own. As ``SyncSnapshot/init(in:)``, and the
    /// environment's ``StorageEnvironment/observer`` is told of one that is refused.
    /// - Throws: ``StorageError/Code/invalidSnapshot`` for one that cannot be read, ``StorageError/Code/superseded`` for one of a newer format.
    public nonisolated func snapshot(in dictionary: [String: Any]) throws -> SyncSnapshot? {
        do {
            return try SyncSnapshot(in: dictionary)
        } catch {
            environment.tell(.refusedSnapshot(SyncLedger.storageError(error).code))
            throw error
        }
    }

    /// What waits to be sent, and why.
    public func syncStatus() async -> SyncStatus {
        await loadSyncedKeys(.missing)
        return await sync.status()
    }

    /// The message with which one device asks the other for a snapshot.
    public static var syncRequest: [String: Any] { [syncRequestKey: SyncSnapshot.formatVersion] }

    /// Whether a message is ``syncRequest``.
    public static func isSyncRequest(_ message: [String: Any]) -> Bool { message[syncRequestKey] != nil }

    private static var syncRequestKey: String { "\(SyncSnapshot.entryKey).request" }

    /// The snapshot that the session received last, if there is one.
    private nonisolated func received() throws -> SyncSnapshot? {
        guard WCSession.default.activationState == .activated else { return nil }
        return try snapshot(in: WCSession.default.receivedApplicationContext)
    }

    private func synchronize(isForced: Bool, publishesManual: Bool = true) async throws {
        await resumeMigrations()
        try await turns.run(at: .syncTurn) {
            var failure: (any Error)?
            do {
                // A context that was delivered while the app crashed is not delivered again, but the session keeps it (W46).
                let received = await self.sync.obstacle == .sessionNotSupported ? nil : try self.received()
                if let received { _ = try await self.take(received) }
            } catch {
                await self.sync.note(SyncLedger.storageError(error).at(operation: "sync"))
                failure = error
            }
            await self.loadSyncedKeys(.all)
            if publishesManual { await self.sync.publishManual() }
            if await self.sync.hasKeys {
                try await self.takeBackWhatWasLost()
                try await self.sync.send(.request, isForced: isForced)
            } else {
                try await self.sync.takeBackWhatStays()
            }
            if let failure { throw failure }
        }
    }
}

extension StorageLocation {
    /// Not a place: the turn of the one sync that is applied at a time.
    static let syncTurn = StorageLocation(physical: "com.localdata.sync", identity: "com.localdata.sync")
}

extension SyncSnapshot {
    /// The latest version of a key in what the session sent and received last; `nil` where it cannot tell.
    static func latestStamp(of name: String) -> SyncStamp? {
        guard WCSession.isSupported(), WCSession.default.activationState == .activated else { return nil }
        let contexts = [WCSession.default.applicationContext, WCSession.default.receivedApplicationContext]
        return contexts.compactMap { try? SyncSnapshot(in: $0)?.withinLimits().entries[name]?.stamp }.max()
    }
}
