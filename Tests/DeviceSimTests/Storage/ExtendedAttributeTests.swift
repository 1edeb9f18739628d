import DeviceSim
import Foundation
import LocalData
import Testing

@testable import DeviceSimCore

/// Extended attributes of simulated files: part of the file, and as durable as its bytes.
@Suite struct ExtendedAttributeTests {
    private let name = "com.localdata.version"
    private let note = Data("note".utf8)

    private func put(_ path: String, on rig: StorageRig, synchronizes: Bool = true) throws {
        let file = try rig.files.createFile(at: path + ".new", protection: .none)
        try file.write(Data("value".utf8))
        try file.setExtendedAttribute(note, named: name)
        if synchronizes { try file.synchronize() }
        try file.close()
        try rig.files.rename(path + ".new", to: path)
        try rig.files.synchronizeDirectory(at: rig.documents)
    }

    @Test func theyGoWithTheFile() throws {
        let rig = StorageRig()
        try put(rig.documents + "/a", on: rig)
        #expect(try rig.files.extendedAttribute(name, of: rig.documents + "/a") == note)
        #expect(try rig.files.extendedAttribute("other", of: rig.documents + "/a") == nil)
        try rig.files.replaceDurably(rig.documents + "/a", with: note)
        #expect(try rig.files.extendedAttribute(name, of: rig.documents + "/a") == nil)
        #expect(try errnoOf { _ = try rig.files.extendedAttribute(name, of: rig.documents + "/b") } == ENOENT)
    }

    @Test func aPowerLossTakesThoseThatWereNotSynchronized() throws {
        let rig = StorageRig()
        try put(rig.documents + "/kept", on: rig)
        try put(rig.documents + "/lost", on: rig, synchronizes: false)
        rig.losePower()
        #expect(try rig.files.extendedAttribute(name, of: rig.documents + "/kept") == note)
        #expect(try rig.files.extendedAttribute(name, of: rig.documents + "/lost") == nil)
    }

    @Test func aBackupHoldsThem() throws {
        let rig = StorageRig()
        try put(rig.documents + "/a", on: rig)
        let backup = try rig.storage.makeBackup()
        try rig.files.removeFile(at: rig.documents + "/a")
        try rig.storage.restore(backup) { _ in true }
        let documents = try rig.files.path(of: .documents)
        #expect(try rig.files.extendedAttribute(name, of: documents + "/a") == note)
    }

    @Test func theRecordBesideRealFilesHoldsThem() throws {
        var record = DeviceRecord()
        record.files["/a"] = .init(protection: .none, isExcludedFromBackup: false, extendedAttributes: [name: note])
        record.files["/b"] = .init(protection: .none, isExcludedFromBackup: true)
        #expect(try DeviceRecord(encoded: record.encoded()) == record)
    }
}
