import Foundation

/// Rotates master keys: says what is sealed by which, retires those that nothing needs, and hands on those that an access group is to have. What seals
/// values anew is ``Resealer``.
///
/// Its state is which keys nothing needs any more, as far as it was found out (``UnneededKeys``), and whose master keys are
/// still to be shared with an access group. One rotation goes on at a time, in a turn of its own.
final class RotationEngine: Sendable {
    let environment: StorageEnvironment
    let defaults: UserDefaultsHelper
    let files: FileStorageHelper
    let encryption: EncryptionHelper
    let catalogs: CatalogRegistry
    let places: PlaceRecord
    let unneededKeys: UnneededKeys
    let turns: Turns
    let stored: StoredValues
    let sealer: Resealer
    /// Whose master keys are still to be handed on to their access group.
    private let unshared = KeysPutOff()

    init(
        environment: StorageEnvironment, defaults: UserDefaultsHelper, files: FileStorageHelper, encryption: EncryptionHelper,
        catalogs: CatalogRegistry, places: PlaceRecord, unneededKeys: UnneededKeys, turns: Turns, stored: StoredValues, sealer: Resealer
    ) {
        self.environment = environment
        self.defaults = defaults
        self.files = files
        self.encryption = encryption
        self.catalogs = catalogs
        self.places = places
        self.unneededKeys = unneededKeys
        self.turns = turns
        self.stored = stored
        self.sealer = sealer
    }

    /// See ``StorageRouter/retireUnneededKeys(whileOthersAreQuiet:)``.
    func retireInTurn(whileOthersAreQuiet: Bool) async throws -> KeyRetirementReport {
        try await inRotationTurn("retire keys") { try await self.retire(whileOthersAreQuiet: whileOthersAreQuiet) }
    }

    /// See ``StorageRouter/rotateKeys(retiringOldKeys:)``.
    func retireAfterRotation() async throws -> KeyRetirementReport {
        try await inRotationTurn("rotate keys") { try await self.retireIfPossible() }
    }

    /// See ``StorageRouter/keyRotationPlan(whileOthersAreQuiet:)``.
    func plan(whileOthersAreQuiet: Bool) async throws -> KeyRotationPlan {
        try await ReadOnly.whileLooking {
            try await inRotationTurn("plan a rotation") {
                let keys = self.sealedKeys()
                var values: [PlannedReseal] = []
                for key in keys {
                    values.append(PlannedReseal(key: key.name, domain: key.domain.kind, state: try await self.planned(key)))
                }
                let scan = try await self.scanEnvelopes(of: keys, whileOthersAreQuiet: whileOthersAreQuiet)
                return KeyRotationPlan(
                    isUnderWay: try self.encryption.rings(of: keys).contains { try $0.isRotating() }, values: values,
                    keys: try self.keyUses(of: keys, found: scan),
                    limits: KeyScanLimit.allCases)
            }
        }
    }

    /// A locked device defers it, as it does the values that cannot be read.
    private func retireIfPossible() async throws -> KeyRetirementReport {
        do {
            return try await retire(whileOthersAreQuiet: false)
        } catch let error as StorageError where error.code.isTemporary {
            let needs = [KeyNeed.unreadable(place: "the device", error.code)]
            return KeyRetirementReport(
                retired: [], kept: try oldKeys().map { KeyUse(key: .master($0), isCurrent: false, needs: needs) })
        }
    }

