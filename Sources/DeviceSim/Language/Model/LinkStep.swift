import DeviceSimCore

/// Something happens between the devices.
public enum LinkStep: Sendable, Hashable {
    /// The devices are in range of each other.
    case up
    /// The devices are out of range of each other.
    case down
    /// One way, from now on.
    case latency(VirtualDuration)
    /// The watch is paired with the phone.
    case pair
    /// The watch is unpaired.
    case unpair
    /// Pairs the watch and restores what was backed up of it when it was unpaired.
    case pairFromBackup
    /// The phone's second watch.
    case pairSecondWatch
    /// The phone's second watch is unpaired.
    case unpairSecondWatch
    /// A person puts on another one of the phone's watches (W12).
    case switchWatch(to: DeviceID)
}
