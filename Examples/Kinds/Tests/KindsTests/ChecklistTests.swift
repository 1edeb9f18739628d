import DeviceSim
import Testing

@testable import KindsPhone

/// An `@Observable` model that saves itself when something of it changes.
@Suite struct ChecklistTests {
    static let scenarios = ScenarioSuite("Scenarios/checklist") {
        ChecklistPhone()
    } watch: {
        ChecklistPhone()
    }

    @Test(arguments: scenarios.cases) func scenario(_ scenario: ScenarioCase) throws {
        try scenario.check { Attachment.record($0, named: $1) }
    }
}

private final class ChecklistPhone: SimulatedApp {
    @MainActor func didFinishLaunching(inBackground: Bool) async { ChecklistModel.shared.load() }

    @MainActor func perform(_ action: String, with value: ScenarioValue) async throws {
        switch (action, value) {
        case ("add", .string(let item)): ChecklistModel.shared.items.append(item)
        case ("pack", .string(let item)): ChecklistModel.shared.packed.insert(item)
        default: throw AppActionError("the app has no action '\(action)'")
        }
    }

    @MainActor func shown(_ name: String) async throws -> ScenarioValue {
        switch name {
        case "missing": .array(ChecklistModel.shared.missing.map { .string($0) })
        case "saves": .integer(Int64(ChecklistModel.shared.saves))
        default: throw AppActionError("the app shows no '\(name)'")
        }
    }
}
