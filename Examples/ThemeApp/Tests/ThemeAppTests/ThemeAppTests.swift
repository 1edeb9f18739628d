import DeviceSim
import Foundation
import Testing
import ThemePhone
import ThemeWatch

@Suite struct ThemeAppTests {
    static let scenarios = ScenarioSuite("Scenarios/theme", catalogs: ["Theme": ThemePhone.ThemeCatalog()]) {
        PhoneApp()
    } watch: {
        WatchApp()
    }

    @Test(arguments: scenarios.cases) func scenario(_ scenario: ScenarioCase) throws {
        try scenario.check { Attachment.record($0, named: $1) }
    }
}

/// The phone app as its device sees it.
private final class PhoneApp: SimulatedApp {
    private let session = ThemePhone.ThemeSession()

    func didFinishLaunching(inBackground: Bool) async {
        try? await session.start()
    }

    func perform(_ action: String, with value: ScenarioValue) async throws {
        switch (action, value) {
        case ("choose theme", .string(let theme)): try await ThemePhone.ThemeModel.shared.choose(theme)
        case ("greet", _): session.greet()
        default: throw AppActionError("the phone app has no action '\(action)'")
        }
    }

    func shown(_ name: String) async throws -> ScenarioValue {
        switch name {
        case "theme": .string(await ThemePhone.ThemeModel.shared.theme)
        case "counterpart": await ThemePhone.ThemeModel.shared.counterpart.map { .string($0) } ?? .null
        default: throw AppActionError("the phone app shows no '\(name)'")
        }
    }
}

/// The watch app as its device sees it.
private final class WatchApp: SimulatedApp {
    private let session = ThemeWatch.ThemeSession()

    func didFinishLaunching(inBackground: Bool) async {
        try? await session.start()
    }

    func perform(_ action: String, with value: ScenarioValue) async throws {
        switch (action, value) {
        case ("choose theme", .string(let theme)): try await ThemeWatch.ThemeModel.shared.choose(theme)
        case ("greet", _): session.greet()
        default: throw AppActionError("the watch app has no action '\(action)'")
        }
    }

    func shown(_ name: String) async throws -> ScenarioValue {
        switch name {
        case "theme": .string(await ThemeWatch.ThemeModel.shared.theme)
        case "counterpart": await ThemeWatch.ThemeModel.shared.counterpart.map { .string($0) } ?? .null
        default: throw AppActionError("the watch app shows no '\(name)'")
        }
    }
}
