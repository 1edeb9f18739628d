import DeviceSim
import LocalData

final class NotesApp: SimulatedApp {
    private let session = NotesSession()

    func didFinishLaunching(inBackground: Bool) async {
        try? await session.start()
    }

    func didEnterForeground() async {
        try? await StorageRouter.shared.protectedDataBecameAvailable()
    }

    func protectedDataDidBecomeAvailable() async {
        try? await StorageRouter.shared.protectedDataBecameAvailable()
    }

    func perform(_ action: String, with value: ScenarioValue) async throws {
        switch (action, value) {
        case ("choose theme", .string(let theme)): try await NotesModel.choose(theme)
        default: throw AppActionError("the app has no action '\(action)'")
        }
    }

    func shown(_ name: String) async throws -> ScenarioValue {
        switch name {
        case "theme": .string(try await NotesModel.theme())
        default: throw AppActionError("the app shows no '\(name)'")
        }
    }
}
