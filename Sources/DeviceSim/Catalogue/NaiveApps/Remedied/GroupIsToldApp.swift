import DeviceSimCore
import WatchConnectivity

/// The remedy of P37: the other device is told by a context, and keeps it in its own group.
final class GroupIsToldApp: GroupIsSharedApp, @unchecked Sendable {
    override func chosen() throws {
        try WCSession.default.updateApplicationContext(["theme": theme ?? ""])
    }
}
