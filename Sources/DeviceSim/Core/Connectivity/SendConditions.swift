import WatchConnectivity

/// What an app can send through.
enum SendChannel: Sendable, Hashable {
    case applicationContext
    case message
    /// A user info, a complication's, or a file.
    case transfer
}

/// What decides, before the payload is looked at, whether a session takes something to send.
struct SendConditions: Sendable, Hashable {
    /// False on a phone that cannot have a watch.
    var isSupported = true
    var activation: WCSessionActivationState
    var hasDelegate: Bool
    var state: SessionState
    var device: DeviceID

    /// Why `channel` refuses, or `nil` if it does not.
    ///
    /// The order of the checks is that of the facts' weight: whether there can be a session at all; without an activated session nothing else is known; then who would be told,
    /// who is there, and what the channel needs (W7, W8, W51, W60). Types and size of the payload come after all of these (W103).
    func refusal(for channel: SendChannel) -> WCError.Code? {
        if !isSupported { return .sessionNotSupported }
        switch activation {
        case .notActivated: return .sessionNotActivated
        case .inactive: return .sessionInactive
        case .activated: break
        }
        if !hasDelegate { return .sessionMissingDelegate }
        if !state.isPaired { return .deviceNotPaired }
        if !state.isCounterpartInstalled && !state.takesSendsUnnoticed {
            return device.isPhone ? .watchAppNotInstalled : .companionAppNotInstalled
        }
        if channel == .message && !state.isReachable { return .notReachable }
        return nil
    }
}
