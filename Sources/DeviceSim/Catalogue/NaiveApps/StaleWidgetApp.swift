import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P53. Stores what comes where its widget finds it, and has the widget's timeline made anew when somebody opens the app. What comes in the background is in the
/// store, and not on the face.
class StaleWidgetApp: NSObject, NaiveApp, @unchecked Sendable {
    private typealias UserDefaults = SystemShims.UserDefaults

    private var sendings = 0
    var score: Int? { UserDefaults(suiteName: "group.com.example")?.object(forKey: "score") as? Int }

    func didEnterForeground() async { reload() }

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "score": { value in
                self.sendings += 1
                try WCSession.default.updateApplicationContext(["score": value.foundationValue, "number": self.sendings])
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["score": .shown(score), "face": ProcessContext.timelineEntry ?? .null] }

    func reload() {
        // The widget's own code, in its own process.
        ProcessContext.reloadTimeline {
            .shown(UserDefaults(suiteName: "group.com.example")?.object(forKey: "score") as? Int)
        }
    }

    func stored(_ new: Int, before: Int?) {}

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        guard let new = applicationContext["score"] as? Int else { return }
        let before = score
        UserDefaults(suiteName: "group.com.example")?.set(new, forKey: "score")
        stored(new, before: before)
    }
}
