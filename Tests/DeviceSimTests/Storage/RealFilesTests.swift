import DeviceSim
import Foundation
import LocalData
import Testing

/// A simulated device with real files: what lies there, and what becomes of files that somebody else put or damaged.
@Suite struct RealFilesTests {
    private let scratch: ScratchFolder
    private let rig: StorageRig
    private let application = "Containers/Data/Application/com.example.app"

    init() throws {
        scratch = try ScratchFolder()
        rig = StorageRig(.directory(scratch.url))
    }

    private func real(_ path: String) -> URL { scratch.url.appendingPathComponent(path) }

    @Test func theFolderLooksLikeADevice() throws {
        for directory in ["Documents", "Library/Caches", "Library/Preferences", "tmp"] {
            var isDirectory: ObjCBool = false
            #expect(FileManager.default.fileExists(atPath: real(application + "/" + directory).path, isDirectory: &isDirectory))
            #expect(isDirectory.boolValue)
        }
        try rig.files.replaceDurably(rig.documents + "/note", with: Data("hello".utf8))
        #expect(try Data(contentsOf: real(application + "/Documents/note")) == Data("hello".utf8))
        try rig.files.put(Data("g".utf8), at: rig.files.path(of: .appGroup("group.x")) + "/a")
        #expect(try Data(contentsOf: real("Containers/Shared/AppGroup/group.x/a")) == Data("g".utf8))
    }

    @Test func preferencesAndKeychainOpenWithOrdinaryTools() throws {
        try rig.defaults.set(.string("dark"), forKey: "theme", in: .standard)
        try rig.defaults.set(.bool(true), forKey: "on", in: .appGroup("group.x"))
        func plist(_ path: String) throws -> [String: Any]? {
            try PropertyListSerialization.propertyList(from: Data(contentsOf: real(path)), format: nil) as? [String: Any]
        }
        #expect(try plist(application + "/Library/Preferences/com.example.app.plist")?["theme"] as? String == "dark")
        #expect(try plist("Containers/Shared/AppGroup/group.x/Library/Preferences/group.x.plist")?["on"] as? Bool == true)
        let item = KeychainItem(
            service: "s", account: "a", data: Data("secret".utf8), generic: Data([1]), accessibility: .afterFirstUnlock,
            accessControl: .biometryCurrentSet)
        #expect(rig.keychain.add(item) == .success)
        #expect(try plist("Keychains/keychain.plist")?["version"] as? Int == 1)
        let plain = FileKeychainStore(file: real("Keychains/keychain.plist").path)
        #expect(plain.matches(KeychainQuery()) == [item], "LocalData's own file keychain reads it")
    }

    @Test func anotherRunFindsWhatIsThere() throws {
        rig.state.editBiometry()
        try rig.files.replaceDurably(rig.documents + "/a", with: Data("x".utf8), protection: .complete)
        try rig.files.setExcludedFromBackup(true, at: rig.documents + "/a")
        try rig.files.createDirectory(at: rig.documents + "/d")
        try rig.files.setExcludedFromBackup(true, at: rig.documents + "/d")
        try rig.defaults.set(.integer(7), forKey: "k", in: .standard)
        let item = KeychainItem(service: "s", account: "a", data: Data("x".utf8), accessControl: .biometryCurrentSet)
        #expect(rig.keychain.add(item) == .success)
        let second = StorageRig(.directory(scratch.url))
        #expect(try second.files.contents(of: rig.documents + "/a") == Data("x".utf8))
        #expect(try second.files.attributes(of: rig.documents + "/a")?.protection == .complete)
        #expect(try second.files.attributes(of: rig.documents + "/a")?.isExcludedFromBackup == true)
        #expect(try second.files.attributes(of: rig.documents + "/d")?.isExcludedFromBackup == true)
        #expect(try second.defaults.value(forKey: "k", in: .standard) == .integer(7))
        second.state.editBiometry()
        var told = item
        told.accessControl = nil
        #expect(second.keychain.matches(KeychainQuery()) == [told])
        second.state.editBiometry()
        #expect(second.keychain.copyMatching(KeychainQuery()).status == .authFailed)
        second.lock()
        #expect(try errnoOf { _ = try second.files.contents(of: rig.documents + "/a") } == EPERM)
    }

