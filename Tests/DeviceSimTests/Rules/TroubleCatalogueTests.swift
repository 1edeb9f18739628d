import DeviceSim
import Foundation
import Testing

@testable import DeviceSimCatalogue
@testable import DeviceSimLanguage
@testable import documents

/// The catalogue in `Scenarios/troubles`: each trouble is there, reproduced and put right, and it is the mistake that makes the difference.
@Suite struct TroubleCatalogueTests {
    static let entries = TroubleIndex.entries

    @Test(arguments: KnownTrouble.table) func isReproducedAndPutRight(_ trouble: KnownTrouble) throws {
        let entries = Self.entries.filter { $0.folder == trouble.folder }
        #expect(entries.contains { $0.isTrouble }, "a scenario that reproduces it")
        #expect(entries.contains { $0.isRemedy }, "a scenario that shows what helps")
        #expect(trouble.sentence.hasSuffix(".") && !trouble.sources.isEmpty)
        #expect(trouble.folder.hasPrefix(trouble.number < 10 ? "p0\(trouble.number)-" : "p\(trouble.number)-"))
    }

    @Test(arguments: entries) func saysWhatItIs(_ entry: TroubleIndex.Entry) throws {
        let trouble = try #require(KnownTrouble.table.first { $0.folder == entry.folder }, "no trouble of the table has this folder")
        let header = compile(try entry.text()).header
        #expect(entry.isTrouble != entry.isRemedy, "a file is called trouble or remedy, with more words after it if need be")
        #expect(header.rules.last == trouble.name)
        #expect(header.tags.first == "troubles")
        #expect(try entry.text().contains(entry.isTrouble ? "\n# Cause: " : "\n# Remedy: "))
    }

    /// A trouble fails with the remedied app, and a remedy with the naive one.
    @Test(arguments: entries) func theMistakeMakesTheDifference(_ entry: TroubleIndex.Entry) throws {
        guard let app = try entry.app() else { return }
        let others = try Self.entries.filter { $0.folder == entry.folder && $0.isTrouble != entry.isTrouble }.compactMap { try $0.app() }
        for other in Set(others) {
            let swapped = try scenario(try entry.text().replacing("with app \(app)\n", with: "with app \(other)\n"))
            guard case .failed = ScenarioRunner.run(swapped).outcome else {
                Issue.record("it passes with the app \(other), too")
                continue
            }
        }
    }

    @Test func everyAppIsUsed() throws {
        let used = Set(try Self.entries.compactMap { try $0.app() })
        #expect(used == Set(NamedApp.table.map(\.name)))
        #expect(NamedApp.table.count == used.count, "names are unique")
    }
}

extension TroubleIndex.Entry: CustomTestStringConvertible {
    public var testDescription: String { path }

    func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

    /// The app that the scenario names.
    func app() throws -> String? {
        try text().firstMatch(of: /start [a-z0-9]+ with app ([a-z-]+)/).map { String($0.1) }
    }
}
