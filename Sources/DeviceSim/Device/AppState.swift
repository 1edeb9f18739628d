/// The life-cycle state of a running app. An app that does not run has none.
public enum AppState: String, Sendable, Hashable, CaseIterable {
    case foreground
    case background
    /// In memory, running nothing.
    case suspended
}
