import WatchConnectivity

extension WCSession {
    /// What keeps this device from sending right now, or `nil`. The only place that knows which side can ask what (section 1 of the rules).
    static func syncObstacle(for role: DeviceRole) -> SyncObstacle? {
        guard role != .host, isSupported() else { return .sessionNotSupported }
        let session = WCSession.default
        switch session.activationState {
        case .activated: break
        case .inactive: return .sessionInactive
        case .notActivated: return .sessionNotActivated
        @unknown default: return .sessionNotActivated
        }
        #if os(watchOS)
            return session.isCompanionAppInstalled ? nil : .counterpartAppNotInstalled
        #elseif os(iOS)
            return session.obstacleOfPhone
        #else
            if role == .watch { return session.isCompanionAppInstalled ? nil : .counterpartAppNotInstalled }
            return session.obstacleOfPhone
        #endif
    }

    #if !os(watchOS)
        private var obstacleOfPhone: SyncObstacle? {
            guard isPaired else { return .counterpartNotPaired }
            return isWatchAppInstalled ? nil : .counterpartAppNotInstalled
        }
    #endif
}

extension SyncSnapshot {
    /// The latest version of a key in what the session sent and received last; `nil` where it cannot tell.
    /// - Parameter isMeant: Whether what was received counts.
    static func latestStamp(of name: String, ifReceived isMeant: (SyncSnapshot) -> Bool = { _ in true }) -> SyncStamp? {
        guard WCSession.isSupported(), WCSession.default.activationState == .activated else { return nil }
        let sent = try? SyncSnapshot(in: WCSession.default.applicationContext)?.withinLimits()
        let received = try? SyncSnapshot(in: WCSession.default.receivedApplicationContext)?.withinLimits()
        return [sent, received.flatMap { isMeant($0) ? $0 : nil }].compactMap { $0?.entries[name]?.stamp }.max()
    }
}
