import DeviceSim
import Foundation
import TestSupport
import Testing

@testable import DeviceSimLanguage
@testable import DeviceSimRunner

/// The repository's own scenarios: each is readable, headed, and in canonical layout.
@Suite struct ScenarioCollectionTests {
    static let folder = repository.appendingPathComponent("Scenarios")

    static let files: [String] = {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".scenario") || $0.hasSuffix(".inc") }.sorted()
    }()

    @Test(arguments: files)
    func isInCanonicalLayout(_ file: String) throws {
        let bytes = Array(try Data(contentsOf: Self.folder.appendingPathComponent(file)))
        let text = try ScenarioFormatter.format(SourceText(path: file, bytes: bytes)).get()
        #expect(text == String(decoding: bytes, as: UTF8.self), "run `pairsim fmt`")
    }

    @Test(arguments: files.filter { $0.hasSuffix(".scenario") })
    func compilesAndSaysWhatItShows(_ file: String) {
        let compilation = ScenarioCompiler.compile(path: Self.folder.appendingPathComponent(file).path)
        #expect(compilation.diagnostics.isEmpty, "\(ScenarioDiagnostic.rendered(compilation.diagnostics))")
        #expect(compilation.header.title.hasSuffix("."), "the header begins with a sentence")
        #expect(!compilation.header.tags.isEmpty, "such as `# Tags: sync`")
        // What is known and not mended must fail as well.
        #expect((compilation.header.canary != nil) == (file.hasPrefix("canary/") || file.hasPrefix("open/")))
        #expect(!compilation.scenarios.isEmpty)
    }

    /// A canary that fails earlier than at its last step proves nothing about what that expects.
    @Test(arguments: files.filter { $0.hasSuffix(".scenario") && ["canary/", "open/"].contains(where: $0.hasPrefix) })
    func canaryFailsAtItsLastStep(_ file: String) throws {
        let compilation = ScenarioCompiler.compile(path: Self.folder.appendingPathComponent(file).path)
        for scenario in compilation.scenarios {
            let result = ScenarioRunner.run(scenario)
            #expect(result.outcome.failure != nil)
            #expect(result.canaryObjection == nil)
        }
    }

    @Test func namesAreWordsJoinedByDashes() {
        #expect(Self.files.count > 20)
        for file in Self.files {
            #expect(
                file.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2F || $0 == 0x2E },
                "\(file)")
        }
    }
}
