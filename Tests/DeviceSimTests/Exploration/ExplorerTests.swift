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
