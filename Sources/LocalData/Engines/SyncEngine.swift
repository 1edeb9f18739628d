import Foundation
import WatchConnectivity

/// Brings this device and its counterpart together: reads what there is to send, applies what came, and answers.
///
/// Its state is ``sync``: what travels, what this process knows of the counterpart, and the ledger. What it does runs in the turn of the router, whose
/// operations do not wait for it; of each key, in the key's turn.
final class SyncEngine: Sendable {
    let environment: StorageEnvironment
    let sync: SyncHelper
    let turns: Turns
    let stored: StoredValues
    let admission: Admission
    let versions: ValueVersions
    let moves: MovedValues
    let values: ValueEngine
    let migration: MigrationEngine

    init(
        environment: StorageEnvironment, sync: SyncHelper, turns: Turns, stored: StoredValues, admission: Admission,
        versions: ValueVersions, moves: MovedValues, values: ValueEngine, migration: MigrationEngine
    ) {
        self.environment = environment
        self.sync = sync
        self.turns = turns
        self.stored = stored
        self.admission = admission
        self.versions = versions
        self.moves = moves
        self.values = values
        self.migration = migration
    }

    /// See ``StorageRouter/syncRegisteredKeysIfNeeded()``.
    func synchronize(isForced: Bool, publishesManual: Bool = true, on router: isolated StorageRouter) async throws {
        await migration.resumeMigrations(using: router)
        try await turns.run(at: .syncTurn) {
            var failure: (any Error)?
            do {
                // A context that was delivered while the app crashed is not delivered again, but the session keeps it (W46).
                let received = await self.sync.obstacle == .sessionNotSupported ? nil : try self.received()
                if let received { _ = try await self.take(received, on: router) }
            } catch {
                await self.sync.note(SyncLedger.storageError(error).at(operation: "sync"))
                failure = error
            }
            self.sync.ledger.keepInheritedChoices()
            self.sync.ledger.settleOverrides(on: self.environment.device.role)
            await self.loadSyncedKeys(.all, on: router)
            // A cancelled task gets no turn of a key. What was not read would be missing in what is sent, and nobody would be told.
            try Task.checkCancellation()
            if publishesManual { await self.sync.publishManual() }
            if await self.sync.hasKeys {
                try await self.takeBackWhatWasLost(on: router)
                try await self.sync.send(.request, isForced: isForced)
            } else {
                try await self.sync.takeBackWhatStays()
            }
            if let failure { throw failure }
        }
    }

    /// The snapshot that the session received last, if there is one.
    private func received() throws -> SyncSnapshot? {
        guard WCSession.default.activationState == .activated else { return nil }
        return try snapshot(in: WCSession.default.receivedApplicationContext)
    }

    /// See ``StorageRouter/protectedDataBecameAvailable()``.
    func takeUpWhatWaited(on router: StorageRouter) async throws {
        await migration.resumeMigrations(mayAskPerson: true, using: router)
        try await synchronize(isForced: false, publishesManual: false, on: router)
    }

    /// See ``StorageRouter/apply(_:)``.
    func apply(_ snapshot: SyncSnapshot, on router: isolated StorageRouter) async throws -> SyncReport {
        try await turns.run(at: .syncTurn) {
            await self.loadSyncedKeys(.missing, on: router)
            let report = try await self.take(snapshot, on: router)
            // Whoever sent it may have lost since what was taken from it: what was heard later says so.
            if !report.isOutdated || report.outcomes.contains(where: { $0.value.isNews }) { await self.sync.answer(to: snapshot) }
            if report.isOutdated { try await self.sync.answerOutdated(snapshot) }
            return report
        }
    }

    /// See ``StorageRouter/snapshot(in:)``.
    func snapshot(in dictionary: [String: Any]) throws -> SyncSnapshot? {
        do {
            return try SyncSnapshot(in: dictionary)
        } catch {
            environment.tell(.refusedSnapshot(SyncLedger.storageError(error).code))
            throw error
        }
    }

    // MARK: Policies chosen at run time

    /// See ``StorageRouter/setSyncPolicyOverride(_:for:)``.
    func setOverride(_ policy: SyncPolicy?, of key: any StorageKey, on router: isolated StorageRouter) async throws {
        try admission.checkRegistered(key, operation: "set the sync policy")
        do {
            try sync.ledger.setOverride(policy, of: key)
        } catch {
            throw SyncLedger.storageError(error).at(key: key.name, domain: key.domain.kind, operation: "set the sync policy")
        }
        await sync.drop(key.name)
        // Refused, it is remembered for ``StorageRouter/syncStatus()``, and the next sync does it.
        try? await sync.takeBackWhatStays()
        await readAnew(key, on: router)
    }

    /// See ``StorageRouter/removeSyncPolicyOverrides()``.
    func removeOverrides(on router: isolated StorageRouter) async throws {
        do {
            try sync.ledger.removeOverrides()
        } catch {
            throw SyncLedger.storageError(error).at(operation: "set the sync policy")
        }
        let keys = sync.ledger.knownNames().compactMap(sync.ledger.knownKey)
        for key in keys { await sync.drop(key.name) }
        try? await sync.takeBackWhatStays()
        for key in keys { await readAnew(key, on: router) }
    }

    /// A catalog was registered anew, which declares another policy for these names, or does not list them any more.
    func declaredAnew(_ names: [String], on router: isolated StorageRouter) async {
        for name in names { await sync.drop(name) }
        // Refused, it is remembered for ``StorageRouter/syncStatus()``, and the next sync does it.
        try? await sync.takeBackWhatStays()
        for name in names {
            guard let key = sync.ledger.knownKey(name) else { continue }
            await readAnew(key, on: router)
        }
    }

    /// Edits made while a key did not sync are found when it is read again. In the key's turn: what was being applied when its policy was chosen is
    /// stored by then, and nothing comes after it that the policy forbids. Where the turn cannot be had, nothing is waited for.
    private func readAnew(_ key: any StorageKey, on router: isolated StorageRouter) async {
        do {
            try await turns.run(at: stored.location(of: key)) { self.sync.ledger.reread(key.name) }
        } catch {
            sync.ledger.reread(key.name)
        }
    }
}

extension StorageLocation {
    /// Not a place: the turn of the one sync that is applied at a time.
    static let syncTurn = StorageLocation(physical: "com.localdata.sync", identity: "com.localdata.sync")
}
