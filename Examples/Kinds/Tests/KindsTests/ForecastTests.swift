import DeviceSim
import Testing

@testable import KindsPhone
@testable import KindsWatch

/// A model that asks a server; scenarios say what that answers.
@Suite struct ForecastTests {
    static let scenarios = ScenarioSuite("Scenarios/forecast") {
        ForecastPhone()
    } watch: {
        ForecastWatch()
    }

    @Test(arguments: scenarios.cases) func scenario(_ scenario: ScenarioCase) throws {
        try scenario.check { Attachment.record($0, named: $1) }
    }
}

private final class ForecastPhone: SimulatedApp {
    @MainActor func didFinishLaunching(inBackground: Bool) async { KindsPhone.ForecastModel.shared.start() }
    @MainActor func perform(_ action: String, with value: ScenarioValue) async throws { await KindsPhone.ForecastModel.shared.refresh() }
    @MainActor func shown(_ name: String) async throws -> ScenarioValue { .string(KindsPhone.ForecastModel.shared.text) }
}

private final class ForecastWatch: SimulatedApp {
    @MainActor func didFinishLaunching(inBackground: Bool) async { KindsWatch.ForecastModel.shared.start() }
    @MainActor func shown(_ name: String) async throws -> ScenarioValue { .string(KindsWatch.ForecastModel.shared.text) }
}
