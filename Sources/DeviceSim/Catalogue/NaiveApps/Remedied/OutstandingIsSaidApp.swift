import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// The remedy of P52: the status is what is outstanding, and since when; after a day it says what helps. Nothing is taken back: what is queued goes when it can.
final class OutstandingIsSaidApp: SentIsSentApp, @unchecked Sendable {
    override func willSend() {
        guard WCSession.default.outstandingUserInfoTransfers.isEmpty else { return }
        UserDefaults.standard.set(SystemShims.now, forKey: "waiting since")
    }

    override var status: String {
        guard !WCSession.default.outstandingUserInfoTransfers.isEmpty else { return "all sent" }
        let since = UserDefaults.standard.object(forKey: "waiting since") as? Date ?? SystemShims.now
        return SystemShims.now.timeIntervalSince(since) < 86_400 ? "waiting" : "restart the phone"
    }
}
