/// The window of a phone app whose delegate keeps one, as UIKit has it. Nothing is drawn in it.
@MainActor open class UIWindow: UIResponder {
    /// Whether the window was made the one that gets events, and has not been hidden since.
    public private(set) var isKeyWindow = false
    /// Kept for the app. Hiding a window also takes its events away.
    public var isHidden = true {
        didSet { if isHidden { isKeyWindow = false } }
    }

    /// A window that is hidden.
    nonisolated public override init() {}

    /// Shows the window, and makes it the one that gets events.
    public func makeKeyAndVisible() {
        isHidden = false
        isKeyWindow = true
    }
}
