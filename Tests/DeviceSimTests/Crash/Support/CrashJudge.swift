import DeviceSim
import Foundation

@testable import DeviceSimCore
@testable import LocalData

/// Holds what is found after a crash against the laws.
struct CrashJudge {
    let operation: CrashOperation
    let world: CrashWorld
    let before: StoredState
    let isAcknowledged: Bool
    private var hasLostPower = false

    init(operation: CrashOperation, world: CrashWorld, before: StoredState, isAcknowledged: Bool) {
        self.operation = operation
        self.world = world
        self.before = before
        self.isAcknowledged = isAcknowledged
    }

    mutating func note(_ kind: CrashKind) {
        if case .power = kind { hasLostPower = true }
    }

    private var storage: DeviceStorage { world.phone.storage }

    // MARK: Before the recovery

    /// What holds at any moment, before anybody tidied up.
    func judgeMoment() throws {
        try judgeSecrets(StoredState(of: storage), isRecovered: false)
        try judgeMovingValues()
    }

    /// A value that moves can be read somewhere.
    private func judgeMovingValues() throws {
        for (value, keys) in operation.movingValues {
            let device = world.phone
            let router = StorageRouter(environment: .looking(at: device))
            let lockedState = device.state
            device.state.isLocked = false
            device.state.wasUnlockedSinceBoot = true
            defer { device.state = lockedState }
            let outcome = AppOperation<[Reading]>(name: "look")
            Task(executorPreference: world.simulation.scheduler.worldExecutor) {
                await router.encryption.registerKeyMaterialProvider(CrashKeyMaterial(), for: CrashPlace.external)
                var readings: [Reading] = []
                for key in keys { readings.append(await Reading(of: key.bare, with: router)) }
                outcome.finish(.success(readings))
            }
            try world.simulation.finish(outcome)
            let readings = try outcome.result?.get() ?? []
            guard readings.contains(.value(value)) else {
                throw CrashBreach(.alwaysReadable, "\(zip(keys.map(\.name), readings).map { "\($0) \($1)" }.joined(separator: ", "))")
            }
        }
    }

    private func judgeSecrets(_ state: StoredState, isRecovered: Bool) throws {
        for secret in operation.secrets {
            if let place = try state.placeOfPlaintext(secret, isRecovered: isRecovered) {
                throw CrashBreach(.noPlaintext, "'\(secret.value)' lies readable in \(place)")
            }
        }
        if let place = try state.placeOfKeyMaterial() { throw CrashBreach(.noPlaintext, "a master key lies in \(place)") }
    }

    // MARK: After the recovery

    /// What the recovered app reads, and what lies on its device.
    func judge(_ found: [Reading]) throws {
        try judgeMovingValues()
        try judgeValues(found)
        let state = try StoredState(of: storage)
        try judgeSecrets(state, isRecovered: true)
        try judgeKeys(state)
        guard state.temporaryFiles.isEmpty else {
            throw CrashBreach(.leftoversCollected, state.temporaryFiles.joined(separator: ", "))
        }
        for fact in operation.facts where fact.key.migration != nil && fact.new != nil { try judgeSources(of: fact.key) }
    }

    /// What the recovered app reads and what lies on its device while a value in preferences is not known to be durable.
    /// - Parameter isUndisturbed: Whether no later process has run before this one.
    func judgeWaiting(_ found: [Reading], isUndisturbed: Bool) throws {
        try judgeMoment()
        try judgeValues(found)
        // The time since a restart may show that there was one.
        guard isUndisturbed, !hasLostPower else { return }
        for fact in operation.facts where fact.old != nil && fact.new != nil {
            let router = StorageRouter(environment: .looking(at: world.phone))
            let sources = (fact.key.migration?.base.sourceKeys ?? []).compactMap { $0.base as? CrashKey }
            guard try !sources.contains(where: { try router.engines.stored.isStored($0.bare) }) else { continue }
            throw CrashBreach(.sourceWaits, "nothing of '\(fact.key.name)' lies at \(sources.map(\.name).joined(separator: ", "))")
        }
    }

    private func judgeValues(_ found: [Reading]) throws {
        for (fact, reading) in zip(operation.facts, found) {
            let isLate = reading == Reading(fact.new)
            let isEarly = reading == Reading(fact.old)
            let mayBeOld = !isAcknowledged || (fact.mayLose && hasLostPower)
            if isLate || (isEarly && mayBeOld) { continue }
            if !operation.states.isEmpty, !(isAcknowledged && !hasLostPower) { continue }
            let law: CrashLaw =
                !isAcknowledged || !isEarly ? .oldOrNew : fact.new == nil ? .removedStaysRemoved : .acknowledgedSurvives
            throw CrashBreach(law, "'\(fact.key.name)' is \(reading)")
        }
        guard !operation.states.isEmpty, !operation.states.contains(where: { $0.map { Reading($0) } == found }) else { return }
        throw CrashBreach(.prefixSurvives, "\(found)")
    }

