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
    /// The external key material that the app registers providers of at launch, but for the withheld: see ``SimulatedKeyMaterial``.
    public var keyMaterialSources: Set<String> = []
    public var withheldSources: Set<String> = []
    /// What the app does with a message that wants a reply.
    public var reply = Reply.reference

    public enum Reply: Sendable {
        /// Answers LocalData's sync requests, and everything else with an empty dictionary.
        case reference
        /// Answers this, whatever was asked.
        case fixed(AppReply)
        /// Lets go of the reply handler without calling it.
        case never
    }

    public init() {}
}

/// A fixed answer to messages.
public struct AppReply: Sendable {
    /// An object for messages, data for message data.
    public let value: ScenarioValue
    /// How long after the message's delivery the app answers.
    public let delay: VirtualDuration

    public init(value: ScenarioValue, delay: VirtualDuration) {
        self.value = value
        self.delay = delay
    }
}
