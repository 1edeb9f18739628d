import DeviceSimCore
import SimulatedSystem
import WatchConnectivity

/// An app as people really write it, with one mistake that published apps made; or the same app with the mistake put right. One class is the
/// phone and the watch app, and the delegate of its session.
///
/// What is here is what such apps have in common, and none of their mistakes: they set the delegate and activate the session at launch, and again after a
/// watch switch. An app's class lists its buttons and what its screen shows; a step such as `phone app does "choose theme" with "dark"` presses a
/// button, an expectation such as `expect watch app shows "theme" "dark"` looks at the screen.
///
/// Like any app's, its state is memory that ends with the process, unless it is in the preferences. Confined to the simulation's thread.
protocol NaiveApp: SimulatedApp, WCSessionDelegate {
    /// What somebody can do, by name. The value is ``ScenarioValue/null`` where the step gives none.
    var buttons: [String: (ScenarioValue) async throws -> Void] { get }
    /// What is to be seen, by name; ``ScenarioValue/null`` for nothing.
    var screen: [String: ScenarioValue] { get }
}

extension NaiveApp {
    /// Stands for `#if os(iOS)`, since one class is compiled once here.
    var isPhoneApp: Bool { ProcessContext.current?.life.device.isPhone == true }

    func didFinishLaunching(inBackground: Bool) async {
        startSession()
    }

    func startSession() {
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}

    func sessionDidBecomeInactive(_ session: WCSession) {}

    func sessionDidDeactivate(_ session: WCSession) {
        session.activate()
    }

    /// They complete what the system gives them once everything has come (W110), looking each second.
    func handleBackgroundTask(_ task: ConnectivityRefreshTask) async {
        complete(task)
    }

    func complete(_ task: ConnectivityRefreshTask) {
        SystemShims.DispatchQueue.main.asyncAfter(deadline: .now().advanced(by: 1)) { [weak self] in
            let session = WCSession.default
            guard session.activationState == .activated, !session.hasContentPending else {
                self?.complete(task)
                return
            }
            task.setTaskCompletedWithSnapshot(false)
        }
    }

    func perform(_ action: String, with value: ScenarioValue) async throws {
        guard let button = buttons[action] else {
            throw AppActionError("this app has no action '\(action)'; it has \(Suggestion.list(buttons.keys.sorted(), last: "and"))")
        }
        try await button(value)
    }

    func shown(_ name: String) async throws -> ScenarioValue {
        guard let value = screen[name] else {
            throw AppActionError("this app shows no '\(name)'; it shows \(Suggestion.list(screen.keys.sorted(), last: "and"))")
        }
        return value
    }
}

extension ScenarioValue {
    /// What a screen shows of something that may not be there.
    static func shown(_ value: (some ScenarioRepresentable)?) -> ScenarioValue {
        value?.scenarioValue ?? .null
    }
}
