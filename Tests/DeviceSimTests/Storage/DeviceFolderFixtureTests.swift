import DeviceSim
import Foundation
import LocalData
import Testing

/// The folder of a device with real files, as version 1 left it, is read for ever: see `PersistedFormat` in LocalData's tests for what lies in it.
@Suite struct DeviceFolderFixtureTests {
    private static let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/Version1/device")

    private static let item = KeychainItem(
        service: "s", account: "a", data: Data("x".utf8), generic: Data([1]), accessibility: .afterFirstUnlock,
        accessControl: .biometryCurrentSet)

    /// What made the fixture: by every kind of thing that lies in such a folder.
    private static func fill(_ rig: StorageRig) throws {
        rig.end()
        rig.storage.uninstallApp()
        rig.start()
        rig.state.editBiometry()
        let documents = try rig.files.path(of: .documents)
        try rig.files.replaceDurably(documents + "/secret", with: Data("sealed".utf8), protection: .complete)
        try rig.files.setExcludedFromBackup(true, at: documents + "/secret")
        try rig.files.replaceDurably(rig.files.path(of: .appGroup("group.x")) + "/shared", with: Data("shared".utf8))
        try rig.defaults.set(.string("dark"), forKey: "theme", in: .standard)
        try rig.defaults.set(.integer(7), forKey: "count", in: .appGroup("group.x"))
        try rig.defaults.synchronize(.standard)
        try rig.defaults.synchronize(.appGroup("group.x"))
        _ = rig.keychain.add(item)
    }

    @Test func aFolderOfVersion1IsADevice() throws {
        let scratch = try ScratchFolder()
        let folder = scratch.url.appendingPathComponent("device")
        try FileManager.default.copyItem(at: Self.fixture, to: folder)
        let rig = StorageRig(.directory(folder))
        rig.state.editBiometry()
        let documents = try rig.files.path(of: .documents)
        #expect(documents.hasSuffix("com.example.app-2/Documents"))
        #expect(try rig.files.contents(of: documents + "/secret") == Data("sealed".utf8))
        #expect(try rig.files.attributes(of: documents + "/secret")?.protection == .complete)
        #expect(try rig.files.attributes(of: documents + "/secret")?.isExcludedFromBackup == true)
        #expect(try rig.files.contents(of: rig.files.path(of: .appGroup("group.x")) + "/shared") == Data("shared".utf8))
        #expect(try rig.defaults.value(forKey: "theme", in: .standard) == .string("dark"))
        #expect(try rig.defaults.value(forKey: "count", in: .appGroup("group.x")) == .integer(7))
        var told = Self.item
        told.accessControl = nil
        #expect(rig.keychain.matches(KeychainQuery()) == [told], "no query tells what an item is bound to")
        rig.state.editBiometry()
        #expect(rig.keychain.copyMatching(KeychainQuery()).status == .authFailed)
    }

    /// With `LOCALDATA_WRITE_FIXTURES` set, writes the fixture if it is missing. It is never written anew.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["LOCALDATA_WRITE_FIXTURES"] != nil)) func missingFixturesAreWritten() throws {
        guard !FileManager.default.fileExists(atPath: Self.fixture.path) else { return }
        try FileManager.default.createDirectory(at: Self.fixture, withIntermediateDirectories: true)
        try Self.fill(StorageRig(.directory(Self.fixture)))
        Issue.record("written: \(Self.fixture.lastPathComponent)")
    }
}
