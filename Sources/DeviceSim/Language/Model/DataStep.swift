import DeviceSimCore
import LocalData

/// The app on a device, or its widget, calls LocalData.
public struct DataStep: Sendable, Hashable {
    /// On which device.
    public let device: DeviceID
    /// The process that does it. A widget can set, get and remove values, and ask whether there is one.
    public let part: AppPart
    /// What the app's code asks LocalData for.
    public let action: Action
    /// What must come of it.
    public let outcome: StepOutcome

    /// A step of an app's code with LocalData, in the app or in its widget.
    public init(_ device: DeviceID, in part: AppPart = .app, _ action: Action, outcome: StepOutcome = .succeeds) {
        self.device = device
        self.part = part
        self.action = action
        self.outcome = outcome
    }

    /// The same process doing something else, or with another outcome.
    package func with(_ action: Action? = nil, outcome: StepOutcome? = nil) -> DataStep {
        DataStep(device, in: part, action ?? self.action, outcome: outcome ?? self.outcome)
    }

    /// What app code can ask LocalData for.
    public enum Action: Sendable, Hashable {
        /// Stores a value.
        case set(KeyReference, ScenarioValue)
        /// Reads the value, whatever it is.
        case get(KeyReference)
        /// Removes the value.
        case remove(KeyReference)
        /// Asks whether there is a value.
        case exists(KeyReference)
        /// `forceMigration(for:)`, or of every key of the app's version with `nil`.
        case migrate(KeyReference?)
        /// `rotateKeys()`
        case rotateKeys
        /// `resealValues()`
        case resealValues
        /// `retireUnneededKeys()`
        case retireKeys
        /// `auditReport()`
        case audit
        /// `setSyncPolicyOverride(_:for:)`; `nil` returns to what the key declares.
        case overrideSync(KeyReference, SyncPolicy?)
        /// `syncRegisteredKeysIfNeeded()`
        case sync
        /// Asks the counterpart for a snapshot and applies the reply.
        case requestSnapshot
        /// Keeps a `syncSnapshot()` under a name.
        case takeSnapshot(String)
        /// Applies a kept snapshot, of whichever device.
        case applySnapshot(String)
        /// Applies a payload written in the file, such as one that is no snapshot.
        case applyPayload(ScenarioValue)
        /// Puts a value where the key's declaration says, as an older app would have: no catalog is asked, nothing syncs.
        case plant(KeyReference, ScenarioValue)
    }
}
