import DeviceSim
import ThemePhone

/// The phone app as its device sees it.
final class PhoneApp: SimulatedApp {
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
