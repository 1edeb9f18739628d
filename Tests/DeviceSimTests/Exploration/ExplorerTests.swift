import DeviceSim
import Testing

@testable import DeviceSimSearch

/// The search finds what is wrong, makes it small, and finds nothing where nothing is.
@Suite struct ExplorerTests {
    private func options() throws -> Explorer.Options {
        Explorer.Options(world: try #require(SearchSpace.builtIn))
    }

    @Test func theLibraryKeepsItsPromises() throws {
        let explorer = Explorer(try options())
        for index in 0..<150 {
            let violation = explorer.run(index).violation
            #expect(violation == nil, "run \(index): \(violation?.invariant.rawValue ?? "") \(violation?.explanation ?? [])")
        }
    }

    /// Small runs under all orders near the plain one; the recheck makes each again under its last.
    @Test func theLibraryKeepsItsPromisesInEveryOrder() throws {
        var options = try options()
        options.strategies = [.exhaustive]
        options.recheckInterval = 1
        let explorer = Explorer(options)
        for index in 0..<2 {
            let violation = explorer.run(index).violation
            #expect(violation == nil, "run \(index): \(violation?.explanation ?? [])")
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
}
