import DeviceSimCore
import WatchConnectivity

/// The remedy of P34: the phone is told of every run, keeps it, and gives it to a watch that has the app anew.
final class OnBothDevicesApp: OnlyOnTheWatchApp, @unchecked Sendable {
    override func recorded() { tell() }

    override func sessionWatchStateDidChange(_ session: WCSession) {
        if session.isWatchAppInstalled { tell() }
    }

    private func tell() {
        WCSession.default.transferUserInfo(["runs": runs])
    }
}
