import WatchConnectivity

/// The remedy of P3: commands are events, and events are user infos, which queue and arrive in order, each one (W80).
final class CommandQueueApp: CommandContextApp, @unchecked Sendable {
    override func send(_ command: [String: Any]) throws {
        WCSession.default.transferUserInfo(command)
    }

    override func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        execute(userInfo)
    }
}
