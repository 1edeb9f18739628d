/// How one value is sealed, against what its key declares today.
public struct PlannedReseal: Sendable {
    /// The name of the key whose value it is.
    public let key: String
    /// The ``StorageDomain/kind`` of its place.
    public let domain: String
    /// Whether the value is sealed as declared, and why not.
    public let state: State

    /// How a stored value compares with what its key declares.
    public enum State: Sendable {
        /// There is no value.
        case absent
        /// The value is sealed as declared.
        case current
        /// To be sealed anew, because of these differences. A rotation begins by making a new master key primary, so that then everything
        /// else that a master key seals is due as well.
        case due([SealingDifference])
        /// Cannot be read for now.
        case deferred(StorageError)
        /// Cannot be sealed anew, such as a value whose key material is gone. It stays as it is.
        case failed(StorageError)
    }
}
