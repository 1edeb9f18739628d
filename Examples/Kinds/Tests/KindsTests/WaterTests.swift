import DeviceSim
import Testing

@testable import KindsPhone
@testable import KindsWatch

/// A Combine store with its view beside it: two devices that show the same number.
@Suite struct WaterTests {
    static let scenarios = ScenarioSuite("Scenarios/water") {
        WaterPhone()
    } watch: {
        WaterWatch()
    }

    @Test(arguments: scenarios.cases) func scenario(_ scenario: ScenarioCase) throws {
        try scenario.check { Attachment.record($0, named: $1) }
    }
}

private final class WaterPhone: SimulatedApp {
    func didFinishLaunching(inBackground: Bool) async { KindsPhone.WaterStore.shared.start() }
    @MainActor func perform(_ action: String, with value: ScenarioValue) async throws { KindsPhone.WaterStore.shared.drink() }
    @MainActor func shown(_ name: String) async throws -> ScenarioValue { .integer(Int64(KindsPhone.WaterStore.shared.glasses)) }
}

private final class WaterWatch: SimulatedApp {
    func didFinishLaunching(inBackground: Bool) async { KindsWatch.WaterStore.shared.start() }
    @MainActor func perform(_ action: String, with value: ScenarioValue) async throws { KindsWatch.WaterStore.shared.drink() }
    @MainActor func shown(_ name: String) async throws -> ScenarioValue { .integer(Int64(KindsWatch.WaterStore.shared.glasses)) }
}
