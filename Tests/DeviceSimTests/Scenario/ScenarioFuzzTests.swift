import DeviceSim
import Foundation
import TestSupport
import Testing

@testable import DeviceSimLanguage

/// Whatever bytes a file has, the compiler ends and says what is wrong.
@Suite struct ScenarioFuzzTests {
    @Test func mutatedScenariosNeverCrash() throws {
        let seeds = try corpus()
        var random = SeededGenerator(seed: 99)
        for _ in 0..<2_000 {
            var bytes = seeds[random.below(seeds.count)]
            for _ in 0..<(1 + random.below(8)) { mutate(&bytes, &random) }
            check(bytes)
        }
    }

    @Test func generatedLinesNeverCrash() {
        var generator = DocumentGenerator(seed: 3)
        for _ in 0..<500 { check(Array((Vocabulary.testPreamble + generator.document()).utf8)) }
    }

    @Test(arguments: ["[", "{\"a\":", "(", "data(", "[[", "\"", "\\", "$", "|", "#", "\u{FEFF}", "-", ".", "\u{1F469}\u{200D}\u{1F469}"])
    func longRepetitionsEnd(_ part: String) {
        check(Array(("phone set theme " + String(repeating: part, count: 20_000)).utf8))
        check(Array(String(repeating: part + "\n", count: 1_000).utf8))
    }

    private func check(_ bytes: [UInt8]) {
        let files = ScenarioFiles { path throws(ScenarioDiagnostic) in
            guard path == "x" else { throw .file(path, "none") }
            return bytes
        }
        let compilation = ScenarioCompiler.compile(path: "x", files: files)
        #expect(compilation.scenarios.isEmpty != compilation.diagnostics.isEmpty)
        for diagnostic in compilation.diagnostics.prefix(50) {
            #expect(!diagnostic.rendered().isEmpty && !diagnostic.message.hasSuffix("."))
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return bytes = [UInt8(random.below(256))] }
        let place = random.below(bytes.count)
        let signs = Array("{}[]():,|=\"$#\\\n\t 0a-.".utf8)
        switch random.below(7) {
        case 0: bytes[place] = UInt8(random.below(256))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(signs[random.below(signs.count)], at: place)
        case 3: bytes[place] = signs[random.below(signs.count)]
        case 4: bytes.removeSubrange(place..<min(bytes.count, place + random.below(20)))
        case 5: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + random.below(30))], at: random.below(bytes.count))
        default: bytes[place] ^= UInt8(1 << random.below(8))
        }
    }

    private func corpus() throws -> [[UInt8]] {
        var texts = [
            Vocabulary.testPreamble
                + Vocabulary.forms.filter { Form.Topic.topLevel.contains($0.topic) }.map(\.example).joined(separator: "\n")
        ]
        texts.append(
            "key all: [Int]\n" + Vocabulary.forms.filter { $0.topic == .attribute }.map { "    \($0.example)\n" }.joined() + "wait 1s\n")
        texts.append("examples\n  | a | b |\n  | 1 | fails locked |\nkey count: Int\nlet x = $a\nphone set count $x $b\n")
        let folder = repository.appendingPathComponent("Scenarios")
        for case let file as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) ?? .init()
        where file.pathExtension == "scenario" {
            texts.append(String(decoding: try Data(contentsOf: file), as: UTF8.self))
        }
        return texts.sorted().map { Array($0.utf8) }
    }
}
