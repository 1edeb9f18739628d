import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimCore

@Suite struct SimulatedPreferencesTests {
    @Test func aCrashKeepsWhatWasSet() throws {
        let rig = StorageRig()
        try rig.defaults.set(.integer(1), forKey: "a", in: .standard)
        rig.relaunch(.crash)
        #expect(try rig.defaults.value(forKey: "a", in: .standard) == .integer(1))
    }

    @Test(arguments: 0...5) func aPowerLossKeepsAPrefixOfTheRecentSets(_ kept: Int) throws {
        let rig = StorageRig()
        try rig.defaults.set(.integer(0), forKey: "a", in: .standard)
        try rig.defaults.set(.integer(0), forKey: "gone", in: .standard)
        try rig.defaults.synchronize(.standard)
        try rig.defaults.set(.integer(1), forKey: "a", in: .standard)
        try rig.defaults.set(.integer(2), forKey: "b", in: .standard)
        try rig.defaults.set(nil, forKey: "gone", in: .standard)
        try rig.defaults.set(.integer(3), forKey: "a", in: .standard)
        try rig.defaults.set(.integer(4), forKey: "c", in: .standard)
        rig.losePower(
            PowerLossPolicy { item in
                #expect(item == .preferences(suite: "com.example.app", count: 5))
                return .torn(count: kept)
            })
        let found = try ["a", "b", "c", "gone"].map { try rig.defaults.value(forKey: $0, in: .standard) }
        let expected: [[PropertyListValue?]] = [
            [.integer(0), nil, nil, .integer(0)], [.integer(1), nil, nil, .integer(0)], [.integer(1), .integer(2), nil, .integer(0)],
            [.integer(1), .integer(2), nil, nil], [.integer(3), .integer(2), nil, nil], [.integer(3), .integer(2), .integer(4), nil],
        ]
        #expect(found == expected[kept])
    }

    @Test func byDefaultAPowerLossTakesAllRecentSets() throws {
        let rig = StorageRig()
        try rig.defaults.set(.integer(1), forKey: "a", in: .standard)
        try rig.defaults.synchronize(.standard)
        try rig.defaults.set(.integer(2), forKey: "a", in: .standard)
        rig.end(.crash)
        rig.storage.powerLoss()
        rig.start()
        #expect(try rig.defaults.value(forKey: "a", in: .standard) == .integer(1))
    }

    @Test func anOrderlyShutdownKeepsAll() throws {
        let rig = StorageRig()
        try rig.defaults.set(.integer(1), forKey: "a", in: .standard)
        rig.restart()
        rig.unlock()
        rig.losePower()
        #expect(try rig.defaults.value(forKey: "a", in: .standard) == .integer(1))
    }

    @Test func suitesLosePowerEachForItself() throws {
        let rig = StorageRig()
        try rig.defaults.set(.integer(1), forKey: "a", in: .standard)
        try rig.defaults.set(.integer(1), forKey: "a", in: .named("other"))
        try rig.defaults.synchronize(.named("other"))
        rig.losePower()
        #expect(try rig.defaults.value(forKey: "a", in: .standard) == nil)
        #expect(try rig.defaults.value(forKey: "a", in: .named("other")) == .integer(1))
    }

    @Test func aProcessStartedBeforeFirstUnlockStaysBlind() throws {
        let rig = StorageRig()
        try rig.defaults.set(.string("stored"), forKey: "a", in: .standard)
        rig.restart()
        let blind = rig.defaults
        #expect(!blind.isReadable(.standard))
        #expect(try blind.value(forKey: "a", in: .standard) == nil)
        #expect(try blind.keys(in: .standard) == [])
        rig.unlock()
        #expect(!blind.isReadable(.standard), "the empty snapshot stays")
        #expect(try blind.value(forKey: "a", in: .standard) == nil)
        try blind.set(.string("believed absent"), forKey: "a", in: .standard)
        #expect(try blind.value(forKey: "a", in: .standard) == .string("believed absent"))
        try blind.synchronize(.standard)
        rig.relaunch()
        #expect(rig.defaults.isReadable(.standard))
        #expect(try rig.defaults.value(forKey: "a", in: .standard) == .string("stored"), "what a blind process sets is lost with it")
    }

    @Test func aLockedDeviceReadsPreferences() throws {
        let rig = StorageRig()
        try rig.defaults.set(.integer(1), forKey: "a", in: .standard)
        rig.lock()
        rig.relaunch()
        #expect(rig.defaults.isReadable(.standard))
        #expect(try rig.defaults.value(forKey: "a", in: .standard) == .integer(1))
    }

    @Test func aSuiteNamedLikeAGroupIsTheGroups() throws {
        let rig = StorageRig()
        try rig.defaults.set(.integer(1), forKey: "a", in: .appGroup("group.com.example"))
        #expect(try rig.defaults.value(forKey: "a", in: .named("group.com.example")) == .integer(1))
        rig.storage.entitlements.appGroups = []
        #expect(try rig.defaults.value(forKey: "a", in: .named("group.com.example")) == nil)
        #expect(throws: StorageError.self) { try rig.defaults.value(forKey: "a", in: .appGroup("group.com.example")) }
    }

    @Test func uninstallingTakesSuitesAndGroupsThatNoOtherAppHas() throws {
        let rig = StorageRig()
        rig.storage.appGroupsOfOtherApps = ["group.shared"]
        for suite in [DefaultsSuite.standard, .named("other"), .appGroup("group.own"), .appGroup("group.shared")] {
            try rig.defaults.set(.integer(1), forKey: "a", in: suite)
        }
        rig.end()
        rig.storage.uninstallApp()
        rig.start()
        #expect(try rig.storage.storedPreferences().map(\.suite) == [.appGroup("group.shared")])
    }

    @Test func aFullDiskKeepsSetsInMemory() throws {
        let rig = StorageRig()
        rig.storage.setFreeSpace(0)
        try rig.defaults.set(.integer(1), forKey: "a", in: .standard)
        #expect(try rig.defaults.value(forKey: "a", in: .standard) == .integer(1))
        #expect(try errnoOf { try rig.defaults.synchronize(.standard) } == ENOSPC)
        rig.restart()
        rig.unlock()
        rig.relaunch()
        #expect(try rig.defaults.value(forKey: "a", in: .standard) == nil, "not even an orderly shutdown finds room")
    }

    @Test func aDeadProcessReadsAndChangesNothing() throws {
        let rig = StorageRig()
        let old = rig.defaults
        rig.relaunch(.crash)
        #expect(!old.isReadable(.standard))
        #expect(throws: ProcessEnded.self) { try old.set(.integer(1), forKey: "a", in: .standard) }
        #expect(throws: ProcessEnded.self) { _ = try old.value(forKey: "a", in: .standard) }
        #expect(throws: ProcessEnded.self) { _ = try old.keys(in: .standard) }
        #expect(throws: ProcessEnded.self) { try old.synchronize(.standard) }
        #expect(try rig.defaults.keys(in: .standard) == [])
    }
}
