import WatchConnectivity

/// The remedy of P18: `sessionDidDeactivate` activates the session again, for the watch that is worn now.
final class ReactivatingApp: NeverReactivatesApp, @unchecked Sendable {
    override func sessionDidDeactivate(_ session: WCSession) {
        session.activate()
    }
}
