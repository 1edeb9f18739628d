import DeviceSimCore
import LocalData

/// Something goes wrong on a device, or stops going wrong.
public struct FaultStep: Sendable, Hashable {
    /// On which device.
    public let device: DeviceID
    /// What goes wrong, or no longer does.
    public let action: Action

    /// A fault of a device.
    public init(_ device: DeviceID, _ action: Action) {
        self.device = device
        self.action = action
    }

    /// What can go wrong.
    public enum Action: Sendable, Hashable {
        /// Operations of the disk fail.
        case disk(DiskOperation, FaultTrigger, ErrnoName)
        /// Operations of the keychain fail.
        case keychain(KeychainOperation, FaultTrigger, KeychainStatus)
        /// Operations of preferences fail.
        case preferences(PreferencesOperation, FaultTrigger, ErrnoName)
        /// Puts a symbolic link at a path of the disk, where nothing is yet.
        case link(at: String, to: String)
        /// Takes back all faults of the disk, the keychain or the preferences.
        case clearDisk
        /// Takes back all faults of the keychain.
        case clearKeychain
        /// Takes back all faults of preferences.
        case clearPreferences
        /// What a power loss leaves of what was not synchronized, from now on.
        case powerLossLeaves(PowerLossRemainder)
        /// How the person answers authentication prompts from now on.
        case person(PersonAnswer)
        /// Changes the stored bytes of a key behind LocalData's back.
        case damage(KeyReference, Damage)
        /// A false snapshot arrives from the counterpart.
        case lie(CounterpartLie, by: LieCarrier = .context)
    }

    /// Which operations of the disk a fault is about.
    public enum DiskOperation: String, Sendable, Hashable, CaseIterable {
        /// One of the calls that LocalData's file system has.
        case create, write, close, rename, read, attributes, remove, exclude, list, createDirectory
        /// Extended attributes of files.
        case setAttribute, readAttribute
        /// What makes a file or a directory durable.
        case syncFile, syncDirectory
        /// Of a file or a directory.
        case sync
        /// Any of them.
        case operation
    }

    /// Which operations of preferences a fault is about.
    public enum PreferencesOperation: String, Sendable, Hashable, CaseIterable {
        /// A value is read or set, the keys of a suite are listed, or changes are handed to the system.
        case read, set, list, sync
        /// Any of them.
        case operation
    }

    /// Which operations of the keychain a fault is about.
    public enum KeychainOperation: String, Sendable, Hashable, CaseIterable {
        /// One of the four calls of SecItem.
        case add, read, update, delete
        /// Any of them.
        case operation
    }

    /// What a person does when asked to authenticate.
    public enum PersonAnswer: String, Sendable, Hashable, CaseIterable {
        /// Is recognized.
        case authenticates
        /// Is not recognized.
        case fails
        /// Dismisses the prompt.
        case cancels
        /// Is not there: the system takes the prompt away after a while.
        case away
    }

    /// What becomes of stored bytes.
    public enum Damage: Sendable, Hashable {
        /// Inverts the last byte.
        case flip
        /// Cuts them off.
        case truncate(toByteCount: Int)
        /// Puts the bytes stored for another key in its place.
        case copy(of: KeyReference)
        /// Puts other bytes in their place.
        case overwrite(ScenarioValue)
        /// Puts a text into the attribute beside a keychain item's secret, as other code of the app may.
        case attribute(String)
    }
}

/// Which of the matching operations fail, counted from the step on.
public enum FaultTrigger: Sendable, Hashable {
    /// The n-th one (1-based), once. The next one is 1.
    case once(Int)
    /// Every one from the n-th on.
    case always(from: Int)
}
