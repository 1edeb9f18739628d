import Testing

@testable import DeviceSim

/// The search finds what is wrong, makes it small, and finds nothing where nothing is.
@Suite struct ExplorerTests {
    private func options() throws -> Explorer.Options {
        Explorer.Options(world: try #require(ExplorationWorld.builtIn))
    }

    @Test func theLibraryKeepsItsPromises() throws {
        let explorer = Explorer(try options())
        for index in 0..<150 {
            let breach = explorer.run(index).breach
            #expect(breach == nil, "run \(index): \(breach?.promise.rawValue ?? "") \(breach?.explanation ?? [])")
        }
    }

    /// Small runs under all orders near the plain one; the recheck makes each again under its last.
    @Test func theLibraryKeepsItsPromisesInEveryOrder() throws {
        var options = try options()
        options.strategies = [.exhaustive]
        options.recheckInterval = 1
        let explorer = Explorer(options)
        for index in 0..<2 {
            let breach = explorer.run(index).breach
            #expect(breach == nil, "run \(index): \(breach?.explanation ?? [])")
        }
    }

    @Test func ordersAreEnumeratedFromThePlainOneOn() {
        var enumeration = OrderEnumeration()
        var orders: [[Int]] = []
        // Three moments, with two, one and three pieces of work to choose from.
        while let choices = enumeration.current {
            orders.append(choices)
            enumeration.advance(branching: [2, 1, 3])
        }
        #expect(orders == [[], [1], [0, 0, 1], [0, 0, 2], [1, 0, 1], [1, 0, 2]])
    }

    @Test func sameNumberSameRun() throws {
        let (one, other) = (Explorer(try options()), Explorer(try options()))
        for index in [0, 7, 123_456_789] {
            #expect(one.draw(index).scenario == other.draw(index).scenario)
            let traces = [one, other].map { CheckedRun.run($0.draw(index).scenario).trace.json() }
            #expect(traces[0] == traces[1])
        }
        #expect(one.draw(1).scenario != one.draw(2).scenario)
        var third = try options()
        third.seed = 2
        #expect(Explorer(third).draw(1).scenario != one.draw(1).scenario)
    }

    /// Each known mistake is found, by a promise that it can show in, and its scenario is short and fails in an ordinary run.
    @Test(arguments: BadSpecimen.all)
    func findsAndShrinks(_ specimen: BadSpecimen) throws {
        var options = try options()
        specimen.prepare(&options.run)
        options.recheckInterval = 0
        options.shrinkBudget = 600
        let explorer = Explorer(options)
        let found = (0..<specimen.runs).lazy.compactMap { index in explorer.run(index).breach.map { (index, $0) } }.first
        let (index, breach) = try #require(found, "not found in \(specimen.runs) runs")
        #expect(specimen.shows.contains(breach.promise), "run \(index): \(breach.promise) \(breach.explanation)")
        let small = try #require(explorer.shrink(index, replay: "pairsim explore --only \(index)"))
        #expect(small.breach.signature == breach.signature)
        #expect(small.stepCount <= 10, "\(small.text)")
        #expect(small.isConfirmed, "\(small.text)")
        // It fails because of the mistake: without it the same file passes.
        let compilation = ScenarioCompiler.compile(path: "found.scenario", files: .memory(["found.scenario": small.text]))
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        let result = ScenarioRunner.run(scenario)
        guard case .passed = result.outcome else {
            Issue.record("fails without the mistake too: \(result.outcome)\n\(small.text)")
            return
        }
    }
}
