import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P48. Built with the main actor as default isolation (Swift 6.2), so its delegate's methods are the main actor's too. The session calls them on a queue of its
/// own (W11): the check that Swift puts at their entrance ends the app.
class MainActorDelegateApp: NSObject, NaiveApp, @unchecked Sendable {
    private var theme: String?

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        ["choose theme": { value in try WCSession.default.updateApplicationContext(["theme": value.foundationValue]) }]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(theme)] }

    /// As the compiler makes them of `@MainActor` methods.
    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        show(applicationContext["theme"] as? String)
    }

    func show(_ theme: String?) {
        NaiveTraps.assumeMainActor()
        self.theme = theme
    }
}
