import DeviceSim
import LocalData

final class NotesApp: SimulatedApp {
    private let session = NotesSession()
    private let work = BackgroundWork()

    func didFinishLaunching(inBackground: Bool) async {
        try? await session.start()
    }

    func didEnterForeground() async {
        try? await StorageRouter.shared.protectedDataBecameAvailable()
    }

    func protectedDataDidBecomeAvailable() async {
        try? await StorageRouter.shared.protectedDataBecameAvailable()
    }

    func handleBackgroundTask(_ task: ConnectivityRefreshTask) async {
        work.whenDone { task.setTaskCompletedWithSnapshot(false) }
    }

    func perform(_ action: String, with value: ScenarioValue) async throws {
        switch (action, value) {
        case ("choose theme", .string(let theme)): try await NotesModel.choose(theme)
        default:
            throw AppActionError("there is no action '\(action)', or its value is missing or of another kind")
        }
    }

    func shown(_ name: String) async throws -> ScenarioValue {
        switch name {
        case "theme": .string(try await NotesModel.theme())
        default: throw AppActionError("the app shows no '\(name)'")
        }
    }
}

extension NotesApp: ValueKeeping {
    func set(_ value: ScenarioValue, for key: AppKey) async throws {
        guard key.name == "token", case .string(let token) = value else {
            return try await key.set(value)
        }
        try await NotesModel.signIn(with: token)
    }
}
