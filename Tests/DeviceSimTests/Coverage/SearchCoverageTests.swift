import DeviceSim
import DeviceSimObservation
import Foundation
import Testing

@testable import DeviceSimSearch

/// What is counted is what was there, and counting changes nothing.
@Suite struct SearchCoverageTests {
    private static func coverage(_ lines: String...) throws -> SearchCoverage {
        let scenario = try #require(ProposedScenario(title: "Lines", lines: lines).scenario)
        return try #require(CheckedRun.covered(scenario).coverage)
    }

    private func explorer() throws -> Explorer {
        var options = Explorer.Options(world: try #require(SearchSpace.builtIn))
        options.coverage = CoverageRequest { RulesAtWork.rules(in: $0) }
        return Explorer(options)
    }

    @Test func stepsAreCountedInTheirSituation() throws {
        let coverage = try Self.coverage("phone set theme \"dark\"", "link down", "phone lock", "phone set theme \"light\"")
        #expect(coverage.situations(of: "DEVICE set KEY VALUE") == ["background, locked, link down", "foreground, unlocked, link up"])
        // A step of no device is made in the situation of each.
        #expect(coverage.count(of: "link down", in: "foreground, unlocked, link up") == 2)
    }

    @Test func whatCannotBeDoneIsNotMade() throws {
        let coverage = try Self.coverage("phone terminate", "phone set theme \"dark\"")
        #expect(coverage.situations(of: "DEVICE set KEY VALUE").isEmpty)
        #expect(coverage.situations(of: "DEVICE terminate") == ["foreground, unlocked, link up"])
    }

    @Test func partsOfABlockAreCounted() throws {
        let coverage = try Self.coverage("together", "    phone set theme \"dark\"", "    phone set theme \"light\"")
        #expect(coverage.count(of: "DEVICE set KEY VALUE", in: "foreground, unlocked, link up") == 2)
        #expect(coverage.count(of: "together", in: "foreground, unlocked, link up") == 2)
        #expect(coverage.count(of: .checks, named: "linearizability") > 0)
    }

    /// The last one's value is read, which is not near; one that it did not know of is.
    @Test func nearIsWhatOnlyAnAllowanceExcuses() throws {
        let plain = try Self.coverage("phone set theme \"dark\"", "phone get theme", "settle")
        #expect(plain.count(of: .checks, named: "durability") >= 2)
        #expect(plain.count(of: .near, named: "durability") == 0)
        let conflict = try Self.coverage(
            "link down", "watch set theme \"light\"", "watch set theme \"lighter\"", "phone set theme \"dark\"", "link up", "settle")
        #expect(conflict.count(of: .near, named: "durability") > 0)
    }

    @Test func checksThatFindNothingToLookAtAreNotCounted() throws {
        let coverage = try Self.coverage("phone set theme \"dark\"", "settle")
        for name in ["rotation", "removal", "migration", "observation", "linearizability"] {
            #expect(coverage.count(of: .checks, named: name) == 0, "\(name)")
        }
        for name in ["convergence", "audit", "limits", "session", "quiet"] {
            #expect(coverage.count(of: .checks, named: name) > 0, "\(name)")
        }
    }

    @Test func countingChangesNothing() throws {
        let explorer = try explorer()
        for index in 0..<12 {
            let scenario = explorer.draw(index).scenario
            let (plain, covered) = (CheckedRun.run(scenario), CheckedRun.covered(scenario))
            #expect(plain.trace.json() == covered.trace.json() && plain.states == covered.states)
            #expect(plain.coverage == nil && covered.coverage != nil)
        }
    }

    @Test func theOrderOfAddingSaysNothing() throws {
        let explorer = try explorer()
        let parts = try (0..<8).map { try #require(explorer.run($0).coverage) }
        let one = parts.reduce(into: SearchCoverage()) { $0.add($1) }
        let other = parts.reversed().reduce(into: SearchCoverage()) { $0.add($1) }
        #expect(one == other)
        #expect(one.runs == 8)
        #expect(one.count(of: .events, named: "app.launch") == 8)
        #expect(one.count(of: .checks, named: "determinism") == 1)
    }

    @Test func sumsStopAtTheGreatestNumber() {
        let most = SearchCoverage(runs: .max, counts: [.rules: ["W44": .max]], steps: ["link up": ["x": .max]])
        var sum = most
        sum.add(most)
        #expect(sum == most)
    }

    @Test func withoutARequestNothingIsCounted() throws {
        let explorer = Explorer(Explorer.Options(world: try #require(SearchSpace.builtIn)))
        #expect(explorer.run(0).coverage == nil)
    }

    /// The rules that a trace can tell of are those that the judge has a line for.
    @Test func theToldRulesAreTheJudges() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/DeviceSim/Observation/Judging").standardizedFileURL
        var numbers: Set<Int> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: #/(?:confirm\(|rule: )(\d+)/#) { numbers.insert(Int(match.1) ?? 0) }
        }
        // What only a recorder's log tells.
        numbers.remove(37)
        #expect(RulesAtWork.told.map(\.number) == numbers.sorted())
    }

    /// A file without keys is never varied: as it is written it is made once, and that counts.
    @Test func aFileAsItIsWrittenCountsItsSteps() throws {
        let text = "# A day.\n\nphone lock\nlink down\nsettle\n"
        let compilation = ScenarioCompiler.compile(path: "a", files: .memory(["a": text]))
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        let exploration = Exploration(over: [scenario], hasOwnKeys: true, run: RunOptions()) { world in
            var options = Explorer.Options(world: world)
            options.coverage = CoverageRequest { _ in [] }
            return options
        }
        #expect(exploration.writtenName(0) != nil)
        let coverage = try #require(exploration.run(0).coverage)
        #expect(coverage.runs == 1 && coverage.stepKinds.count == 3, "\(coverage.stepKinds)")
    }
}
