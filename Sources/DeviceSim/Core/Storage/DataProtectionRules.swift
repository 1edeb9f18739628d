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
