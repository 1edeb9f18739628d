import DeviceSim
import Testing

@testable import DeviceSimSearch

/// A corpus is run as it is written, then near what is written, and beside it.
@Suite struct ExplorationTests {
    private static func scenarios(_ texts: [(name: String, text: String)]) -> [Scenario] {
        texts.flatMap { ScenarioCompiler.compile(path: $0.name, files: .memory([$0.name: $0.text])).scenarios }
    }

    private static let theme = """
        # A theme travels.

        key theme: String
            security  none
            sync      automaticSmall

        phone set theme "dark"
        settle
        expect watch theme "dark"
        """
    private static let wrong = """
        # What is expected does not come.

        key theme: String
            security  none

        phone set theme "dark"
        expect phone theme "light"
        """
    private static let canary = wrong.replacing("does not come.", with: "does not come.\n# Canary: 1")
    private static let bare = """
        # No keys.

        link down
        """

    private func exploration(_ texts: [(name: String, text: String)], hasOwnKeys: Bool = false) -> Exploration {
        Exploration(over: Self.scenarios(texts), hasOwnKeys: hasOwnKeys, run: RunOptions()) { world in
            var options = Explorer.Options(world: world)
            options.seed = 7
            return options
        }
    }

    @Test func firstAsWrittenThenPutRightThenVaried() throws {
        let search = exploration([("a", Self.theme), ("b", Self.theme)])
        #expect((0..<6).map { search.writtenName($0) } == ["a", "b", nil, nil, nil, nil])
        let drawn = try (0..<6).map { try #require(search.draw($0)).scenario }
        #expect(drawn.map(\.name) == ["a", "b", "a", "b", "a", "b"])
        #expect(drawn[0] == search.written[0])
        // Without what it expects, and with what puts everything right.
        let given = search.worlds[0].base.steps
        #expect(Array(drawn[2].steps.prefix(given.count)) == given)
        #expect(drawn[2].steps.count > given.count && !drawn[2].steps.contains { $0.action.isExpectation })
        #expect(drawn[4].steps != drawn[2].steps)
        for index in 0..<6 { #expect(search.run(index).violation == nil) }
    }

    /// A third of what is drawn the grammar makes, and every second of the other runs is about keys of its own.
    @Test func keysOfItsOwnHaveTheirTurns() throws {
        let search = exploration([("a", Self.theme)], hasOwnKeys: true)
        let names = try (0..<6).map { try #require(search.draw($0)).scenario.name }
        #expect(names == ["a", "a", "built-in", "grammar", "a", "built-in"])
        let own = exploration([], hasOwnKeys: true)
        var options = Explorer.Options(world: try #require(SearchSpace.builtIn))
        options.seed = 7
        let usual = Explorer(options)
        for index in [0, 1, 3, 4] { #expect(own.draw(index)?.scenario == usual.draw(index).scenario) }
        let made = try #require(Explorer(options, byGrammar: 2)).draw(2).scenario
        #expect(own.draw(2)?.scenario == made && made.name == "grammar")
    }

    /// Each file that fails as it is written is a failure of its own, however alike they are.
    @Test func filesThatFailAreToldApart() throws {
        let search = exploration([("first", Self.wrong), ("second", Self.wrong)])
        let signatures = try (0..<2).map { try #require(search.run($0).violation).signature }
        #expect(signatures[0] != signatures[1] && signatures.allSatisfy { $0.invariant == .expectation })
    }

    @Test func whatFailsAsItIsWrittenIsFound() throws {
        let search = exploration([("right", Self.theme), ("wrong", Self.wrong)])
        #expect(search.run(0).violation == nil)
        let violation = try #require(search.run(1).violation)
        #expect(violation.invariant == .expectation)
        #expect(violation.explanation.first == "wrong fails as it is written")
        #expect(violation.explanation.last?.hasPrefix("wrong:7: ") == true)
        #expect(search.shrink(1, replay: "") == nil)
        // What is varied is held to the invariants, not to what the file expects.
        #expect(search.run(3).violation == nil)
    }

    @Test func aCanaryIsNotRunAsWritten() {
        let search = exploration([("canary", Self.canary), ("bare", Self.bare), ("a", Self.theme)])
        #expect(search.written.map(\.name) == ["bare", "a"])
        #expect(search.worlds.map(\.name) == ["canary", "a"])
        #expect(search.draw(2)?.scenario.name == "canary" && search.draw(3)?.scenario.name == "a")
        let given = search.worlds[0].base.steps
        #expect(search.draw(2).map { Array($0.scenario.steps.prefix(given.count)) != given } == true)
        #expect(search.draw(3).map { Array($0.scenario.steps.prefix(2)) == search.worlds[1].base.steps } == true)
    }
}
