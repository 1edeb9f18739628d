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
    /// Whether it seals new values: the primary master key, or a source that a registered key declares.
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
