import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P37. Keeps a setting in the preferences of an App Group, which the phone's app and the watch's are both in. The group is one on each device (W150): what is
/// stored on the phone never comes to the watch.
class GroupIsSharedApp: NSObject, NaiveApp, @unchecked Sendable {
    private typealias UserDefaults = SystemShims.UserDefaults

    var theme: String? {
        get { UserDefaults(suiteName: "group.com.example")?.string(forKey: "theme") }
        set { UserDefaults(suiteName: "group.com.example")?.set(newValue, forKey: "theme") }
    }

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in
                self.theme = String(value)
                try self.chosen()
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(theme)] }

    func chosen() throws {}

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        theme = applicationContext["theme"] as? String
    }
}
