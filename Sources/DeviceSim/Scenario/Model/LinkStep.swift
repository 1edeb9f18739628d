/// Something happens between the devices.
public enum LinkStep: Sendable, Hashable {
    case up
    case down
    /// One way, from now on.
    case latency(VirtualDuration)
    case pair
    case unpair
}
