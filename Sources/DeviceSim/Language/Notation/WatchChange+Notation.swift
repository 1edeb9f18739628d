extension WatchChange {
    /// Without the device.
    var notation: String {
        switch self {
        case .wristDown: "wrist down"
        case .wristUp: "wrist up"
        case .crown: "crown"
        case .covered: "covered"
        case .takenOff: "taken off"
        case .putOn: "put on"
        case .frontmostTime(let time): "stays frontmost for \(time)"
        case .starts(let session): "\(session) starts"
        case .ends(let session): "\(session) ends"
        case .complicationLoads: "complication loads"
        case .refreshes: "refreshes in background"
        case .computes(let time): "computes for \(time)"
        }
    }
}
