import DeviceSim
import Testing

@testable import KindsPhone
@testable import KindsWatch

/// An app of delegates, run by the life of its device.
@Suite struct VisitsTests {
    static let scenarios = ScenarioSuite("Scenarios/visits") {
        VisitsPhone()
    } watch: {
        VisitsWatch()
    }

    @Test(arguments: scenarios.cases) func scenario(_ scenario: ScenarioCase) throws {
        try scenario.check { Attachment.record($0, named: $1) }
    }
}

private final class VisitsPhone: HostedApp, @unchecked Sendable {
    init() { super.init { KindsPhone.AppDelegate() } }

    override func shown(_ name: String) async throws -> ScenarioValue {
        .integer(Int64(name == "own" ? KindsPhone.Visits.shared.own : KindsPhone.Visits.shared.received))
    }
}

private final class VisitsWatch: HostedApp, @unchecked Sendable {
    init() { super.init(watch: { KindsWatch.AppDelegate() }) }

    override func shown(_ name: String) async throws -> ScenarioValue {
        .integer(Int64(name == "own" ? KindsWatch.Visits.shared.own : KindsWatch.Visits.shared.received))
    }
}
