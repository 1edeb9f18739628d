import Foundation
import Testing

@testable import PairsimTool

/// `pairsim audit` on what real runs left.
@Suite struct AuditCommandTests {
    private static let scenario = """
        # An update drops a key.

        key theme: String
            security  none

        key draft: String
            domain  fileSystem documents
            until   1.9

        key letter: String
            domain  fileSystem documents

        start phone version 1.9
        start watch not installed

        phone set theme "dark"
        phone set draft "Dear"
        phone update to 2.0

        """

    /// Runs the scenario with real files.
    private func audited<Result>(
        _ text: String = Self.scenario, _ body: (_ bench: Bench, _ folder: String, _ scenario: String) throws -> Result
    ) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pairsim-audit-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = folder + "/drop.scenario"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        var bench = Bench()
        bench.realEngine = .deviceSim()
        bench.realFiles = RealFiles()
        let run = bench.run(["run", file, "--roots", folder + "/roots", "--quiet"])
        #expect(run.status == .passed, "\(run.output)\(run.errors)")
        return try body(bench, folder, file)
    }

    @Test func itListsWhatLiesThere() throws {
        try audited { bench, folder, _ in
            let ending = bench.run(["audit", folder + "/roots"])
            #expect(ending.status == .passed && ending.errors.isEmpty)
            #expect(ending.output.contains("phone\n  files\n    Documents/draft: "))
            #expect(ending.output.contains("completeUntilFirstUserAuthentication, ChaCha20-Poly1305, HKDF-SHA256, master key "))
            #expect(
                ending.output.contains(
                    "  preferences com.example.app\n    com.localdata.witness: 9 bytes, plain\n    theme: 13 bytes, plain\n"))
            #expect(ending.output.hasSuffix("watch\n  nothing\n"))
            #expect(!ending.output.contains("Dear") && !ending.output.contains("dark") && !ending.output.contains(folder + "/roots"))
        }
    }

    @Test func itComparesWithAScenario() throws {
        try audited { bench, folder, scenario in
            let phone = try #require(try device("phone", below: folder + "/roots"))
            let ending = bench.run(["audit", phone, "--scenario", scenario])
            #expect(ending.status == .passed && ending.errors.isEmpty)
            #expect(ending.output.contains("on device     present, 13 bytes") && ending.output.contains("on device     missing"))
            #expect(ending.output.contains("Sealed values without a key:\n      fileSystem, documents, draft, "))
            #expect(bench.run(["audit", phone, "--scenario", scenario, "--strict"]).status == .failed)
            // What nobody opened is not in order for that.
            #expect(bench.run(["audit", phone, "--strict"]).errors.contains("without --scenario no value was opened"))
        }
    }

    /// A directory of the app's own choice is one of the device that was left behind, not of the host.
    @Test func aDirectoryOfOnesOwnChoiceIsTheDevices() throws {
        let own = """
            # A directory of its own.

            key theme: String
                domain    fileSystem custom "/Containers/Shared/AppGroup/group.own/notes"
                security  none

            phone set theme "dark"

            """
        try audited(own) { bench, folder, scenario in
            let phone = try #require(try device("phone", below: folder + "/roots"))
            let ending = bench.run(["audit", phone, "--scenario", scenario, "--strict"])
            #expect(ending.status == .passed && ending.output.contains("on device     present, 6 bytes"), "\(ending.output)")
        }
    }

    /// Nobody knows whether what could not be looked into is in order.
    @Test func strictIsNotContentWithWhatWasNotSeen() throws {
        let clean = """
            # Nothing but a value.

            key theme: String
                domain    fileSystem documents
                security  none

            phone set theme "dark"

            """
        try audited(clean) { bench, folder, scenario in
            let phone = try #require(try device("phone", below: folder + "/roots"))
            #expect(bench.run(["audit", phone, "--scenario", scenario, "--strict"]).status == .passed)
            let documents = try #require(
                FileManager.default.subpathsOfDirectory(atPath: phone).first { $0.hasSuffix("/Documents/theme") }.map { $0.dropLast(6) })
            let deep = "\(phone)/\(documents)" + String(repeating: "/d", count: 17)
            try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
            let ending = bench.run(["audit", phone, "--scenario", scenario, "--strict"])
            #expect(ending.status == .failed && ending.output.contains("more than 16 folders deep"), "\(ending.output)")
        }
    }

    @Test func jsonIsStableAndHasNoPlaces() throws {
        try audited { bench, folder, scenario in
            for extra in [[], ["--scenario", scenario]] {
                let one = bench.run(["audit", folder + "/roots", "--json"] + extra)
                let other = bench.run(["audit", folder + "/roots", "--json"] + extra)
                #expect(one.status == .passed && one.output == other.output && !one.output.contains(folder))
                let object = try #require(try JSONSerialization.jsonObject(with: Data(one.output.utf8)) as? [String: Any])
                #expect(object["version"] as? Int == 1)
                let result = object["result"] as? [String: Any]
                #expect((result?["devices"] as? [String: Any])?.keys.filter { $0.hasSuffix("/phone") }.count == 1)
            }
        }
    }

    @Test func itChangesNothing() throws {
        try audited { bench, folder, scenario in
            func files() -> [String] {
                (FileManager.default.subpaths(atPath: folder) ?? []).sorted().map { path in
                    let bytes = (try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + path))) ?? Data()
                    return "\(path) \(bytes.base64EncodedString())"
                }
            }
            let before = files()
            _ = bench.run(["audit", folder + "/roots"])
            _ = bench.run(["audit", folder + "/roots", "--scenario", scenario])
            #expect(files() == before)
        }
    }

    @Test func itSaysWhatIsWrong() throws {
        try audited { bench, folder, _ in
            #expect(bench.run(["audit"]).status == .usage)
            #expect(bench.run(["audit", folder + "/nowhere"]).status == .cannotRun)
            try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: true)
            #expect(bench.run(["audit", folder + "/empty"]).status == .nothingSelected)
            let broken = folder + "/broken.scenario"
            try Data("phone sing\n".utf8).write(to: URL(fileURLWithPath: broken))
            #expect(bench.run(["audit", folder + "/roots", "--scenario", broken]).status == .unparsable)
            let record = try #require(try device("phone", below: folder + "/roots")) + "/device.plist"
            try Data("{".utf8).write(to: URL(fileURLWithPath: record))
            let damaged = bench.run(["audit", folder + "/roots"])
            #expect(damaged.status == .cannotRun && damaged.errors.contains("damaged"))
        }
    }

    private func device(_ name: String, below folder: String) throws -> String? {
        (FileManager.default.subpaths(atPath: folder) ?? []).first { $0.hasSuffix("/\(name)/device.plist") }
            .map { "\(folder)/\($0.dropLast("/device.plist".count))" }
    }
}
