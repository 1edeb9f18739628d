import DeviceSim
import Specimens
import Testing

@testable import DeviceSimSearch

/// The tester is tested: it finds mistakes that apps and libraries have really made, says which invariant they break, and makes them small.
///
/// What takes longer is in `Tests/Specimens/TABLE.md`, which one command makes.
@Suite struct SpecimenTests {
    /// Most specimens show within a few hundred runs; here they are found in all orders of ready work.
    @Test(arguments: Specimen.all.filter(\.isQuick))
    func isFound(_ specimen: Specimen) throws {
        guard let found = specimen.find(with: specimen.explorer(), limit: 1_000) else {
            Issue.record("not found in 1,000 runs")
            return
        }
        #expect(
            specimen.breaks.contains(found.violation.invariant),
            "run \(found.index): \(found.violation.invariant) \(found.violation.explanation)")
    }

    /// The scenario is short, fails in an ordinary run, and passes without the mistake.
    @Test(arguments: Specimen.all.filter(\.isShrunkInTests))
    func isMadeSmall(_ specimen: Specimen) throws {
        let explorer = specimen.explorer()
        guard let found = specimen.find(with: explorer, limit: 1_000),
            let small = explorer.shrink(found.index, replay: "pairsim explore --only \(found.index)")
        else {
            Issue.record("not found")
            return
        }
        #expect(small.violation.signature == found.violation.signature)
        #expect(small.stepCount <= 10, "\(small.text)")
        #expect(small.isConfirmed, "\(small.text)")
        #expect(
            small.text.contains("# The failure is ") || small.text.contains("# What comes later can cover the failure up"), "\(small.text)")
        let compilation = ScenarioCompiler.compile(path: "found.scenario", files: .memory(["found.scenario": small.text]))
        let scenario = try #require(compilation.scenarios.first, "\(compilation.diagnostics)")
        for options in [specimen.right, RunOptions()] {
            let result = ScenarioRunner.run(scenario, options: options)
            guard case .passed = result.outcome else {
                Issue.record("fails without the mistake too: \(result.outcome)\n\(small.text)")
                return
            }
        }
    }

    /// The same code without a mistake keeps its invariants, so what is found is the mistake.
    @Test(arguments: [Specimen.handmade[0], Specimen.careless[0]])
    func nothingIsFoundWithoutTheMistake(_ specimen: Specimen) {
        let explorer = specimen.explorer(hasMistake: false)
        let found = specimen.find(with: explorer, limit: 150)
        #expect(found?.index == nil, "run \(found?.index ?? 0): \(found?.violation.explanation ?? [])")
    }
}
