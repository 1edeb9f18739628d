/// Which of an installed app's programs a process runs. Each has a process, a container, preferences and a keychain access group of its own; what App
/// Groups and shared access groups hold is common to them.
public enum AppPart: String, Sendable, Hashable, CaseIterable {
    /// The app itself.
    case app
    /// The app's widget extension. It has no session with the counterpart: `WCSession` is not for extensions, as developers report.
    case widget

    /// The part's bundle identifier, which also names its own keychain access group.
    func bundleIdentifier(ofApp bundleIdentifier: String) -> String {
        switch self {
        case .app: bundleIdentifier
        case .widget: bundleIdentifier + ".widget"
        }
    }
}
