import DeviceSim
import Foundation
import Testing

@testable import DeviceSimLanguage

@Suite struct ScenarioFilesTests {
    @Test(arguments: [
        ("", "x: error: the file is empty"), ("\u{FEFF}", "x: error: the file is empty"), ("\n\n \t\n", "x: error: the file is empty"),
        ("# only\n# comments", "x: error: the file has comments and nothing else"), ("key a: Int\n", "x: error: the file has no step"),
    ])
    func filesWithNothingToRunSaySo(_ text: String, _ message: String) {
        let compilation = ScenarioCompiler.compile(path: "x", files: .memory(["x": text]))
        #expect(compilation.diagnostics.count == 1)
        #expect(compilation.diagnostics.first?.rendered().hasPrefix(message) == true)
    }

    @Test(
        arguments: [
            ([0x70, 0x00, 0x01], 0, "the file is binary, not text: byte 1 is 0"), ([0xFF, 0xFE, 0x70, 0x00], 0, "the file is in UTF-16"),
            ([0x23, 0x0A, 0x23, 0xC3, 0xA9, 0xC3, 0x28], 2, "byte 5 of the file (0xC3) is not UTF-8"),
            ([0x80], 1, "byte 0 of the file (0x80) is not UTF-8"),
            ([0x23, 0xE2, 0x82], 1, "byte 1 of the file (0xE2) is not UTF-8"),
        ] as [([UInt8], Int, String)])
    func whatIsNotTextIsRefused(_ bytes: [UInt8], _ line: Int, _ message: String) {
        #expect(throws: ScenarioDiagnostic.self) { try SourceText(path: "x", bytes: bytes) }
        do throws(ScenarioDiagnostic) {
            _ = try SourceText(path: "x", bytes: bytes)
        } catch {
            #expect(error.message == message)
            #expect(error.range.line == line)
        }
    }

    @Test func lineEndsOfAllKindsAndTabsReadAlike() {
        let text = "key a: Int\n    sync manual\n\nphone set a 5\n"
        let expected = compile(text).scenarios
        for variant in [
            text.replacingOccurrences(of: "\n", with: "\r\n"), text.replacingOccurrences(of: "\n", with: "\r"),
            "\u{FEFF}" + text, String(text.dropLast()), text.replacingOccurrences(of: "    ", with: "\t"),
        ] {
            #expect(compile(variant).scenarios.map(\.steps) == expected.map(\.steps))
            #expect(compile(variant).scenarios.map(\.keys) == expected.map(\.keys))
        }
    }

    @Test func filesOnDiskAreReadOrRefusedWithTheReason() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ScenarioFilesTests")
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let good = folder.appendingPathComponent("good.scenario")
        try Data("wait 1s\n".utf8).write(to: good)
        #expect(ScenarioCompiler.compile(path: good.path).diagnostics.isEmpty)

        let huge = folder.appendingPathComponent("huge.scenario")
        #expect(FileManager.default.createFile(atPath: huge.path, contents: nil))
        let handle = try FileHandle(forWritingTo: huge)
        try handle.truncate(atOffset: 100 << 20)
        try handle.close()
        let refused = ScenarioCompiler.compile(path: huge.path).diagnostics
        #expect(refused.map(\.message) == ["the file has 104857600 bytes, and a scenario file may have 4194304"])

        let missing = ScenarioCompiler.compile(path: folder.appendingPathComponent("none").path).diagnostics
        #expect(missing.map(\.kind) == [.unreadable])
        #expect(missing.first?.message.hasPrefix("there is no such file") == true)
        let directory = ScenarioCompiler.compile(path: folder.path).diagnostics
        #expect(directory.map(\.message) == ["this is a folder, not a scenario file"])
        #expect(directory.map(\.kind) == [.unreadable])
        #expect(ScenarioCompiler.compile(path: "/dev/null").diagnostics.map(\.message) == ["this is not a regular file"])
    }

    @Test func includesThatGoRoundOrTooDeepAreFound() {
        let circle = compile("include \"a\"\nwait 1s", with: ["a": "include \"b\"\n", "b": "\n\ninclude \"a\""])
        #expect(circle.diagnostics.map(\.message) == ["the file includes itself"])
        #expect(circle.diagnostics.first?.hint == "a → b → a")
        #expect(circle.diagnostics.first?.includedFrom.map(\.path) == ["a", "test.scenario"])

        var chain: [String: String] = [:]
        for level in 0..<40 { chain["f\(level)"] = "include \"f\(level + 1)\"\n" }
        #expect(compile("include \"f0\"", with: chain).diagnostics.map(\.message) == ["files include each other more than 16 deep"])

        var tree: [String: String] = ["f15": String(repeating: "wait 1s\n", count: 100)]
        for level in 0..<15 { tree["f\(level)"] = String(repeating: "include \"f\(level + 1)\"\n", count: 4) }
        let bomb = compile("include \"f1\"", with: tree).diagnostics
        #expect(bomb.contains { $0.message.hasPrefix("with all that is included") }, "\(bomb.map(\.message))")
    }
}
