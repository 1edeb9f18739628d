import WatchConnectivity

/// What a knob may be set to, where that has names. A scenario file writes the raw value.
public protocol KnobChoice: RawRepresentable<String>, CaseIterable, Sendable, Hashable {}

/// What becomes of files in Apple's Simulator, of which Apple says that it does not support `transferFile(_:metadata:)` (W112).
public enum SimulatorFiles: String, KnobChoice {
    /// They stay outstanding for ever.
    case outstanding
    /// The sender is told that they arrived, and nothing arrives (Communicator #20).
    case finished
    /// They arrive, as in simulators before watchOS 6 (Communicator #25).
    case delivered
}

/// Whose messages fail although the counterpart seems to be reachable (W37).
public enum PhantomSide: String, KnobChoice {
    /// Those of both devices.
    case both
    /// The phone's: what the watch sends arrives.
    case phone
    /// The watch's: what the phone sends arrives.
    case watch

    func includes(_ device: DeviceID) -> Bool {
        switch self {
        case .both: true
        case .phone: device.isPhone
        case .watch: !device.isPhone
        }
    }
}

/// What messages fail with that are cancelled because the person changes watches (W13). Apple names no code.
public enum CancelledMessageError: String, KnobChoice {
    /// 7016: the session is inactive.
    case sessionInactive
    /// 7007: the counterpart is not reachable.
    case notReachable
    /// 7014: the message could not be delivered.
    case deliveryFailed
    /// 7012: no reply came in time.
    case messageReplyTimedOut
    /// 7001: no reason is given.
    case genericError

    var code: WCError.Code {
        switch self {
        case .sessionInactive: .sessionInactive
        case .notReachable: .notReachable
        case .deliveryFailed: .deliveryFailed
        case .messageReplyTimedOut: .messageReplyTimedOut
        case .genericError: .genericError
        }
    }
}

/// When the directory goes that the phone's app keeps for a watch, once the watch is unpaired or has the app no more (W24). Apple says all three.
public enum WatchDirectoryRemoval: String, KnobChoice {
    /// As soon as the phone knows that the watch is unpaired or has the app no more.
    case atOnce
    /// At the next launch of the phone's app.
    case atNextLaunch
    /// When the phone's app is told that `isWatchAppInstalled` is false.
    case whenInstalledTurnsFalse
}

/// Where the frontmost app is while the wrist is down (W114). Apple says both.
public enum LoweredWrist: String, KnobChoice {
    /// Its screen is off: it is in the background, and messages do not work (WWDC17 216).
    case background
    /// Still in the foreground, as long as it is frontmost (Apple, Taking advantage of frontmost app state).
    case foreground
}
