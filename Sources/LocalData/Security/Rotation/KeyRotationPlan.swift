/// What a rotation would do, read without writing anything.
public struct KeyRotationPlan: Sendable {
    /// Whether a rotation was begun and not completed: the next one goes on with it and mints no key.
    public let isUnderWay: Bool
    /// Of every registered sealed value, and of those that its migration may still bring over, sorted by name.
    public let values: [PlannedReseal]
    /// Every master key, and every external source that something needs, with what needs it. Sorted: master keys first.
    public let keys: [KeyUse]
    /// Where nothing was looked for: a key that only something there needs counts as needless, and would be retired.
    public let limits: [KeyScanLimit]
}

/// A place that the scan for what needs a key does not see, since it can neither be listed nor does anything name it: no key, and not LocalData's own list of where it
/// kept values, which earlier versions did not keep.
public enum KeyScanLimit: String, Sendable, Hashable, CaseIterable {
    /// Suites of preferences that no registered key, and no source of a migration of one, names any more.
    case unnamedSuites
    /// Directories outside of the app's containers that none of them names any more.
    case unnamedDirectories
    /// App Groups that none of them names any more.
    case unnamedGroups
}

extension KeyScanLimit: CustomStringConvertible {
    /// In one sentence without a full stop, with the remedy.
    public var description: String {
        let what =
            switch self {
            case .unnamedSuites: "suites of preferences"
            case .unnamedDirectories: "directories outside of the app's containers"
            case .unnamedGroups: "App Groups"
            }
        return "\(what) that no key names any more were not looked into: keep a key registered for each that may hold something sealed"
    }
}

/// A key, and what would be lost with it.
public struct KeyUse: Sendable, Hashable {
    /// Names what seals values. Holds nothing secret.
    public enum Key: Sendable, Hashable {
        /// A master key in the keychain, by its id. Not secret.
        case master(String)
        /// External key material, by ``KeyMaterialSource/id``. LocalData cannot delete it; once nothing needs it, the app need not register
        /// its provider any more.
        case external(String)
    }

    /// The key that this is about.
    public let key: Key
    /// Whether it seals new values, or is about to: the primary master key, one that was minted to be it by what was cut short then, or a source that a
    /// registered key declares. Such a key is not retired.
    public let isCurrent: Bool
    /// What needs it, or might. Empty where it is verified that nothing does, also after a power loss.
    public let needs: [KeyNeed]
}

extension KeyUse.Key: Comparable {
    private var order: (Int, String) {
        switch self {
        case .master(let id): (0, id)
        case .external(let id): (1, id)
        }
    }

    public static func < (left: KeyUse.Key, right: KeyUse.Key) -> Bool { left.order < right.order }
}

/// Why a key cannot go.
public enum KeyNeed: Sendable, Hashable {
    /// It seals the value of a registered key, or one that the key's migration may still bring over.
    case value(key: String, domain: String)
    /// It seals something without a registered key: of another version of the app, of a name made at run time, or a copy. The text is the
    /// place, such as `file/documents/drafts/letter`; never an absolute path.
    case unknownValue(place: String)
    /// The place cannot be read, or holds an envelope of a newer version, so what seals it is not known.
    case unreadable(place: String, StorageError.Code)
    /// Other processes may be sealing values in the container of this App Group.
    case sharedContainer(String)
    /// Nothing needs it any more, but after a power loss preferences might: the system may not have written yet what was sealed anew. The first retirement
    /// that finds it so notes it; one of a later process deletes the key, a minute after that or after a restart.
    case unsettledPreferences
    /// It lies in the keychain of this access group. Other apps and extensions of the group may keep what it seals where this app cannot look, so LocalData
    /// never deletes it.
    case accessGroup(String)
}

extension KeyNeed: Comparable {
    /// In words, such as `'token' in userDefaults`.
    public var text: String {
        switch self {
        case .value(let key, let domain): "'\(key)' in \(domain)"
        case .unknownValue(let place): "\(place), without a registered key"
        case .unreadable(let place, let code): "\(place), unreadable: \(code.rawValue)"
        case .sharedContainer(let identifier): "other processes of '\(identifier)'"
        case .unsettledPreferences: "preferences that the system may not have written yet"
        case .accessGroup(let group): "other processes of the access group '\(group)'"
        }
    }

    public static func < (left: KeyNeed, right: KeyNeed) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

/// The outcome of ``StorageRouter/rotateKeys(retiringOldKeys:)``.
public struct KeyRotationReport: Sendable {
    /// The id of the master key that seals now; `nil` where nothing was ever sealed with one.
    public let primary: String?
    /// False where an earlier rotation was gone on with.
    public let isNew: Bool
    /// Whether nothing is left that another attempt could seal anew. Else call again: the rotation goes on where it was, with the same key.
    public let isComplete: Bool
    /// Of every registered sealed value, and of those that its migration may still bring over, sorted by name.
    public let outcomes: [ResealOutcome]
    /// What became of the old keys, if they were to be retired.
    public let retirement: KeyRetirementReport?
}

/// What became of the keys that no longer seal.
public struct KeyRetirementReport: Sendable {
    /// The ids of the master keys that were deleted, sorted.
    public let retired: [String]
    /// The old master keys that were kept, with what needs them: ``KeyNeed/unsettledPreferences`` where they only wait for a later process,
    /// ``KeyNeed/accessGroup(_:)`` where they stay for good.
    public let kept: [KeyUse]
}
