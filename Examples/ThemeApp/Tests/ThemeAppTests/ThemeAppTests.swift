import DeviceSim
import Foundation
import Testing
import ThemePhone

@testable import ThemePair

@Suite struct ThemeAppTests {
    static let scenarios = ScenarioSuite(
        "Scenarios/theme", catalogs: ["Theme": ThemePhone.ThemeCatalog()], invariants: [.bothShow("theme")]
    ) {
        PhoneApp()
    } watch: {
        WatchApp()
    }

    @Test(arguments: scenarios.cases) func scenario(_ scenario: ScenarioCase) throws {
        try scenario.check { Attachment.record($0, named: $1) }
    }
}
