/// The app on a device calls LocalData.
public struct DataStep: Sendable, Hashable {
    public let device: DeviceID
    public let action: Action
    public let outcome: StepOutcome

    public init(_ device: DeviceID, _ action: Action, outcome: StepOutcome = .succeeds) {
        self.device = device
        self.action = action
        self.outcome = outcome
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
