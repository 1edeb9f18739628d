import PantryCore
import WatchConnectivity

/// Sends the pantry to the other device after each change.
final class PantryLink: NSObject, WCSessionDelegate {
    static let shared = PantryLink()

    func start() {
        PantryCore.PantryStore.shared.onChange = { data in
            try? WCSession.default.updateApplicationContext(["items": data])
        }
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?) {}

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        guard let data = applicationContext["items"] as? Data else { return }
        DispatchQueue.main.async { try? PantryStore.shared.replace(with: data) }
    }

    #if os(iOS)
        func sessionDidBecomeInactive(_ session: WCSession) {}
        func sessionDidDeactivate(_ session: WCSession) { session.activate() }
    #endif
}
