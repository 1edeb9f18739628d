import DeviceSim
import Foundation
import TestSupport
import Testing

@testable import DeviceSimSearch

/// A search over files of somebody's own raises no false alarm: every file of `Scenarios` is right, whatever its steps are varied to.
///
/// `LOCALDATA_SEARCH_RUNS` makes so many runs of each folder.
@Suite struct SearchOverFilesTests {
    private static let root = repository.appendingPathComponent("Scenarios")
    private static let runCount = ProcessInfo.processInfo.environment["LOCALDATA_SEARCH_RUNS"].flatMap { Int($0) } ?? 20

    private static let folders: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return names.filter { !$0.contains(".") && $0 != "shared" }.sorted()
    }()

    private static func worlds(in folder: String) throws -> [SearchSpace] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
        let paths = names.filter { $0.hasSuffix(".scenario") }.sorted().map { root.appendingPathComponent("\(folder)/\($0)").path }
        return paths.flatMap { ScenarioCompiler.compile(path: $0).scenarios }.filter { !$0.keys.isEmpty }.map { SearchSpace($0) }
    }

    @Test(arguments: folders) func noFalseAlarm(in folder: String) throws {
        let explorers = try Self.worlds(in: folder).map { world in
            var options = Explorer.Options(world: world)
            options.seed = 20_261_122
            options.recheckInterval = 0
            return Explorer(options)
        }
        guard !explorers.isEmpty else { return }
        for index in 0..<Self.runCount {
            let explorer = explorers[index % explorers.count]
            let violation = explorer.run(index).violation
            let name = explorer.options.world.name
            #expect(violation == nil, "\(name), run \(index): \(violation?.invariant.rawValue ?? "") \(violation?.explanation ?? [])")
        }
    }

    /// The folders that have nothing to search over are those whose apps use the session without a key.
    @Test func mostFoldersAreSearched() throws {
        let empty = try Self.folders.filter { try Self.worlds(in: $0).isEmpty }
        #expect(empty == ["complication", "messages", "waking", "wrist"])
    }

    /// What is not judged is said, with the reason.
    @Test func aKeyOfUnknownValueIsSaid() throws {
        let source = """
            # Two keys of one place.

            key size: Int
                security  none
                since     2.0
            key sizeAsText: String
                name      "size"
                security  none
                until     1.9
            key theme: String
                security  none

            settle
            """
        let compilation = ScenarioCompiler.compile(path: "a.scenario", files: .memory(["a.scenario": source]))
        let world = SearchSpace(try #require(compilation.scenarios.first))
        #expect(world.keysOfUnknownValue.map(\.keys) == [["size", "sizeAsText"]])
    }
}
