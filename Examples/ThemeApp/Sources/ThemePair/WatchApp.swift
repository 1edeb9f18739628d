import DeviceSim
import ThemeWatch

/// The watch app as its device sees it.
final class WatchApp: SimulatedApp {
    private let session = ThemeWatch.ThemeSession()
    private let work = BackgroundWork()

    func didFinishLaunching(inBackground: Bool) async {
        try? await session.start()
    }

    /// As the app's delegate does with what the system launches it for: a task that stays open ends the app.
    func handleBackgroundTask(_ task: ConnectivityRefreshTask) async {
        work.whenDone { task.setTaskCompletedWithSnapshot(false) }
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
