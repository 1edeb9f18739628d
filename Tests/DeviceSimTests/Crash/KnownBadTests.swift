import DeviceSim
import Foundation
import Specimens
import Testing

@testable import DeviceSimCore
@testable import LocalData

/// The suite proves itself: each way of getting it wrong makes it fail, by the law that it breaks.
@Suite struct KnownBadTests {
    private func firstBreach(
        of operation: CrashOperation, with adapt: @escaping @Sendable (DeviceID, StorageEnvironment) -> StorageEnvironment = { $1 }
    ) -> CrashCampaign.Result {
        CrashCampaign(operation: operation, adapt: adapt, stopsAtFirst: true).run()
    }

    private func operation(_ name: String) throws -> CrashOperation {
        try #require(CrashOperation.groups.flatMap(\.operations).first { $0.name == name }, "no operation '\(name)'")
    }

    private func forgetful(
        _ flaw: ForgetfulFileSystem.Flaw, on broken: DeviceID = .phone
    ) -> @Sendable (DeviceID, StorageEnvironment) -> StorageEnvironment {
        { device, environment in
            guard device == broken else { return environment }
            var environment = environment
            environment.fileSystem = ForgetfulFileSystem(base: environment.fileSystem, flaw: flaw)
            return environment
        }
    }

    private func careless(_ flaw: CarelessKeychain.Flaw) -> @Sendable (DeviceID, StorageEnvironment) -> StorageEnvironment {
        { _, environment in
            var environment = environment
            environment.keychain = CarelessKeychain(environment.keychain, flaw)
            return environment
        }
    }

    // MARK: Files

    @Test(arguments: [
        ("set a first value: file", CrashLaw.oldOrNew), ("set another value: encrypted file", .oldOrNew),
        ("three sealed files, one after the other", .prefixSurvives),
    ]) func withoutTheFileSync(_ name: String, _ law: CrashLaw) throws {
        let result = try firstBreach(of: operation(name), with: forgetful(.fileSync))
        #expect(result.laws == [law], "\(result.violations)")
    }

    /// What was there before is durable, so that what is missed below is the operation's own.
    @Test(arguments: [
        ("set a first value: file", CrashLaw.acknowledgedSurvives), ("set another value: encrypted file", .acknowledgedSurvives),
        ("set another value: group file", .acknowledgedSurvives), ("remove: file", .removedStaysRemoved),
        ("remove with its source: file", .removedStaysRemoved),
    ]) func withoutTheDirectorySync(_ name: String, _ law: CrashLaw) throws {
        var operation = try operation(name)
        operation.prepareWorld = { $0.phone.storage.disk.synchronizeAll() }
        let result = firstBreach(of: operation, with: forgetful(.directorySync))
        #expect(result.laws == [law], "\(result.violations)")
    }

    // MARK: The keychain

    @Test func deletingAndAdding() throws {
        let result = try firstBreach(of: operation("set another value: keychain"), with: careless(.deleteThenAdd))
        #expect(result.laws == [.oldOrNew], "\(result.violations)")
    }

    @Test func mintingOnLocked() throws {
        let result = try firstBreach(of: operation("set another value: AES file"), with: careless(.lockedIsAbsent))
        #expect(result.laws == [.noNeedlessKey], "\(result.violations)")
    }

    // MARK: Migrations

    private static let value = "the value that moves"

    /// From a file to another one, by a migration of one's own.
    private func migration(_ flaw: CarelessMigrationFlaw?) -> CrashOperation {
        let source = CrashKey("older", at: .file)
        let plain = CrashKey("newer", at: .cachedFile)
        let key =
            flaw.map { plain.migrating(by: CarelessMigration(destinationKey: plain, source: source, flaw: $0)) } ?? plain.replacing(source)
        return CrashOperation(
            name: "migrate", keys: [key],
            prepare: { try await CrashPlanting.set(Self.value, for: source, with: $0) },
            act: { try await $0.forceMigration(for: key) }, facts: [CrashOperation.Fact(key, is: Self.value)],
            movingValues: [(Self.value, [source, key])])
    }

    /// The same without a flaw holds, so what is found below is the flaw.
    @Test func rightMigrationsHold() {
        #expect(firstBreach(of: migration(nil)).violations == [])
    }

    @Test func deletingBeforeCopying() {
        let result = firstBreach(of: migration(.deletesFirst))
        #expect(result.laws == [.alwaysReadable], "\(result.violations)")
    }

    @Test func leavingTheSource() {
        let result = firstBreach(of: migration(.leavesSource))
        #expect(result.laws == [.leftoversCollected], "\(result.violations)")
    }

    /// On storage whose destination reads as other bytes, the migration without a read-back deletes the only good copy.
    @Test func withoutTheReadBack() {
        let result = firstBreach(of: migration(.noReadBack), with: forgetful(.contents(name: "newer")))
        #expect(result.laws == [.alwaysReadable], "\(result.violations)")
    }

