import DeviceSimCore
import WatchConnectivity

/// The remedy of P17: what the counterpart sent is in `receivedApplicationContext`.
final class ReceivedContextApp: WrongContextApp, @unchecked Sendable {
    override var context: [String: Any] { WCSession.default.receivedApplicationContext }
}
