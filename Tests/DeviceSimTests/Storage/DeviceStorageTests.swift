import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimCore

@Suite struct DeviceStorageTests {
    private let bytes = Data("bytes".utf8)

    @Test func theContainersAreLaidOutLikeADevice() throws {
        let files = StorageRig().files
        let container = "/Containers/Data/Application/com.example.app"
        #expect(try files.path(of: .documents) == container + "/Documents")
        #expect(try files.path(of: .caches) == container + "/Library/Caches")
        #expect(try files.path(of: .applicationSupport) == container + "/Library/Application Support")
        #expect(try files.path(of: .temporary) == container + "/tmp")
        #expect(try files.path(of: .appGroup("group.x")) == "/Containers/Shared/AppGroup/group.x")
        for directory in [ContainerDirectory.documents, .caches, .temporary, .appGroup("group.x")] {
            #expect(try files.list(files.path(of: directory)) == [])
        }
        #expect(try files.attributes(of: files.path(of: .applicationSupport)) == nil, "apps make Application Support themselves")
        try files.createDirectory(at: files.path(of: .applicationSupport))
    }

    @Test(arguments: [
        "/", "/Containers", "/Containers/Data/Application", "/Containers/Data/Application/com.example.app", "/Containers/Shared/AppGroup",
        "/etc", "/Containers/Data/Application/com.other.app/Documents",
    ]) func theSandboxEndsAtTheContainers(_ path: String) throws {
        let files = StorageRig().files
        #expect(try errnoOf { _ = try files.createFile(at: path + "/file", protection: .none) } == EPERM)
        #expect(try errnoOf { try files.createDirectory(at: path + "/directory") } == EPERM)
        #expect(try errnoOf { _ = try files.list(path) } == EPERM)
        #expect(try errnoOf { _ = try files.contents(of: path + "/file") } == EPERM)
        #expect(try errnoOf { try files.removeFile(at: path + "/Documents") } == EPERM)
        #expect(try files.attributes(of: path + "/file") == nil)
        let documents = try files.path(of: .documents)
        #expect(try errnoOf { try files.rename(documents, to: path + "/x") } == EPERM)
        #expect(try errnoOf { _ = try files.contents(of: documents + "/../../../../../../etc/passwd") } == EPERM)
    }

    @Test func aGroupWithoutEntitlementHasNoContainer() throws {
        let rig = StorageRig()
        rig.storage.entitlements.appGroups = ["group.own"]
        _ = try rig.files.path(of: .appGroup("group.own"))
        for group in ["group.other", "", "..", "a/b"] {
            let error = #expect(throws: StorageError.self) { _ = try rig.files.path(of: .appGroup(group)) }
            #expect(error?.code == .unsupported)
        }
    }

