import LocalData

/// The table of file protection classes: what may be done to a file with the keys that are there. A refusal is EPERM (1).
///
/// Looking at attributes, listing, unlinking and renaming need no key: the entry lies in the directory, not in the file (unless `Knobs.unlinkNeedsClassKey`).
enum DataProtectionRules {
    /// Opening a file that exists, for reading.
    static func canOpen(_ protection: FileProtection, with keys: ClassKeys) -> Bool {
        switch protection {
        case .complete, .completeUnlessOpen: keys.whenUnlocked
        case .completeUntilFirstUserAuthentication: keys.afterFirstUnlock
        case .none: true
        }
    }

    /// Creating a file. `completeUnlessOpen` needs no key for that: a new file is sealed with a public one.
    static func canCreate(_ protection: FileProtection, with keys: ClassKeys) -> Bool {
        switch protection {
        case .complete: keys.whenUnlocked
        case .completeUnlessOpen, .none: true
        case .completeUntilFirstUserAuthentication: keys.afterFirstUnlock
        }
    }

    /// Writing through a handle that was opened earlier.
    static func canUseOpenHandle(_ protection: FileProtection, with keys: ClassKeys) -> Bool {
        switch protection {
        case .complete: keys.whenUnlocked
        case .completeUnlessOpen, .none: true
        case .completeUntilFirstUserAuthentication: keys.afterFirstUnlock
        }
    }
}

/// Which class keys a device holds at the moment: what data protection and keychain accessibility come down to.
///
/// Source: *Device state* and the tables of the specification of data protection.
struct ClassKeys: Sendable, Hashable {
    /// The key that comes with the first unlock after a restart and stays.
    var afterFirstUnlock: Bool
    /// The key that is there while the device is unlocked, and some seconds longer.
    var whenUnlocked: Bool

    /// - Parameter isInGrace: Whether the device was locked so recently that it has not discarded the keys yet.
    init(_ lockState: DeviceLockState, isInGrace: Bool = false) {
        switch lockState {
        case .beforeFirstUnlock:
            afterFirstUnlock = false
            whenUnlocked = false
        case .locked:
            afterFirstUnlock = true
            whenUnlocked = isInGrace
        case .unlocked:
            afterFirstUnlock = true
            whenUnlocked = true
        }
    }
}

/// What the app's signature allows it to share. `nil` allows every name.
public struct StorageEntitlements: Sendable, Hashable {
    /// Whether the app may use the keychain at all; without that every call gives −34018.
    public var hasKeychain = true
    /// The keychain access groups beside the app's own, which is named like its bundle.
    public var keychainAccessGroups: Set<String>?
    /// The identifiers of the App Groups that the app belongs to; `nil`: all.
    public var appGroups: Set<String>?

    /// An app that may use every group.
    public init() {}
}
