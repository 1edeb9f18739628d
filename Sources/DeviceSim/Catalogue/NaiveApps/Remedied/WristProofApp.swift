import DeviceSimCore
import WatchConnectivity

/// The remedy of P25: a state is a context, which asks neither for the wrist nor for the other app.
final class WristProofApp: WristDownApp, @unchecked Sendable {
    override func tell(_ news: [String: Any]) {
        try? WCSession.default.updateApplicationContext(news)
    }
}