    @Test func aDeadProcessReadsAndChangesNothing() throws {
        let rig = StorageRig()
        let old = rig.files
        let file = try old.createFile(at: rig.documents + "/open", protection: .none)
        let path = rig.documents + "/a"
        rig.relaunch(.crash)
        let count = rig.storage.operationCount
        let operations: [() throws -> Void] = [
            { try file.write(Data("late".utf8)) }, { try file.synchronize() }, { try file.close() },
            { _ = try old.path(of: .documents) }, { _ = try old.createFile(at: path, protection: .none) },
            { _ = try old.contents(of: path) }, { try old.rename(path, to: path) }, { try old.removeFile(at: path) },
            { try old.synchronizeDirectory(at: path) }, { try old.createDirectory(at: path) }, { _ = try old.list(path) },
            { _ = try old.attributes(of: path) }, { try old.setExcludedFromBackup(true, at: path) },
        ]
        for operation in operations { #expect(throws: ProcessEnded.self) { try operation() } }
        #expect(rig.storage.operationCount == count)
        #expect(try rig.files.list(rig.documents) == ["open"])
        #expect(try rig.files.contents(of: rig.documents + "/open") == Data())
    }

    @Test func aFullDiskTakesWhatFits() throws {
        let rig = StorageRig()
        rig.storage.setFreeSpace(8)
        let file = try rig.files.createFile(at: rig.documents + "/a", protection: .none)
        try file.write(bytes)
        #expect(try errnoOf { try file.write(bytes) } == ENOSPC)
        #expect(try rig.files.contents(of: rig.documents + "/a") == Data("bytesbyt".utf8))
        #expect(try errnoOf { _ = try rig.files.createFile(at: rig.documents + "/b", protection: .none) } == ENOSPC)
        #expect(try errnoOf { try rig.files.createDirectory(at: rig.documents + "/d") } == ENOSPC)
        try rig.files.removeFile(at: rig.documents + "/a")
        #expect(rig.storage.freeSpace == 8)
        try rig.files.put(bytes, at: rig.documents + "/b")
        try rig.files.put(Data("x".utf8), at: rig.documents + "/c")
        try rig.files.rename(rig.documents + "/c", to: rig.documents + "/b")
        #expect(rig.storage.freeSpace == 7, "what is replaced makes room")
        rig.losePower()
        #expect(rig.storage.freeSpace == 8)
        rig.storage.setFreeSpace(nil)
        try rig.files.put(Data(count: 100), at: rig.documents + "/d")
    }

    @Test func cachesArePurgedWithoutTheAppTemporaryFilesAnyTime() throws {
        let rig = StorageRig()
        let directories = try [ContainerDirectory.documents, .caches, .temporary, .appGroup("group.x")].map { try rig.files.path(of: $0) }
        for directory in directories {
            try rig.files.createDirectory(at: directory + "/inner")
            try rig.files.replaceDurably(directory + "/inner/a", with: bytes)
        }
        #expect(rig.storage.purgeCaches() == 1)
        #expect(try directories.map { try rig.files.list($0) } == [["inner"], ["inner"], [], ["inner"]])
        rig.end()
        #expect(rig.storage.purgeCaches() == 1)
        rig.start()
        #expect(try directories.map { try rig.files.list($0) } == [["inner"], [], [], ["inner"]])
        rig.losePower()
        #expect(try rig.files.list(directories[1]) == [], "a purge is durable")
        #expect(rig.storage.purgeCaches() == 0)
    }

    @Test func uninstallingTakesTheContainersAndTheNextPathIsAnother() throws {
        let rig = StorageRig()
        rig.storage.appGroupsOfOtherApps = ["group.shared"]
        let old = try rig.files.path(of: .documents)
        try rig.files.replaceDurably(old + "/a", with: bytes)
        for group in ["group.own", "group.shared"] {
            try rig.files.replaceDurably(rig.files.path(of: .appGroup(group)) + "/a", with: bytes)
        }
        rig.end()
        rig.storage.uninstallApp()
        rig.start()
        let new = try rig.files.path(of: .documents)
        #expect(new == "/Containers/Data/Application/com.example.app-2/Documents")
        #expect(try rig.files.list(new) == [])
        #expect(try errnoOf { _ = try rig.files.contents(of: old + "/a") } == EPERM)
        #expect(try rig.storage.storedFiles().map(\.path) == ["AppGroup/group.shared/a"])
        rig.losePower()
        #expect(try rig.storage.storedFiles().map(\.path) == ["AppGroup/group.shared/a"])
    }

    @Test func whatLiesOnTheDeviceCanBeLookedAt() throws {
        let rig = StorageRig()
        try rig.files.put(Data("a secret here".utf8), at: rig.documents + "/a", protection: .complete)
        try rig.files.replaceDurably(rig.files.path(of: .appGroup("group.x")) + "/b", with: Data("b".utf8))
        try rig.defaults.set(.dictionary(["inner": .string("secret")]), forKey: "k", in: .standard)
        #expect(rig.keychain.add(KeychainItem(service: "s", account: "a", data: Data("secret".utf8))) == .success)
        rig.lock()
        let count = rig.storage.operationCount
        #expect(try rig.storage.storedFiles().map(\.path) == ["Documents/a", "AppGroup/group.x/b"])
        #expect(try rig.storage.storedFiles().map(\.isSynchronized) == [false, true])
        #expect(try rig.storage.storedBytes(ofFile: "AppGroup/group.x/b") == Data("b".utf8))
        #expect(try rig.storage.storedBytes(ofFile: "Documents/missing") == nil)
        #expect(
            try rig.storage.places(containing: Data("secret".utf8)) == [
                "file Documents/a", "preference com.example.app k", "keychain s/a",
            ])
        #expect(try rig.storage.places(containing: Data("nowhere".utf8)) == [])
        #expect(rig.storage.operationCount == count)
    }

    @Test func lookingFromOutsideTheAppCountsAsNothing() throws {
        let rig = StorageRig()
        rig.storage.faults.add(StorageFault(StorageOperation.all, isPermanent: true, failure: .errno(EIO)))
        let outside = ProcessLife(device: .phone, number: 0, startedBeforeFirstUnlock: false)
        #expect(try rig.storage.fileSystem(for: outside).list(rig.documents) == [])
        #expect(rig.storage.operationCount == 0)
        #expect(rig.recorder.trace.events.isEmpty)
    }

    @Test func aForeignThreadIsRefusedAndReported() throws {
        let rig = StorageRig()
        let files = rig.files
        let documents = rig.documents
        let outcome = Outcome()
        rig.scheduler.enqueue {
            let thread = Thread {
                outcome.code = (try? files.list(documents)) == nil ? "refused" : "allowed"
                outcome.done.signal()
            }
            thread.start()
            outcome.done.wait()
        }
        rig.scheduler.runReady()
        #expect(outcome.code == "refused")
        rig.scheduler.runReady()
        #expect(rig.scheduler.escapes == ["phone storage: directory.list"])
    }

    private final class Outcome: @unchecked Sendable {
        let done = DispatchSemaphore(value: 0)
        var code = ""
    }

    @Test(arguments: [false, true]) func aFinishedStorageIsFreed(_ isReal: Bool) throws {
        let scratch = isReal ? try ScratchFolder() : nil
        weak var storage: DeviceStorage?
        weak var disk: MemoryDisk?
        weak var root: DiskNode?
        do {
            let rig = StorageRig(scratch.map { .directory($0.url) } ?? .memory)
            storage = rig.storage
            disk = rig.storage.disk
            root = rig.storage.disk.root
            try rig.files.createDirectory(at: rig.documents + "/d")
            try rig.files.put(bytes, at: rig.documents + "/d/a")
            try rig.files.rename(rig.documents + "/d/a", to: rig.documents + "/b")
            try rig.defaults.set(.integer(1), forKey: "a", in: .standard)
            _ = rig.keychain.add(KeychainItem(service: "s", account: "a", data: bytes))
            rig.losePower(.seeded(SeededGenerator(seed: 3)))
            try rig.files.put(bytes, at: rig.documents + "/pending")
        }
        #expect(storage == nil)
        #expect(disk == nil)
        #expect(root == nil)
    }
}
