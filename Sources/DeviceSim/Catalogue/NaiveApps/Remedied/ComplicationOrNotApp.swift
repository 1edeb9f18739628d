import DeviceSimCore
import WatchConnectivity

/// The remedy of P29: `isComplicationEnabled` says how urgent it is, and not whether to send at all.
final class ComplicationOrNotApp: ComplicationEnabledApp, @unchecked Sendable {
    override func tellWithoutComplication(_ news: [String: Any]) throws {
        try WCSession.default.updateApplicationContext(news)
    }
}
