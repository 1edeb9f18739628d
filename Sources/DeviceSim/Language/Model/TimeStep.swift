import DeviceSimCore

/// Time passes, or is noted.
public enum TimeStep: Sendable, Hashable {
    /// Lets so much time pass.
    case wait(VirtualDuration)
    /// Lets time pass until this long after the first step began. In the past: a failure of the step.
    case at(VirtualDuration)
    /// Lets time pass until nothing is left to happen, for at most `limit` (`nil`: the simulation's own limit).
    case settle(limit: VirtualDuration?)
    /// Notes the present place in the trace, for expectations `since` it.
    case mark(String)
}
