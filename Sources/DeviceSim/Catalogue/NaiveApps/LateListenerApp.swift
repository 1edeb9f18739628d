import DeviceSimCore
import Foundation
import WatchConnectivity

/// P7. Hands what arrives to whoever listens. The screen that shows it is opened later, begins to listen then, and shows nothing: what came was news
/// to nobody.
class LateListenerApp: NSObject, NaiveApp, @unchecked Sendable {
    private var listener: ((String) -> Void)?
    private var shownTheme: String?

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in try WCSession.default.updateApplicationContext(["theme": value.foundationValue]) },
            "open screen": { _ in self.open() },
        ]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(shownTheme)] }

    func open() {
        listener = { self.shownTheme = $0 }
    }

    func show(_ context: [String: Any]) {
        if let theme = context["theme"] as? String { listener?(theme) }
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        show(applicationContext)
    }
}
