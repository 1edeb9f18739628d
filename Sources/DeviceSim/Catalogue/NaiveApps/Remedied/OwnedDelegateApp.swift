import WatchConnectivity

/// The remedy of P16: the app's own object is the delegate, set after whatever else would be, and tells the others what came.
final class OwnedDelegateApp: StolenDelegateApp, @unchecked Sendable {
    override func didFinishLaunching(inBackground: Bool) async {
        analytics.start()
        startSession()
    }

    override func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        super.session(session, didReceiveApplicationContext: applicationContext)
        analytics.session(session, didReceiveApplicationContext: applicationContext)
    }
}
