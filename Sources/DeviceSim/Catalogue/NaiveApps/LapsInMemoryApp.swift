import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P45. Keeps the laps of a workout in memory, and sends them when it ends. A crash, or an empty battery, ends the app and its session (W117), and with them goes
/// all that was recorded.
class LapsInMemoryApp: NSObject, NaiveApp, @unchecked Sendable {
    private typealias UserDefaults = SystemShims.UserDefaults

    private var laps: [Int] = []
    /// On the phone.
    private var received: [Int] {
        get { UserDefaults.standard.array(forKey: "laps") as? [Int] ?? [] }
        set { UserDefaults.standard.set(newValue, forKey: "laps") }
    }

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "lap": { value in
                self.laps.append(Int(value) ?? 0)
                self.recorded(Int(value) ?? 0)
            },
            "end workout": { _ in self.ended(self.laps) },
        ]
    }

    var screen: [String: ScenarioValue] { ["laps": received.scenarioValue] }

    func recorded(_ lap: Int) {}

    func ended(_ laps: [Int]) { WCSession.default.transferUserInfo(["laps": laps]) }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        received += userInfo["laps"] as? [Int] ?? []
    }

    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {}
}
