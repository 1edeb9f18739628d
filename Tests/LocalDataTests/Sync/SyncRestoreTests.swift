import Foundation
import Testing

@testable import LocalData

/// A ledger that came back from a backup: the records are old, the installation is a new one.
@Suite struct SyncRestoreTests {
    private static let phone = "phone.00112233"
    private static let installation = SyncInstallation(epoch: "00112233445566778899aabbccddeeff")

    private static func record(_ counter: UInt64, by device: String) -> SyncRecord {
        let version = SyncVersion(stamp: SyncStamp(counter: counter, device: device), content: .value(revision: Data([1])))
        return SyncRecord(keyName: "theme", location: "place", committed: version)
    }

    @Test func everyInstallationIsAWriterOfItsOwn() {
        #expect(Self.installation.replica(of: "phone") == Self.phone)
        #expect(SyncInstallation(epoch: "ffeeddcc").replica(of: "phone") != Self.phone)
    }

    @Test func anInheritedRecordIsContinuedFarAbove() {
        let next = Self.installation.nextCounter(
            of: "theme", after: Self.record(3, by: "phone.ffeeddcc"), by: Self.phone, at: .init(timeIntervalSinceReferenceDate: 0))
        #expect(next == 3 + SyncInstallation.leap)
        #expect(
            Self.installation.nextCounter(
                of: "theme", after: Self.record(3, by: Self.phone), by: Self.phone, at: .init(timeIntervalSinceReferenceDate: 0)) == 4)
        #expect(Self.installation.nextCounter(of: "theme", after: nil, by: Self.phone, at: .init(timeIntervalSinceReferenceDate: 0)) == 1)
    }

    /// Two that come from one backup jump from one number, and the later edit is the later one, whatever the installations are called.
    @Test func ofTwoRestoredInstallationsTheLaterEditIsLater() {
        func next(_ epoch: String, _ seconds: Double) -> UInt64 {
            let installation = SyncInstallation(epoch: epoch)
            return installation.nextCounter(
                of: "theme", after: Self.record(3, by: "phone.ffeeddcc"), by: installation.replica(of: "phone"),
                at: .init(timeIntervalSinceReferenceDate: seconds))
        }
        for epoch in ["00000000", "99999999"] { #expect(next("55555555", 800_000_000) < next(epoch, 800_000_001)) }
        // A clock that nobody set, or that means nothing, jumps all the same, and not into the next generation.
        for seconds in [-1e300, -1, 0, Double.nan, 1e300, .infinity] {
            let jump = next("55555555", seconds) - 3
            #expect(jump >= SyncInstallation.leap && jump < SyncStamp.generationSize)
        }
    }

    /// Who has jumped several times, as each time that a watch was paired anew, is no later than who jumps once after that.
    @Test func ofManyJumpsAndOneTheLaterEditIsLater() {
        let hour = 3_600.0
        let jumps = (0..<20).reduce(UInt64(3)) { counter, number in
            SyncInstallation.leap(over: counter, at: .init(timeIntervalSinceReferenceDate: 800_000_000 + Double(number) * hour))
        }
        #expect(jumps + 1_000 < SyncInstallation.leap(over: 3, at: .init(timeIntervalSinceReferenceDate: 800_000_000 + 20 * hour)))
        let generation = 2 * SyncStamp.generationSize
        #expect(SyncInstallation.leap(over: generation + 3, at: .distantFuture) < generation + SyncStamp.generationSize)
    }

    @Test func whoHasHeardFromTheCounterpartGoesOnCounting() {
        var installation = Self.installation
        installation.counterparts = [.init(epoch: "watch", sequence: 1, content: 1)]
        #expect(
            installation.nextCounter(
                of: "theme", after: Self.record(3, by: "phone.ffeeddcc"), by: Self.phone, at: .init(timeIntervalSinceReferenceDate: 0)) == 4
        )
    }

    /// The counterpart is noted only when all of its first snapshot is applied.
    @Test func anEditWhileTheFirstSnapshotIsAppliedGoesOnCounting() throws {
        let device = SyncDevice(.phone, keys: SyncPair.keys)
        let ledger = device.router.sync.ledger
        let key = ThemeKey()
        let location = try StorageLocation(of: key)
        let theirs = SyncStamp(counter: 3, device: "watch.ffeeddcc")
        ledger.confirm(try ledger.announce(key, at: location, to: .bytes(Data([1])), origin: .sync(theirs)), of: key)
        #expect(try ledger.announce(key, at: location, to: .bytes(Data([2])), origin: .local).stamp.counter == 4)
        #expect(
            Self.installation.nextCounter(
                of: "theme", after: Self.record(3, by: "watch.ffeeddcc"), by: Self.phone, at: .init(timeIntervalSinceReferenceDate: 0),
                isHeard: true) == 4)
    }

    /// For every operation of a first synced set: after a crash there the folder of the installation is excluded from backups, if it holds one.
    @Test(arguments: [false, true]) func theInstallationIsInNoBackupAtAnyMoment(_ losesPower: Bool) async throws {
        var excluded = 0
        for operation in 1... {
            let device = SyncDevice(.phone, keys: SyncPair.keys)
            device.crash.arm(before: operation)
            try? await device.set("dark", for: ThemeKey())
            let isDone = device.crash.operations < operation
            let files = losesPower ? device.storage.afterPowerLoss(keepingPending: false).files : device.storage.files
            let folder = try files.path(of: .applicationSupport) + "/LocalData/Sync/Device"
            if let attributes = try files.attributes(of: folder), try files.list(folder).contains("installation.json") {
                #expect(attributes.isExcludedFromBackup, "operation \(operation)")
                excluded += 1
            }
            if isDone { break }
        }
        #expect(excluded > 0)
    }
}
