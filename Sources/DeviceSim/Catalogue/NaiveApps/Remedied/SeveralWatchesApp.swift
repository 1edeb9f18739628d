import DeviceSimCore
import WatchConnectivity

/// The remedy of P36: has both methods, and activates the session again in the second one.
final class SeveralWatchesApp: OneWatchApp, @unchecked Sendable {
    override func sessionDidBecomeInactive(_ session: WCSession) {}
    override func sessionDidDeactivate(_ session: WCSession) { session.activate() }
}
