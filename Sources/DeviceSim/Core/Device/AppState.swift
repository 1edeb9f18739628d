/// The life-cycle state of a running app. An app that does not run has none.
public enum AppState: String, Sendable, Hashable, CaseIterable {
    /// On the screen.
    case foreground
    /// Running without being on the screen.
    case background
    /// In memory, running nothing.
    case suspended
}
