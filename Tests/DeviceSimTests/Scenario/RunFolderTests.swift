import DeviceSim
import Foundation
import Testing

@testable import DeviceSimLanguage
@testable import DeviceSimRunner

/// The folders that `pairsim run --roots DIR` makes and empties.
@Suite struct RunFolderTests {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent("scenario-folder-\(UUID().uuidString)")

    private func folder(_ name: String = "sync/theme.scenario") -> RunFolder { RunFolder(of: name, below: root) }

    private func write(_ text: String, to name: String, in folder: RunFolder) throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
    }

    private func names(in folder: RunFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test func itsOwnIsEmptied() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try folder().prepare()
        let phone = folder().url.appendingPathComponent("phone")
        try FileManager.default.createDirectory(at: phone, withIntermediateDirectories: true)
        try write("old", to: "phone/device.plist", in: folder())
        folder().noteEnd()
        try folder().prepare()
        #expect(try names(in: folder()) == [RunFolder.markerName])
    }

    /// What somebody put beside the devices' folders, into a folder that is pairsim's.
    @Test func foreignFilesBesideItsOwnStay() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try folder().prepare()
        try write("seen on Monday", to: "notes.txt", in: folder())
        let refusal = #expect(throws: RunFolder.Refusal.self) { try folder().prepare() }
        #expect(refusal?.description.contains("has 'notes.txt', which pairsim did not put there") == true)
        #expect(try names(in: folder()) == ["notes.txt", RunFolder.markerName])
    }

    /// What somebody put into the folder of a device, and what a run left that was killed.
    @Test func foreignFilesAmongTheDevicesFilesStay() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try folder().prepare()
        let documents = folder().url.appendingPathComponent("phone/Documents")
        try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
        try write("x", to: "phone/Documents/theme", in: folder())
        let killed = #expect(throws: RunFolder.Refusal.self) { try folder().prepare() }
        #expect(killed?.description.contains("did not come to its end") == true)
        folder().noteEnd()
        try write("seen on Monday", to: "phone/Documents/notes.txt", in: folder())
        let refusal = #expect(throws: RunFolder.Refusal.self) { try folder().prepare() }
        #expect(refusal?.description.contains("has 'phone/Documents/notes.txt', which pairsim did not put there") == true)
        #expect(FileManager.default.contents(atPath: documents.path + "/notes.txt") == Data("seen on Monday".utf8))
        try FileManager.default.removeItem(at: documents.appendingPathComponent("notes.txt"))
        try folder().prepare()
        #expect(try names(in: folder()) == [RunFolder.markerName])
    }

    /// Between two runs of one scenario everything goes but the folders that its devices begin with.
    @Test func anotherRunFindsWhatTheFirstOneBeganWith() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let files = FileManager.default
        var folder = folder()
        try folder.prepare()
        try files.createDirectory(at: folder.url.appendingPathComponent("phone/Documents"), withIntermediateDirectories: true)
        folder.noteStartFolders()
        try files.createDirectory(at: folder.url.appendingPathComponent("phone/Documents/notes"), withIntermediateDirectories: true)
        for name in ["phone/Documents/theme", "phone/Documents/notes/one", "phone/device.plist"] { try write("x", to: name, in: folder) }
        try files.createSymbolicLink(at: folder.url.appendingPathComponent("phone/link"), withDestinationURL: root)
        try folder.prepareAgain()
        let left = try #require(files.subpaths(atPath: folder.url.path)).sorted()
        #expect(left == [RunFolder.markerName, "phone", "phone/Documents"])
    }

    /// Its devices have what the app is installed with, as devices in memory do.
    @Test(arguments: [true, false]) func groupsNamedByTheirPathsAreThereFromTheStart(isReal: Bool) throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let source = """
            # A value in a group's container, which the app knows by its path alone.

            key note: String
                domain    fileSystem custom "/Containers/Shared/AppGroup/group.com.example/Documents"
                security  none

            phone set note "first"
            phone relaunch
            expect phone note "first"

            """
        let scenario = try #require(ScenarioCompiler.compile(path: "note", files: .memory(["note": source])).scenarios.first)
        var options = RunOptions()
        options.root = isReal ? root : nil
        let outcome = ScenarioRunner.run(scenario, options: options).outcome
        guard case .passed = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test func anEmptyOneIsTaken() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try FileManager.default.createDirectory(at: folder().url, withIntermediateDirectories: true)
        try folder().prepare()
        #expect(try names(in: folder()) == [RunFolder.markerName])
    }

    @Test func foreignFilesStay() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try write("a thesis", to: "thesis.txt", in: folder())
        let refusal = #expect(throws: RunFolder.Refusal.self) { try folder().prepare() }
        #expect(refusal?.description.contains("name another folder with --roots") == true)
        #expect(try names(in: folder()) == ["thesis.txt"])
    }

    @Test func anotherScenariosFilesStay() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try folder().prepare()
        let marker = folder().url.appendingPathComponent(RunFolder.markerName)
        let text = try String(contentsOf: marker, encoding: .utf8)
        try Data(text.replacingOccurrences(of: "theme", with: "other").utf8).write(to: marker)
        try write("kept", to: "device.plist", in: folder())
        #expect(throws: RunFolder.Refusal.self) { try folder().prepare() }
        #expect(try names(in: folder()) == ["device.plist", RunFolder.markerName])
    }

    @Test func aLinkAndAFileAreRefused() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let target = root.appendingPathComponent("target")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        try Data("kept".utf8).write(to: target.appendingPathComponent("file"))
        try FileManager.default.createSymbolicLink(at: folder().url, withDestinationURL: target)
        #expect(throws: RunFolder.Refusal.self) { try folder().prepare() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == ["file"])
        try FileManager.default.removeItem(at: folder().url)
        try Data("kept".utf8).write(to: folder().url)
        #expect(throws: RunFolder.Refusal.self) { try folder().prepare() }
        #expect(try Data(contentsOf: folder().url) == Data("kept".utf8))
    }

    @Test func theFoldersOfScenariosAreApart() {
        let long = String(repeating: "a", count: 300)
        let names = [
            "x/y", "x-y", "x y", "x+y", "x%2By", "x/y.scenario", "x-y.scenario", "x y.scenario", "x.scenario", "x", "x.scenario[1]", "x[1]",
            "x[1].scenario", "./x", "../x", ".x", "/x", "ä", "a\u{308}", long, long + "b", long + "b.scenario", "",
        ]
        let folders = names.map { RunFolder.name(for: $0) }
        #expect(Set(folders).count == names.count)
        for folder in folders {
            #expect(!folder.contains("/") && !folder.hasPrefix(".") && !folder.isEmpty && folder.utf8.count <= 200)
        }
        #expect(RunFolder.name(for: "Scenarios/sync/chosen-out-of-range.scenario") == "Scenarios+sync+chosen-out-of-range")
    }
}
