import Foundation
import Testing

@testable import OneSourceTool

/// What a build finds in the folders of a made module, without a change to the package.
@Suite struct ModuleMakerTests {
    private let root: URL
    private let names = ["A.phone.swift", "B.phone.swift", "Added1.phone.swift", "Added2.phone.swift"]

    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("made-\(UUID().uuidString)", isDirectory: true)
        try write("Made.swift", "// OneSource: phone from App\n")
        try write("App/A.swift", "let a = 1\n")
        try write("App/B.swift", "let b = 1\n")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    }

    @Test func newAndRemovedFilesAreNoticed() throws {
        defer { remove() }
        #expect(try make() == [])
        #expect(try text("A.phone.swift").hasSuffix("let a = 1\n"))
        #expect(try text("Added1.phone.swift") == "// OneSource: no source is here.\n")
        try write("App/Deep/C.swift", "let c = 1\n")
        #expect(try make() == [])
        #expect(try text("Added1.phone.swift").hasSuffix("let c = 1\n"))
        try write("App/Deep/C.swift", "let c = 22\n")
        #expect(try make() == [])
        #expect(try text("Added1.phone.swift").hasSuffix("let c = 22\n"))
        try FileManager.default.removeItem(at: root.appendingPathComponent("App/A.swift"))
        #expect(try make() == [])
        #expect(try text("A.phone.swift") == "// OneSource: no source is here.\n")
        #expect(try text("B.phone.swift").hasSuffix("let b = 1\n"))
        // A folder that is named anew needs no plan either.
        try write("Link/D.swift", "let d = 1\n")
        try write("Made.swift", "// OneSource: phone from App, Link without App/Deep\n")
        #expect(try make() == [])
        #expect(try text("Added1.phone.swift").hasSuffix("let d = 1\n"))
    }

    @Test func whatDidNotChangeIsNotWritten() throws {
        defer { remove() }
        _ = try make()
        // Long ago: a disk's clock may tick so seldom that two writes have one date.
        let old = Date(timeIntervalSince1970: 1_000_000_000)
        for name in names { try setDate(old, of: name) }
        try write("App/B.swift", "let b = 1 // edited\n")
        _ = try make()
        #expect(try date(names[0]) == old && date(names[2]) == old)
        #expect(try date(names[1]) > old)
    }

    /// The mark is another file after each build, which is what has the commands run in the next.
    @Test func everyBuildLooksAgain() throws {
        defer { remove() }
        let mark = output.appendingPathComponent("Looked.docc")
        let end = output.appendingPathComponent("Looked.swift")
        _ = try make()
        for _ in 1...3 {
            let left = try String(contentsOf: mark, encoding: .utf8)
            try ModuleMaker.lookAgain(mark: mark, end: end)
            #expect(try String(contentsOf: mark, encoding: .utf8) != left)
            let ended = Date(timeIntervalSince1970: 1_000_000_000)
            try setDate(ended, of: "Looked.swift")
            _ = try make()
            #expect(try String(contentsOf: mark, encoding: .utf8) == left)
            #expect(try date("Looked.swift") == ended)
        }
    }

    @Test func everyMistakeIsNamedWithItsPlace() throws {
        defer { remove() }
        try write("App/A.swift", "import HealthKit\nlet a = HKUnit()\n")
        try write("App/B.swift", "\n#if os(iOS)\n")
        let lines = try make()
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("\(root.path)/App/A.swift:2:9: error: 'HKUnit' is of HealthKit") == true)
        #expect(lines.last == "\(root.path)/App/B.swift:2:1: error: this #if has no #endif")
        #expect(try make() == lines, "a build after an error says it again")
    }

    @Test func moreNewFilesThanPlacesAreAnError() throws {
        defer { remove() }
        for name in ["C", "D", "E"] { try write("App/\(name).swift", "") }
        let lines = try make()
        #expect(lines.count == 1 && lines[0].hasPrefix("\(root.path)/Made.swift:1:1: error: more files are new than"))
    }

    @Test func viewsAreLeftOutInAllFiles() throws {
        defer { remove() }
        try write("App/A.swift", "import SwiftUI\nstruct Face: View { }\n")
        try write("App/B.swift", "extension Face { }\nenum Operation { }\n")
        let lines = try make()
        #expect(
            lines == [
                "\(root.path)/App/A.swift:2:1: note: 'Face' is a View, and is left out of the phone's module",
                "\(root.path)/App/B.swift:1:1: note: 'extension Face' is of the user interface, and is left out of the phone's module",
            ])
        #expect(try text("B.phone.swift").hasSuffix("/* OneSource left out: extension Face */\nenum Operation { }\n"))
        #expect(try !text("SystemNames.swift").contains("typealias Operation "))
        #expect(try make() == [], "it is said when the file is made")
    }

    /// `Sync.State` means the type's, in the module and in those that import it.
    @Test func aTypeThatIsCalledAsItsModuleKeepsItsMembers() throws {
        defer { remove() }
        try write("Made.swift", "// OneSource: phone from App\n// OneSource: as Sync\n")
        try write("App/A.swift", "public final class Sync {\n    enum State { }\n}\n")
        try write("App/B.swift", "extension Sync.State { }\n")
        #expect(try make(["Sync=SyncPhone"]) == [])
        #expect(try text("B.phone.swift").hasSuffix("extension SyncPhone.State { }\n"))
        #expect(try text("SystemNames.swift").contains("\npublic typealias SyncPhone = Sync\n"))
        try write("App/A.swift", "actor Sync {\n    public enum State { }\n}\n")
        #expect(try make(["Sync=SyncPhone"]) == [])
        #expect(try text("SystemNames.swift").contains("\ntypealias SyncPhone = Sync\n"))
        try write("App/A.swift", "enum Other {\n    struct Sync { enum State { } }\n}\n")
        #expect(try make(["Sync=SyncPhone"]) == [])
        #expect(try !text("SystemNames.swift").contains("SyncPhone"))
    }

    // MARK: Help

    private var output: URL { root.appendingPathComponent("out", isDirectory: true) }

    private func make(_ modules: [String] = []) throws -> [String] {
        try ModuleMaker(
            package: root, output: output, modules: modules, recipeFile: root.appendingPathComponent("Made.swift"), names: names
        ).make().lines
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: output.appendingPathComponent(name), encoding: .utf8)
    }

    private func setDate(_ date: Date, of name: String) throws {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: output.appendingPathComponent(name).path)
    }

    private func date(_ name: String) throws -> Date {
        let attributes = try FileManager.default.attributesOfItem(atPath: output.appendingPathComponent(name).path)
        return try #require(attributes[.modificationDate] as? Date)
    }

    private func write(_ name: String, _ text: String) throws {
        let file = root.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private func remove() { try? FileManager.default.removeItem(at: root) }
}
