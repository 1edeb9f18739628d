import WatchConnectivity

/// The remedy of P50: a position is of use while somebody looks at it, and goes as a message to a watch app that is reachable. The launches are left for what
/// matters.
final class PositionInFrontApp: EveryPositionApp, @unchecked Sendable {
    override func moved(to place: String) {
        guard WCSession.default.isReachable else { return }
        WCSession.default.sendMessage(["position": place], replyHandler: nil) { _ in }
    }
}
