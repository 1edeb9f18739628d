import DeviceSim
import Foundation
import LocalData
import WatchConnectivity

/// A theme that is nowhere but in the contexts, with a number that grows: the higher one is the later choice. No LocalData.
final class ThemeInContexts: NSObject, SimulatedApp, WCSessionDelegate, @unchecked Sendable {
    enum Mistake: Sendable {
        /// The counterpart's choice is taken, be it older than the own one.
        case takesWhatComes
        /// The same at the launch alone.
        case takesWhatCameAtLaunch
        /// The task of a refresh is left open.
        case leavesTasksOpen
        /// What arrives is answered by what the app has, under a new number: the two answer each other for ever.
        case answersEachContext
    }

    private let mistake: Mistake?
    private var theme = ""

    init(_ mistake: Mistake?) { self.mistake = mistake }

    func didFinishLaunching(inBackground: Bool) async {
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func handleBackgroundTask(_ task: ConnectivityRefreshTask) async {
        if mistake != .leavesTasksOpen { task.setTaskCompletedWithSnapshot(false) }
    }

    func perform(_ action: String, with value: ScenarioValue) async throws {
        guard action == "choose", case .string(let theme) = value else { throw AppActionError("there is no action '\(action)'") }
        let session = WCSession.default
        let seen = [session.applicationContext, session.receivedApplicationContext]
        let number = (seen.compactMap { $0["number"] as? Int }.max() ?? 0) + 1
        try session.updateApplicationContext(["theme": theme, "number": number, "by": StorageRouter.shared.environment.device.identifier])
        show(heard: session.receivedApplicationContext)
    }

    func shown(_ name: String) async throws -> ScenarioValue {
        guard name == "theme" else { throw AppActionError("there is no '\(name)'") }
        return .string(theme)
    }

    private func show(heard: [String: Any]? = nil) {
        let session = WCSession.default
        func rank(_ context: [String: Any]) -> (Int, String) { (context["number"] as? Int ?? 0, context["by"] as? String ?? "") }
        let (own, other) = (session.applicationContext, heard ?? session.receivedApplicationContext)
        let takesOther = mistake == .takesWhatComes || mistake == .takesWhatCameAtLaunch && heard == nil
        let later = takesOther && !other.isEmpty || rank(own) < rank(other) ? other : own
        theme = later["theme"] as? String ?? ""
    }

    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?) { show() }
    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        show(heard: applicationContext)
        guard mistake == .answersEachContext, let number = applicationContext["number"] as? Int else { return }
        try? session.updateApplicationContext(["theme": theme, "number": number + 1, "by": "everybody"])
    }
    func sessionDidBecomeInactive(_ session: WCSession) {}
    func sessionDidDeactivate(_ session: WCSession) { session.activate() }
}
