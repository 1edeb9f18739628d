import DeviceSimCore
import WatchConnectivity

/// The remedy of P28: the state is a context too, which wakes the watch app for reasons of its own (W110).
final class AwakeFaceApp: SleepingFaceApp, @unchecked Sendable {
    override func tell(_ news: [String: Any]) throws {
        try super.tell(news)
        try WCSession.default.updateApplicationContext(news)
    }
}
