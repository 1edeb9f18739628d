import LocalData

/// Something goes wrong on a device, or stops going wrong.
public struct FaultStep: Sendable, Hashable {
    public let device: DeviceID
    public let action: Action

    public init(_ device: DeviceID, _ action: Action) {
        self.device = device
        self.action = action
    }

    public enum Action: Sendable, Hashable {
        case disk(DiskOperation, FaultTrigger, ErrnoName)
        case keychain(KeychainOperation, FaultTrigger, KeychainStatus)
        case preferences(PreferencesOperation, FaultTrigger, ErrnoName)
        /// Puts a symbolic link at a path of the disk, where nothing is yet.
        case link(at: String, to: String)
        /// Takes back all faults of the disk, the keychain or the preferences.
        case clearDisk
        case clearKeychain
        case clearPreferences
        /// What a power loss leaves of what was not synchronized, from now on.
        case powerLossLeaves(PowerLossRemainder)
        /// How the person answers authentication prompts from now on.
        case person(PersonAnswer)
        /// Changes the stored bytes of a key behind LocalData's back.
        case damage(KeyReference, Damage)
        /// A false context arrives from the counterpart.
        case lie(CounterpartLie)
    }

    public enum DiskOperation: String, Sendable, Hashable, CaseIterable {
        case create, write, close, rename, read, attributes, remove, exclude, list, createDirectory
        case setAttribute, readAttribute
        case syncFile, syncDirectory
        /// Of a file or a directory.
        case sync
        /// Any of them.
        case operation
    }

    public enum PreferencesOperation: String, Sendable, Hashable, CaseIterable {
        case read, set, list, sync
        /// Any of them.
        case operation
    }

    public enum KeychainOperation: String, Sendable, Hashable, CaseIterable {
        case add, read, update, delete
        /// Any of them.
        case operation
    }

    public enum PersonAnswer: String, Sendable, Hashable, CaseIterable {
        case authenticates
        case fails
        case cancels
        case away
    }

    public enum Damage: Sendable, Hashable {
        /// Inverts the last byte.
        case flip
        case truncate(toByteCount: Int)
        /// Puts the bytes stored for another key in its place.
        case copy(of: KeyReference)
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
