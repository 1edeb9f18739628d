import DeviceSim
import Foundation
import Testing

@testable import DeviceSimLanguage

/// Every run that the scenarios of the repository ask for can be written as a file of its own, and means the same.
@Suite struct ScenarioNotationRoundTripTests {
    @Test func everyScenarioReadsBack() throws {
        var count = 0
        for file in ScenarioCollectionTests.files where file.hasSuffix(".scenario") {
            let path = ScenarioCollectionTests.folder.appendingPathComponent(file).path
            for scenario in ScenarioCompiler.compile(path: path).scenarios {
                let text = scenario.notation(header: ["It reads back."])
                let again = ScenarioCompiler.compile(path: "again.scenario", files: .memory(["again.scenario": text]))
                let read = try #require(again.scenarios.first, "\(scenario.name): \(again.diagnostics.map(\.message))\n\(text)")
                #expect(read.steps == scenario.steps, "\(scenario.name)")
                #expect(read.keys == scenario.keys, "\(scenario.name)\n\(text)")
                #expect(read.start == scenario.start, "\(scenario.name)")
                #expect(read.knobs == scenario.knobs, "\(scenario.name)")
                #expect(read.seed == scenario.seed && read.order == scenario.order, "\(scenario.name)")
                count += 1
            }
        }
        #expect(count > 300)
    }
}