    private func planned(_ key: any StorageKey) async throws -> PlannedReseal.State {
        do {
            return try await turns.run(at: stored.location(of: key)) {
                guard let front = try self.stored.storedFront(of: key) else { return .absent }
                if front.envelope == nil, let form = try await self.stored.storedForm(of: key, asksPerson: false) {
                    // Whether it is a value, or damage, only the whole of it says.
                    _ = try await self.stored.opened(form, of: key)
                } else if let header = try self.stored.envelopeHeader(of: key) {
                    try key.acceptedPolicies.require(header.keySource)
                }
                let differences = try self.stored.differences(of: front, of: key)
                return differences.isEmpty ? .current : .due(differences)
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            let problem = SyncLedger.storageError(error).at(key: key.name, domain: key.domain.kind, operation: "plan a rotation")
            return problem.code.isTemporary ? .deferred(problem) : .failed(problem)
        }
    }

    /// One at a time in a process. Errors leave with the operation in them.
    func inRotationTurn<Result: Sendable>(
        _ operation: String, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        do {
            return try await turns.run(at: .rotationTurn, body)
        } catch let error as StorageError {
            throw error.at(operation: operation)
        }
    }
}

/// Which keys' values are sealed.
extension RotationEngine {
    /// The registered keys whose values are sealed on this device, or may be still, and the sources of their migrations, which may hold sealed values still:
    /// one for each place, sorted by name; and those that lie under names of run time, as far as that can be told (``sealedKeysOfKinds(besides:)``).
    /// - Parameter withKeychain: Whether those that only the keychain protects are among them.
    func sealedKeys(withKeychain: Bool = false) -> [any StorageKey] {
        let role = environment.device.role
        var places: Set<String> = []
        var found: [any StorageKey] = []
        var due = catalogs.keys.filter { $0.availability.isAvailable(on: role) }.map(\.base)
        // Breadth first, so that of two declarations of one place the registered one counts.
        while !due.isEmpty {
            var sources: [any StorageKey] = []
            for key in due where KeyNamePattern(key.name) == nil {
                guard let location = try? stored.location(of: key), places.insert(location.resolved(in: environment)).inserted else {
                    continue
                }
                if key.acceptedPolicies.acceptsSealed || (withKeychain && key.domain.isKeychain) { found.append(key) }
                sources += key.migration?.base.sourceKeys.map(\.base) ?? []
            }
            due = sources
        }
        found += sealedKeysOfKinds(besides: &places)
        return found.sorted { ($0.name, $0.domain.kind) < ($1.name, $1.domain.kind) }
    }

    /// Whether what old master keys sealed may lie, or have lain, in preferences: at the place of a registered key, or at one that only a catalog that is
    /// registered later has, or another version of the app.
    func mayHaveSealedPreferences(_ sealed: [any StorageKey], found scan: EnvelopeScan) -> Bool {
        if scan.hasOthersInPreferences { return true }
        return (sealed + catalogs.keys.map(\.base)).contains { $0.domain.defaultsSuite != nil && $0.acceptedPolicies.acceptsSealed }
    }
}

/// Master keys that an access group is to have.
extension RotationEngine {
    /// Hands on what opens the values of keys that now declare an access group, so that an extension can open them without waiting for the app to read
    /// each. What cannot be looked at for now is handed on when it is read, or looked at again (``shareWhatWaited()``).
    func shareMasterKeys(of keys: [AnyStorageKey]) async {
        for key in keys.map(\.base) where key.security.isSealedByMasterKey && key.availability.isAvailable(on: environment.device.role) {
            guard let group = key.accessGroup, let location = try? stored.location(of: key) else { continue }
            await unshared.attempt(key, at: location) {
                for named in try self.namedKeys(of: key) {
                    try await turns.run(at: stored.location(of: named)) {
                        guard let header = try self.stored.envelopeHeader(of: named) else { return }
                        try self.encryption.shareMasterKey(of: header, with: group)
                    }
                }
            }
        }
    }

    /// The key itself; of a kind whose names are made at run time those whose values lie where its values do.
    private func namedKeys(of key: any StorageKey) throws -> [any StorageKey] {
        guard let pattern = KeyNamePattern(key.name) else { return [key] }
        return try names(at: key, matching: pattern).map { DescribedKey(StorageKeyDescriptor(AnyStorageKey(key)), name: $0) }
    }

    /// Whether there is something to hand on that had to wait.
    var hasUnshared: Bool { !unshared.isEmpty }

    /// What could not be looked at before, as on a locked device.
    func shareWhatWaited() async {
        guard !unshared.isEmpty else { return }
        await shareMasterKeys(of: unshared.takeAll().map { AnyStorageKey($0) })
    }
}

extension StorageLocation {
    /// Not a place: the turn of the one rotation that goes on at a time.
    fileprivate static let rotationTurn = StorageLocation(physical: "com.localdata.rotation", identity: "com.localdata.rotation")
}
