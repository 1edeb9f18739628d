/// Something happens between the devices.
public enum LinkStep: Sendable, Hashable {
    case up
    case down
    /// One way, from now on.
    case latency(VirtualDuration)
    case pair
    case unpair
    /// Pairs the watch and restores what was backed up of it when it was unpaired.
    case pairFromBackup
    /// The phone's second watch.
    case pairSecondWatch
    case unpairSecondWatch
    /// A person puts on another one of the phone's watches (W12).
    case switchWatch(to: DeviceID)
}
