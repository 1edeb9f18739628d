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
        }
    }

    public static func < (left: KeyNeed, right: KeyNeed) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
