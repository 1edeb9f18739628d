import DeviceSim
import LocalData
import Testing

@testable import SamplePhone

/// A scenario or more for each screen of the app, on both devices.
@Suite struct SampleTests {
    static let scenarios = ScenarioSuite("Scenarios", catalogs: ["Sample": SampleCatalog()]) {
        if StorageRouter.isEarlierApp { EarlierApp() } else { PhoneApp() }
    } watch: {
        WatchApp()
    }

    @Test(arguments: scenarios.cases) func scenario(_ scenario: ScenarioCase) throws {
        try scenario.check { Attachment.record($0, named: $1) }
    }
}
