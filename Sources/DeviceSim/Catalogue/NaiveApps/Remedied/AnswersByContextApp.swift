import WatchConnectivity

/// The remedy of P49: what the watch is to know is a context, which needs nobody to be reachable.
final class AnswersByContextApp: AnswersByMessageApp, @unchecked Sendable {
    override func answer(_ theme: String) {
        try? WCSession.default.updateApplicationContext(["theme": theme])
    }
}
