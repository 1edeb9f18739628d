import WatchConnectivity

/// The remedy of P9: lets `isReachable` decide nothing. It sends a message, and what comes back as failed goes as a user info.
final class TriesFirstApp: ReachableOnlyApp, @unchecked Sendable {
    override func send(_ state: [String: Any]) {
        WCSession.default.sendMessage(state, replyHandler: { _ in }, errorHandler: { _ in WCSession.default.transferUserInfo(state) })
    }

    override func lost() {}
}
