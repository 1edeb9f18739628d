import DeviceSim
import Testing

@testable import KindsPhone
@testable import KindsWatch

/// An actor with async calls around the session.
@Suite struct ScoreTests {
    static let scenarios = ScenarioSuite("Scenarios/score") {
        ScorePhone()
    } watch: {
        ScoreWatch()
    }

    @Test(arguments: scenarios.cases) func scenario(_ scenario: ScenarioCase) throws {
        try scenario.check { Attachment.record($0, named: $1) }
    }
}

private final class ScorePhone: SimulatedApp {
    func didFinishLaunching(inBackground: Bool) async { await KindsPhone.ScoreKeeper.shared.start() }
    func perform(_ action: String, with value: ScenarioValue) async throws { try await KindsPhone.ScoreKeeper.shared.addPoint() }
    func shown(_ name: String) async throws -> ScenarioValue { .integer(Int64(await KindsPhone.ScoreKeeper.shared.score)) }
}

private final class ScoreWatch: SimulatedApp {
    func didFinishLaunching(inBackground: Bool) async { await KindsWatch.ScoreKeeper.shared.start() }
    func perform(_ action: String, with value: ScenarioValue) async throws { try await KindsWatch.ScoreKeeper.shared.addPoint() }
    func shown(_ name: String) async throws -> ScenarioValue { .integer(Int64(await KindsWatch.ScoreKeeper.shared.score)) }
}
