import WatchConnectivity

/// The remedy of P7: a screen first reads what has been received so far, which the session keeps (W46), and then listens for what is new.
final class ReadsOnOpeningApp: LateListenerApp, @unchecked Sendable {
    override func open() {
        super.open()
        show(WCSession.default.receivedApplicationContext)
    }
}
