import DeviceSim
import Testing

@testable import PantryPhone
@testable import PantryWatch

/// An app of two modules.
@Suite struct PantryTests {
    static let scenarios = ScenarioSuite("Scenarios/pantry") {
        PantryOfPhone()
    } watch: {
        PantryOfWatch()
    }

    @Test(arguments: scenarios.cases) func scenario(_ scenario: ScenarioCase) throws {
        try scenario.check { Attachment.record($0, named: $1) }
    }
}

private final class PantryOfPhone: SimulatedApp {
    @MainActor func didFinishLaunching(inBackground: Bool) async { PantryPhone.PantryLink.shared.start() }

    @MainActor func perform(_ action: String, with value: ScenarioValue) async throws {
        guard case .string(let name) = value else { throw AppActionError("the app has no action '\(action)'") }
        PantryPhone.PantryModel().add(name)
    }

    @MainActor func shown(_ name: String) async throws -> ScenarioValue {
        .array(PantryPhone.PantryModel().lines.map { .string($0) })
    }
}

private final class PantryOfWatch: SimulatedApp {
    @MainActor func didFinishLaunching(inBackground: Bool) async { PantryWatch.PantryLink.shared.start() }

    @MainActor func perform(_ action: String, with value: ScenarioValue) async throws {
        guard case .string(let name) = value else { throw AppActionError("the app has no action '\(action)'") }
        PantryWatch.PantryModel().add(name)
    }

    @MainActor func shown(_ name: String) async throws -> ScenarioValue {
        .array(PantryWatch.PantryModel().lines.map { .string($0) })
    }
}
