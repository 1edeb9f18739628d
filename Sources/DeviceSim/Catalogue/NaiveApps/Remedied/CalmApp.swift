import WatchConnectivity

/// The remedy of P42: what is queued goes by itself when it can. Reachability is for what somebody waits for, and needs no answer here.
final class CalmApp: ReactivatingStormApp, @unchecked Sendable {
    override func reconnected() {}
}
