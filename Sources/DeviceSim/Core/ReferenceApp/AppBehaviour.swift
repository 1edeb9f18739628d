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
    /// The external key material that the app registers providers of at launch, but for the withheld: see `SimulatedKeyMaterial`.
    public var keyMaterialSources: Set<String> = []
    /// The sources of ``keyMaterialSources`` whose provider is not registered, as if nobody were signed in.
    public var withheldSources: Set<String> = []
    /// What the app does with a message that wants a reply.
    public var reply = Reply.reference

    /// What the app does with a file that it receives.
    public var files = ReceivedFiles.kept(in: "Documents/Received")
    /// What the app does with a refresh task (W110).
    public var refreshTasks = RefreshTasks.whenDone
    /// Whether the app crashes in the next callback that gives it something from the counterpart (W87).
    public var crashesWhileReceiving = false
    /// The user infos that the app was given, in that order.
    public internal(set) var receivedUserInfos: [ScenarioValue] = []

    /// Of the transfers that a scenario asked the app for.
    package var transferLogs: [TransferLog] = []

    /// What becomes of a received file.
    public enum ReceivedFiles: Sendable, Hashable {
        /// Moves it into a directory of the container, before the callback returns.
        case kept(in: String)
        /// Looks at it after the callback has returned, which is too late (P21).
        case readLater
        /// The app does nothing with it: the system deletes it after the callback.
        case ignored
    }

    /// When the app completes a refresh task.
    public enum RefreshTasks: String, Sendable, Hashable, CaseIterable {
        /// When all content has come; before it has looked; or not at all.
        case whenDone, atOnce, never
    }

    /// What the app answers a message with.
    public enum Reply: Sendable {
        /// Answers LocalData's sync requests, and everything else with an empty dictionary.
        case reference
        /// Answers this, whatever was asked.
        case fixed(AppReply)
        /// Lets go of the reply handler without calling it.
        case never
    }

    /// A reference app that does everything right.
    public init() {}
}

/// A fixed answer to messages.
public struct AppReply: Sendable {
    /// An object for messages, data for message data.
    public let value: ScenarioValue
    /// How long after the message's delivery the app answers.
    public let delay: VirtualDuration

    /// An answer that is given after a delay.
    public init(value: ScenarioValue, delay: VirtualDuration) {
        self.value = value
        self.delay = delay
    }
}
