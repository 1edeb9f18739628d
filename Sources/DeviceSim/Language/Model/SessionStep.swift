import DeviceSimCore
import WatchConnectivity

/// The app on a device uses its session, or is told how to behave towards it.
public struct SessionStep: Sendable, Hashable {
    /// On which device.
    public let device: DeviceID
    /// What app code does with the session.
    public let action: Action
    /// For a send: what its error handler is told. The step then waits for that.
    public let outcome: StepOutcome

    /// A step of app code with the session.
    public init(_ device: DeviceID, _ action: Action, outcome: StepOutcome = .succeeds) {
        self.device = device
        self.action = action
        self.outcome = outcome
    }

    /// What app code can do with the session.
    public enum Action: Sendable, Hashable {
        /// Sets the delegate and calls `activate()`; does not wait for the result.
        case activate
        /// Calls `activate()` on a session without a delegate (W4).
        case activateWithoutDelegate
        /// Lets go of the delegate, which the session holds weakly (W8).
        case releaseDelegate
        /// `updateApplicationContext(_:)`.
        case updateContext(ScenarioValue)
        /// `label` names the message for later expectations.
        case sendMessage(ScenarioValue, expectsReply: Bool, label: String?)
        /// The value is ``ScenarioValue/data(_:)``.
        case sendMessageData(ScenarioValue, expectsReply: Bool, label: String?)
        /// From now on the app's delegate has, or lacks, that optional method. Survives the process: it is the app's code.
        case implements(WCSessionDelegateMethod, Bool)
        /// From its next launch on the app registers, or not, a provider of the key material of that source. It is the app's code.
        case provides(source: String, Bool)
        /// From now on the app answers messages so. Survives the process: it is the app's code.
        case answersMessages(MessageAnswer)
    }
}

/// What an app does with a message that wants a reply.
public enum MessageAnswer: Sendable, Hashable {
    /// What the reference app does: answers a sync request with a snapshot and anything else with an empty dictionary.
    case asReferenceApp
    /// A fixed reply, after a time. For message data the value is ``ScenarioValue/data(_:)``.
    case reply(ScenarioValue, after: VirtualDuration)
    /// Never calls the reply handler.
    case never
}
