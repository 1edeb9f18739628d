import WatchConnectivity

/// The remedy of P26: tries, whatever `isWatchAppInstalled` says, and tries again when something of the watch has changed.
final class SendsAnywayApp: InstalledOnlyApp, @unchecked Sendable {
    private var isWaiting = false

    override var hasReceiver: Bool { true }

    override func send() {
        isWaiting = false
        super.send()
    }

    override func failed() { isWaiting = true }

    override func sessionWatchStateDidChange(_ session: WCSession) {
        if isWaiting { send() }
    }
}
