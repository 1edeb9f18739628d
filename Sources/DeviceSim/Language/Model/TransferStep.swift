import DeviceSimCore

/// The app on a device transfers something in the background, or is told how to behave towards what it receives that way.
public struct TransferStep: Sendable, Hashable {
    /// On which device.
    public let device: DeviceID
    /// What app code transfers.
    public let action: Action
    /// What the app is told through `didFinish`, if it is told of a failure. The step then waits for that.
    public let outcome: StepOutcome

    /// A step of app code with a transfer in the background.
    public init(_ device: DeviceID, _ action: Action, outcome: StepOutcome = .succeeds) {
        self.device = device
        self.action = action
        self.outcome = outcome
    }

    /// What app code can do with transfers.
    public enum Action: Sendable, Hashable {
        /// `label` names the transfer for later steps and expectations.
        case userInfo(ScenarioValue, label: String?)
        /// `transferCurrentComplicationUserInfo(_:)`, under a label to speak of it.
        case complication(ScenarioValue, label: String?)
        /// `path` is relative to the app's container.
        case file(path: String, metadata: ScenarioValue?, label: String?)
        /// Calls `cancel()` on the object of a labelled transfer, or on the one that stands for it after a relaunch.
        case cancel(String)
        /// The app writes a file, so that there is one to transfer. Data, or the bytes of a text.
        case writeFile(path: String, ScenarioValue)
        /// From now on the app does this with files that it receives. Survives the process: it is the app's code.
        case receivedFiles(AppBehaviour.ReceivedFiles)
        /// From now on the app does this with refresh tasks. Survives the process: it is the app's code.
        case refreshTasks(AppBehaviour.RefreshTasks)
        /// The app crashes in the next callback that gives it something (W87).
        case crashesWhileReceiving
    }
}
