import WatchConnectivity

extension WCSessionActivationState {
    /// As scenario files write it.
    var notation: String {
        switch self {
        case .notActivated: "notActivated"
        case .inactive: "inactive"
        case .activated: "activated"
        @unknown default: "unknown"
        }
    }
}
