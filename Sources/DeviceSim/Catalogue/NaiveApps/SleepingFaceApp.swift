import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P28. Renews its complication when a complication info wakes the watch app. With complications of WidgetKit it may not (W96): the info lies there, and the
/// face is old until somebody opens the app.
class SleepingFaceApp: NSObject, NaiveApp, @unchecked Sendable {
    typealias UserDefaults = SystemShims.UserDefaults

    /// What the face showed when somebody opened the app.
    private var faceWhenOpened: Int?

    /// What the complication draws.
    private var face: Int? {
        get { UserDefaults.standard.object(forKey: "score") as? Int }
        set { UserDefaults.standard.set(newValue, forKey: "score") }
    }

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        ["score": { value in try self.tell(["score": value.foundationValue]) }]
    }

    var screen: [String: ScenarioValue] { ["score": .shown(face), "face when opened": .shown(faceWhenOpened)] }

    func didFinishLaunching(inBackground: Bool) async {
        faceWhenOpened = face
        startSession()
    }

    func didEnterForeground() async { faceWhenOpened = face }

    func tell(_ news: [String: Any]) throws {
        WCSession.default.transferCurrentComplicationUserInfo(news)
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) { face = userInfo["score"] as? Int ?? face }
    func session(_ session: WCSession, didReceiveApplicationContext context: [String: Any]) { face = context["score"] as? Int ?? face }
    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {}
}
