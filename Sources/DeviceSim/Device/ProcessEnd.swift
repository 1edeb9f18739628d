/// How an app's process ends.
public enum ProcessEnd: String, Sendable, Hashable, CaseIterable {
    /// By the system or a person.
    case terminate
    case crash
}
