import DeviceSimCore
import WatchConnectivity

/// The remedy of P30: a note is forgotten when the other app says that it has stored it, and goes again to an app that is new.
final class StoredIsSaidApp: FinishedIsStoredApp, @unchecked Sendable {
    override func finished(_ note: String) {}

    override func stored(_ note: String) {
        WCSession.default.transferUserInfo(["stored": note])
    }

    override func sessionWatchStateDidChange(_ session: WCSession) {
        guard session.isWatchAppInstalled else { return }
        for note in outbox { session.transferUserInfo(["note": note]) }
    }
}