    private func judgeKeys(_ state: StoredState) throws {
        let missing = state.neededKeys.subtracting(state.masterKeys)
        guard missing.isEmpty else { throw CrashBreach(.noNeedlessKey, "an envelope needs a key that is gone: \(missing.sorted())") }
        let minted = state.masterKeys.subtracting(before.masterKeys)
        let limit = max(operation.maximumKeyCount, before.masterKeys.count)
        guard state.masterKeys.count <= limit else {
            throw CrashBreach(
                .noNeedlessKey,
                "\(minted.count) minted beside \(before.masterKeys.count), of which envelopes need \(state.neededKeys.count)")
        }
    }

    /// The sources of a migration hold nothing any more, once its destination has the value.
    private func judgeSources(of key: CrashKey) throws {
        for source in key.migration?.base.sourceKeys ?? [] {
            guard let source = source.base as? CrashKey else { continue }
            let router = StorageRouter(environment: .looking(at: world.phone))
            if try router.engines.stored.isStored(source.bare) {
                throw CrashBreach(.leftoversCollected, "the source '\(source.name)' is still there")
            }
            try judgeSources(of: source)
        }
    }

    /// Launching and reading again finds the same, and writes nothing.
    /// - Parameter isWaiting: Whether a migration looks whether it may end: it asks for the preferences to be synchronized, and changes nothing.
    func judgeSecondRecovery(after found: [Reading], isWaiting: Bool = false) throws {
        world.phone.terminate()
        storage.operationLog = []
        defer { storage.operationLog = nil }
        guard try world.relaunch(), let again = try world.values(on: world.phone) else {
            throw CrashBreach(.runs, "the app did not launch again")
        }
        guard again == found else { throw CrashBreach(.secondRecoveryWritesNothing, "\(found) became \(again)") }
        let changes = (storage.operationLog ?? []).filter {
            $0.operation.isChange && !isOfSequenceNumbers($0) && !settlesMarks($0) && !(isWaiting && $0.operation == .defaultsSynchronize)
        }
        guard changes.isEmpty else {
            throw CrashBreach(
                .secondRecoveryWritesNothing, changes.map { "\($0.operation.rawValue) \($0.place)" }.joined(separator: ", "))
        }
    }

    /// A process that looks for marks makes durable what it finds of them, which writes nothing.
    private func settlesMarks(_ change: DeviceStorage.LoggedOperation) -> Bool {
        change.operation == .synchronizeDirectory && change.place.contains("/LocalData/Migration")
    }

    /// A launch that sends again what the counterpart is not known to have reserves sequence numbers for it: an equal context would not travel (W48).
    private func isOfSequenceNumbers(_ change: DeviceStorage.LoggedOperation) -> Bool {
        guard operation.syncs else { return false }
        return change.place.contains("/LocalData/Sync/Device")
            || (change.operation == .synchronizeDirectory && change.place.hasSuffix("/LocalData/Sync"))
    }

    /// Both devices come to the same, and nothing is left to be sent.
    func judgeAgreement() throws {
        guard operation.syncs else { return }
        world.simulation.setLink(up: true)
        try world.simulation.settle()
        if world.watch.process == nil { try world.simulation.finish(world.watch.launch()) }
        try world.simulation.settle()
        guard let phone = try world.values(on: world.phone), let watch = try world.values(on: world.watch) else {
            throw CrashBreach(.runs, "an app does not run")
        }
        guard phone == watch else { throw CrashBreach(.devicesAgree, "phone \(phone), watch \(watch)") }
        for (fact, reading) in zip(operation.facts, phone) {
            if let expected = operation.finalValues[fact.key.name], reading != Reading(expected) {
                throw CrashBreach(.devicesAgree, "'\(fact.key.name)' is \(reading) on both")
            }
            let isEither = reading == Reading(fact.old) || reading == Reading(fact.new)
            if !isEither { throw CrashBreach(.devicesAgree, "'\(fact.key.name)' is \(reading) on both") }
        }
        let pending = try world.simulation.run(on: world.phone) { await StorageRouter.shared.syncStatus().pending.map(\.key) }
        guard pending.isEmpty else { throw CrashBreach(.devicesAgree, "still to be sent: \(pending.joined(separator: ", "))") }
        for fact in operation.facts {
            let record = try world.phone.process?.router.sync.ledger.record(of: fact.key.name, in: fact.key.domain)
            if record?.pending != nil { throw CrashBreach(.leftoversCollected, "an intent of '\(fact.key.name)'") }
        }
    }

    /// What was cut short can be done again, and then everything is as if nothing had happened.
    func judgeRepetition() throws {
        let act = operation.act
        do {
            try world.simulation.run(on: world.phone, "repeat") { try await act(.shared) }
        } catch {
            throw CrashBreach(.canBeRepeated, ErrorText.of(error))
        }
        guard let found = try world.values(on: world.phone) else { throw CrashBreach(.runs, "the app does not run") }
        for (fact, reading) in zip(operation.facts, found) where reading != Reading(fact.new) {
            throw CrashBreach(.canBeRepeated, "'\(fact.key.name)' is then \(reading)")
        }
        try judgeKeys(StoredState(of: storage))
    }
}
