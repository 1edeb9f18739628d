import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimCore

/// Every cell of the specification's table of file protection, on a device in memory and on one with real files.
@Suite struct DataProtectionTableTests {
    @Test(arguments: StorageBackend.simulated, SpecificationTable.files.cells)
    func everyCellHolds(_ backend: StorageBackend, _ cell: SpecificationTable.Cell) throws {
        let scratch = backend == .memory ? nil : try ScratchFolder()
        let rig = StorageRig(scratch.map { .directory($0.url) } ?? .memory)
        let protection = try #require(FileProtection(rawValue: cell.row("(default)")))
        let path = rig.documents + "/file"
        let isAllowed = ["ok", "yes", "keeps working", "ok after first unlock"].contains(cell.value)
        try #require(isAllowed || ["EPERM", "EPERM if it exists", "no", "reads and writes begin to fail"].contains(cell.value))
        switch cell.column {
        case "before first unlock", "locked", "unlocked":
            try rig.files.put(Data("secret".utf8), at: path, protection: protection)
            if cell.column == "locked" { rig.lock() }
            if cell.column == "before first unlock" { rig.restart() }
            #expect(try errnoOf { _ = try rig.files.contents(of: path) } == (isAllowed ? nil : EPERM))
            try expectWhatNeedsNoKey(rig, path)
            if !isAllowed {
                rig.unlock()
                #expect(try rig.files.contents(of: rig.documents + "/moved") == Data("secret".utf8), "nothing was lost")
            }
        case "create while locked":
            rig.lock()
            #expect(try errnoOf { _ = try rig.files.createFile(at: path, protection: protection) } == (isAllowed ? nil : EPERM))
            #expect(try (rig.files.attributes(of: path) != nil) == isAllowed)
            guard cell.value == "ok after first unlock" else { return }
            rig.restart()
            #expect(try errnoOf { _ = try rig.files.createFile(at: path + "2", protection: protection) } == EPERM)
        case "handle open at lock":
            let file = try rig.files.createFile(at: path, protection: protection)
            try file.write(Data("1".utf8))
            rig.lock()
            #expect(try errnoOf { try file.write(Data("2".utf8)) } == (isAllowed ? nil : EPERM))
            // A file that is already there is opened anew for reading, which takes the key.
            if !isAllowed { #expect(try errnoOf { _ = try rig.files.contents(of: path) } == EPERM) }
            rig.unlock()
            #expect(try rig.files.contents(of: path) == Data(isAllowed ? "12".utf8 : "1".utf8))
        default: Issue.record("an unknown column")
        }
    }

    @Test(arguments: FileProtection.allCases) func creatingBeforeTheFirstUnlockTakesWhatCreatingTakes(_ protection: FileProtection) throws {
        let rig = StorageRig()
        rig.restart()
        let isAllowed = protection == .completeUnlessOpen || protection == .none
        #expect(try errnoOf { _ = try rig.files.createFile(at: rig.documents + "/a", protection: protection) } == (isAllowed ? nil : EPERM))
    }

    private func expectWhatNeedsNoKey(_ rig: StorageRig, _ path: String) throws {
        #expect(try rig.files.attributes(of: path)?.size == 6)
        #expect(try rig.files.list(rig.documents) == ["file"])
        try rig.files.rename(path, to: rig.documents + "/moved")
        #expect(try rig.files.list(rig.documents) == ["moved"])
    }

    @Test(arguments: FileProtection.allCases) func unlinkingNeedsNoKeyUnlessTheKnobSaysSo(_ protection: FileProtection) throws {
        for needsKey in [false, true] {
            var knobs = Knobs()
            knobs.unlinkNeedsClassKey = needsKey
            let rig = StorageRig(knobs: knobs)
            try rig.files.put(Data("x".utf8), at: rig.documents + "/a", protection: protection)
            rig.restart()
            let isRefused = needsKey && protection != .none
            #expect(try errnoOf { try rig.files.removeFile(at: rig.documents + "/a") } == (isRefused ? EPERM : nil))
        }
    }

    @Test func keysStayForTheGraceAfterLocking() throws {
        let rig = StorageRig(lockGrace: .seconds(10))
        try rig.files.put(Data("x".utf8), at: rig.documents + "/a", protection: .complete)
        rig.lock()
        rig.scheduler.advance(to: .start + .milliseconds(9_999))
        #expect(try rig.files.contents(of: rig.documents + "/a") == Data("x".utf8))
        rig.scheduler.advance(to: .start + .seconds(10))
        #expect(try errnoOf { _ = try rig.files.contents(of: rig.documents + "/a") } == EPERM)
        rig.unlock()
        #expect(try rig.files.contents(of: rig.documents + "/a") == Data("x".utf8))
    }

    @Test func withoutAPasscodeThereIsNoLock() throws {
        let rig = StorageRig()
        rig.state.hasPasscode = false
        rig.state.isLocked = true
        rig.state.wasUnlockedSinceBoot = false
        try rig.files.put(Data("x".utf8), at: rig.documents + "/a", protection: .complete)
        #expect(try rig.files.contents(of: rig.documents + "/a") == Data("x".utf8))
    }

    @Test func aReplacementHasTheClassOfTheNewFile() throws {
        let rig = StorageRig()
        try rig.files.put(Data("old".utf8), at: rig.documents + "/a", protection: .complete)
        try rig.files.replaceDurably(rig.documents + "/a", with: Data("new".utf8), protection: .none)
        rig.restart()
        #expect(try rig.files.contents(of: rig.documents + "/a") == Data("new".utf8))
    }
}
