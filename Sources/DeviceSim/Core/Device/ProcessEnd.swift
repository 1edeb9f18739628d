/// How an app's process ends.
public enum ProcessEnd: String, Sendable, Hashable, CaseIterable {
    /// By the system or a person.
    case terminate
    /// Its code failed, or the device lost power.
    case crash
}
