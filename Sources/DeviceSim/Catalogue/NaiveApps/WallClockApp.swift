import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P23. The newer wins, by the time of day at which it was chosen; each device asks its own clock. What a fast clock has stamped wins against what was
/// chosen after it.
final class WallClockApp: NSObject, NaiveApp, @unchecked Sendable {
    private var theme: String?
    private var chosenAt = Date.distantPast

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in
                self.theme = String(value)
                self.chosenAt = SystemShims.now
                try WCSession.default.updateApplicationContext(["theme": value.foundationValue, "at": self.chosenAt])
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(theme)] }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        guard let date = applicationContext["at"] as? Date, date > chosenAt else { return }
        theme = applicationContext["theme"] as? String
        chosenAt = date
    }
}