    /// With the read-back nothing is deleted, and the value stays readable where it is.
    @Test func theReadBackKeepsTheSource() throws {
        let world = CrashWorld(migration(nil), adapt: forgetful(.contents(name: "newer")))
        defer { world.shutDown() }
        try world.prepare()
        let key = world.operation.keys[0]
        #expect(throws: MigrationError.self) {
            try world.simulation.run(on: world.phone) { try await StorageRouter.shared.forceMigration(for: key) }
        }
        let source = CrashKey("older", at: .file)
        let reading = try world.simulation.run(on: world.phone) {
            await Reading(of: source, with: StorageRouter(environment: StorageRouter.shared.environment))
        }
        #expect(reading == .value(Self.value))
    }

    /// A device whose time leaps between two processes: the next one deletes at once what the preferences were made of.
    @Test(arguments: ["migrate forced: file to preferences", "migrate forced: keychain to group preferences"])
    func notWaitingForPreferences(_ name: String) throws {
        let leaps = LeapingClock.Count()
        let trial = CrashTrial(operation: try operation(name)) { _, environment in
            var environment = environment
            environment.clock = LeapingClock(base: environment.clock, leaps: leaps.next())
            return environment
        }
        let point = CrashPoint(.app, beforeOperation: try trial.course().operations.count + 1)
        let violation = #expect(throws: CrashBreach.self) { try trial.run(point) }
        #expect(violation?.law == .sourceWaits, "\(String(describing: violation))")
    }

    // MARK: Removals

    /// A removal that deletes the value before its mark lets an older value come back.
    @Test func deletingBeforeTheMark() throws {
        var operation = try operation("remove under a migration of one's own")
        let key = operation.keys[0]
        operation.act = { router in
            try await router.engines.turns.run(at: StorageLocation(of: key)) {
                _ = try await router.engines.values.erase(key, origin: .local)
                try await router.engines.migration.retireMigration(of: key)
            }
        }
        let result = firstBreach(of: operation)
        #expect(result.laws == [.oldOrNew], "\(result.violations)")
    }

    // MARK: Judging

    /// A secret that an app writes beside the sealed one.
    @Test func plaintextBesideTheSecret() throws {
        var operation = try operation("set another value: encrypted file")
        let act = operation.act
        let copy = CrashKey("copy", at: .file)
        operation.act = { router in
            try await act(router)
            try await CrashPlanting.set("another value, the new one", for: copy, with: router)
        }
        let result = firstBreach(of: operation)
        #expect(result.laws == [.noPlaintext], "\(result.violations)")
    }

    /// Preferences that reach the system in another order than they were set.
    @Test func setsThatLeaveAHole() throws {
        let result = try firstBreach(of: operation("six sets in one suite")) { _, environment in
            var environment = environment
            environment.defaults = LateDefaults(environment.defaults, lateKey: "one")
            return environment
        }
        #expect(result.laws == [.prefixSurvives], "\(result.violations)")
    }

    /// An app that writes at every launch what it has already.
    @Test func writingAtEveryLaunch() throws {
        var operation = try operation("set another value: file")
        let plain = CrashKey("other", at: .cachedFile)
        operation.keys.append(plain.migrating(by: RestlessMigration(destinationKey: plain)))
        let result = firstBreach(of: operation)
        #expect(result.laws == [.secondRecoveryWritesNothing], "\(result.violations)")
    }

    /// A device that cannot store what the operation sets, crash or no crash.
    @Test func failingWhereNothingInterrupts() throws {
        let result = try firstBreach(of: operation("set a first value: file"), with: forgetful(.noRoom(in: "/Documents")))
        #expect(result.laws == [.runs], "\(result.violations)")
    }

    /// An app that waits at its launch for whoever holds a lock, which was itself before the crash.
    @Test func notLaunchingAgain() throws {
        var operation = try operation("set another value: file")
        let lock = CrashKey("lock", at: .cachedFile)
        operation.keys.append(lock.migrating(by: LockingMigration(destinationKey: lock)))
        let result = firstBreach(of: operation)
        #expect(result.laws == [.runs], "\(result.violations)")
    }

    /// A watch that cannot store what arrives.
    @Test func devicesThatDisagree() throws {
        let result = try firstBreach(of: operation("set a synced value: file"), with: forgetful(.noRoom(in: "/Documents"), on: .watch))
        #expect(result.laws == [.devicesAgree], "\(result.violations)")
    }

    /// An operation that can be done once only.
    @Test func whatCannotBeDoneAgain() throws {
        var operation = try operation("set a first value: file")
        let act = operation.act
        let key = operation.keys[0]
        operation.act = { router in
            if try await router.exists(key) { throw StorageError(.unsupported) }
            try await act(router)
        }
        let result = firstBreach(of: operation)
        #expect(result.laws == [.canBeRepeated], "\(result.violations)")
    }
}

/// Sets its destination anew at every sweep.
private struct RestlessMigration: StorageMigration {
    let destinationKey: CrashKey

    func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { true }

    func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        try await router.set("again", for: destinationKey)
        return MigrationResult(success: true)
    }
}

/// Takes a lock that only it gives back, and waits for ever where it is taken.
private struct LockingMigration: StorageMigration {
    let destinationKey: CrashKey

    func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { true }

    func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        if try await router.exists(destinationKey) {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            for await _ in stream {}
            continuation.finish()
        }
        try await router.set("taken", for: destinationKey)
        return MigrationResult(success: true)
    }
}
