import LocalData
import WatchConnectivity

/// How a device's app behaves in a scenario, over all of its processes: what a developer's code would say.
///
/// Confined to the simulation's thread.
public final class AppBehaviour: @unchecked Sendable {
    /// What the app registers at launch.
    public var catalogs: [any StorageKeyCatalog] = []
    /// Whether the app activates its session when it is launched.
    public var activatesAtLaunch = true
    /// Whether the app keeps its session's delegate alive (W8) and sets one (W4).
    public var setsDelegate = true
    /// The optional delegate methods that the app leaves out.
    public var unimplemented: Set<WCSessionDelegateMethod> = []
    /// What the app does with a message that wants a reply.
    public var reply = Reply.reference

    public enum Reply: Sendable {
        /// Answers LocalData's sync requests, and everything else with an empty dictionary.
        case reference
        /// Answers this, whatever was asked.
        case fixed(AppPayload)
        /// Lets go of the reply handler without calling it.
        case never
    }

    public init() {}
}

/// A dictionary to hand to the session, made anew for each call because `[String: Any]` cannot cross from task to task.
public struct AppPayload: Sendable {
    private let make: @Sendable () -> [String: Any]

    public init(_ make: @escaping @Sendable () -> [String: Any]) {
        self.make = make
    }

    public var dictionary: [String: Any] { make() }
}
