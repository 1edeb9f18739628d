import LocalData

/// The app on a device, or its widget, calls LocalData.
public struct DataStep: Sendable, Hashable {
    public let device: DeviceID
    /// The process that does it. A widget can set, get and remove values, and ask whether there is one.
    public let part: AppPart
    public let action: Action
    public let outcome: StepOutcome

    public init(_ device: DeviceID, in part: AppPart = .app, _ action: Action, outcome: StepOutcome = .succeeds) {
        self.device = device
        self.part = part
        self.action = action
        self.outcome = outcome
    }

    /// The same process doing something else, or with another outcome.
    func with(_ action: Action? = nil, outcome: StepOutcome? = nil) -> DataStep {
        DataStep(device, in: part, action ?? self.action, outcome: outcome ?? self.outcome)
    }

    public enum Action: Sendable, Hashable {
        case set(KeyReference, ScenarioValue)
        case get(KeyReference)
        case remove(KeyReference)
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
