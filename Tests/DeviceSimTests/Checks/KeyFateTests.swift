import DeviceSim
import Testing

@testable import DeviceSimLanguage
@testable import DeviceSimSearch

/// Checks that pass over everything find nothing: of how many keys they can still say at the end what each device must hold.
@Suite struct KeyFateTests {
    private static func fates(of count: Int, where isMeant: (Scenario) -> Bool) throws -> [KeyFate: Int] {
        let generator = RunGenerator(world: try #require(SearchSpace.builtIn), seed: 61, maximumSteps: 20, strategies: [.fifo])
        var fates: [KeyFate: Int] = [:]
        for scenario in (0..<2_000).lazy.map({ generator.draw($0).scenario }).filter(isMeant).prefix(count) {
            let result = CheckedRun.covered(scenario)
            #expect(result.violation == nil, "\(scenario)")
            fates.merge(result.fates) { $0 + $1 }
        }
        return fates
    }

    private static func share(_ fate: KeyFate, of fates: [KeyFate: Int]) -> Int {
        (fates[fate] ?? 0) * 100 / max(1, fates.values.reduce(0, +))
    }

    /// An update of an app that has a still later version is no reason to promise nothing any more.
    @Test func mostChainsOfVersionsAreHeldToSomething() throws {
        let fates = try Self.fates(of: 40) { $0.keys.contains { $0.identifier == "version1" } }
        #expect(Self.share(.spoiled, of: fates) < 50, "\(fates)")
    }

    @Test func mostKeysAreChecked() throws {
        let fates = try Self.fates(of: 80) { _ in true }
        #expect(Self.share(.checked, of: fates) > 50, "\(fates)")
    }
}