    @Test func aReinstalledAppIsRemembered() throws {
        rig.end()
        rig.storage.uninstallApp()
        rig.start()
        let path = try rig.files.path(of: .documents)
        let second = StorageRig(.directory(scratch.url))
        #expect(try second.files.path(of: .documents) == path)
        #expect(path.hasSuffix("com.example.app-2/Documents"))
        #expect(!FileManager.default.fileExists(atPath: real(application).path))
    }

    @Test func foreignFilesAreSeen() throws {
        try Data("foreign".utf8).write(to: real(application + "/Documents/foreign"))
        try FileManager.default.createDirectory(at: real(application + "/Documents/folder"), withIntermediateDirectories: true)
        try Data("deep".utf8).write(to: real(application + "/Documents/folder/deep"))
        #expect(try rig.files.list(rig.documents) == ["folder", "foreign"])
        #expect(try rig.files.contents(of: rig.documents + "/foreign") == Data("foreign".utf8))
        #expect(try rig.files.attributes(of: rig.documents + "/foreign")?.size == 7)
        #expect(try rig.files.contents(of: rig.documents + "/folder/deep") == Data("deep".utf8))
        #expect(try errnoOf { _ = try rig.files.createFile(at: rig.documents + "/foreign", protection: .none) } == EEXIST)
        rig.losePower()
        #expect(try rig.files.contents(of: rig.documents + "/foreign") == Data("foreign".utf8), "nobody's file is lost")
    }

    @Test func changesFromOutsideAreSeen() throws {
        try rig.files.replaceDurably(rig.documents + "/a", with: Data("original".utf8))
        try Data("cut".utf8).write(to: real(application + "/Documents/a"))
        #expect(try rig.files.attributes(of: rig.documents + "/a")?.size == 3)
        #expect(try rig.files.contents(of: rig.documents + "/a") == Data("cut".utf8))
        try FileManager.default.removeItem(at: real(application + "/Documents/a"))
        #expect(try errnoOf { _ = try rig.files.contents(of: rig.documents + "/a") } == ENOENT)
        #expect(try rig.files.list(rig.documents) == [])
    }

    @Test func aForeignFileThatIsReplacedComesBackWithAPowerLoss() throws {
        try Data("foreign".utf8).write(to: real(application + "/Documents/a"))
        try rig.files.put(Data("new".utf8), at: rig.documents + "/b")
        try rig.files.rename(rig.documents + "/b", to: rig.documents + "/a")
        rig.losePower()
        #expect(try rig.files.list(rig.documents) == ["a"])
        #expect(try Data(contentsOf: real(application + "/Documents/a")) == Data("foreign".utf8))
    }

    @Test func linksAndPipesAreNotFollowed() throws {
        try Data("outside".utf8).write(to: real("outside"))
        try FileManager.default.createSymbolicLink(at: real(application + "/Documents/link"), withDestinationURL: real("outside"))
        try FileManager.default.createSymbolicLink(at: real(application + "/Documents/up"), withDestinationURL: scratch.url)
        #expect(mkfifo(real(application + "/Documents/pipe").path, 0o600) == 0)
        #expect(try rig.files.list(rig.documents) == ["link", "pipe", "up"])
        #expect(try errnoOf { _ = try rig.files.contents(of: rig.documents + "/link") } == ELOOP)
        #expect(try errnoOf { _ = try rig.files.contents(of: rig.documents + "/pipe") } == EINVAL)
        // A link leads to a path of the device, where there is nothing, and never out of the device's folder.
        #expect(try errnoOf { _ = try rig.files.contents(of: rig.documents + "/up/outside") } == ENOENT)
        try rig.files.removeFile(at: rig.documents + "/link")
        rig.end()
        rig.storage.uninstallApp()
        #expect(try Data(contentsOf: real("outside")) == Data("outside".utf8))
    }

    @Test(arguments: ["", "bplist00", "not a property list", "{ a = 1; }", "<plist><array/></plist>"])
    func damagedPreferencesAreAnErrorAndStay(_ text: String) throws {
        let file = real(application + "/Library/Preferences/com.example.app.plist")
        try Data(text.utf8).write(to: file)
        for operation in [
            { _ = try rig.defaults.value(forKey: "a", in: .standard) }, { _ = try rig.defaults.keys(in: .standard) },
            { try rig.defaults.set(.integer(1), forKey: "a", in: .standard) }, { try rig.defaults.synchronize(.standard) },
        ] as [() throws -> Void] {
            let error = #expect(throws: StorageError.self) { try operation() }
            #expect(error?.code == .corrupt)
        }
        #expect(try Data(contentsOf: file) == Data(text.utf8))
        try FileManager.default.removeItem(at: file)
        try rig.defaults.set(.integer(1), forKey: "a", in: .standard)
        #expect(try rig.defaults.value(forKey: "a", in: .standard) == .integer(1))
    }

    @Test func preferencesChangedFromOutsideAreSeen() throws {
        try rig.defaults.set(.integer(1), forKey: "a", in: .standard)
        let file = real(application + "/Library/Preferences/com.example.app.plist")
        try PropertyListValue.dictionary(["b": .integer(2)]).encoded(as: .xml).write(to: file)
        #expect(try rig.defaults.keys(in: .standard) == ["b"])
        #expect(try rig.storage.storedPreferences().map(\.key) == ["b"])
    }

    @Test(arguments: ["", "bplist00", "garbage", "<plist><dict/></plist>"]) func aDamagedKeychainIsAnErrorAndStays(_ text: String) throws {
        let item = KeychainItem(service: "s", account: "a", data: Data("x".utf8))
        #expect(rig.keychain.add(item) == .success)
        let file = real("Keychains/keychain.plist")
        let intact = try Data(contentsOf: file)
        try Data(text.utf8).write(to: file)
        #expect(rig.keychain.copyMatching(KeychainQuery()).status == .decode)
        #expect(rig.keychain.add(KeychainItem(service: "s", account: "b", data: Data())) == .decode)
        #expect(rig.keychain.update(KeychainQuery(), to: KeychainChange(data: Data())) == .decode)
        #expect(rig.keychain.delete(KeychainQuery()) == .decode)
        #expect(try Data(contentsOf: file) == Data(text.utf8))
        try intact.write(to: file)
        #expect(rig.keychain.matches(KeychainQuery()) == [item])
    }

    @Test(arguments: ["", "garbage", "<plist><dict><key>version</key><integer>2</integer></dict></plist>"])
    func aDamagedRecordIsAnErrorAndStays(_ text: String) throws {
        try Data(text.utf8).write(to: real("device.plist"))
        let second = StorageRig(.directory(scratch.url))
        for _ in 0..<2 {
            #expect(throws: StorageError.self) { _ = try second.files.list(rig.documents) }
            #expect(throws: StorageError.self) { _ = try second.files.path(of: .documents) }
        }
        #expect(second.keychain.copyMatching(KeychainQuery()).status == .decode)
        #expect(try Data(contentsOf: real("device.plist")) == Data(text.utf8))
    }

    @Test func aFolderThatCannotBeIsAnErrorOfTheFirstOperation() throws {
        try Data().write(to: real("file"))
        let second = StorageRig(.directory(real("file/device")))
        #expect(try errnoOf { _ = try second.files.list(rig.documents) } == ENOTDIR)
        #expect(second.keychain.copyMatching(KeychainQuery()).status == .inputOutput)
    }

    @Test func aRealHandleIsClosedWithTheProcess() throws {
        var file: (any WritableFile)? = try rig.files.createFile(at: rig.documents + "/a", protection: .none)
        try file?.write(Data("x".utf8))
        rig.relaunch(.crash)
        #expect(throws: ProcessEnded.self) { try file?.write(Data("y".utf8)) }
        file = nil
        #expect(try rig.files.contents(of: rig.documents + "/a") == Data("x".utf8))
    }
}
