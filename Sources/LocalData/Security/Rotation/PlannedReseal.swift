/// How one value is sealed, against what its key declares today.
public struct PlannedReseal: Sendable {
    public let key: String
    /// The ``StorageDomain/kind`` of its place.
    public let domain: String
    public let state: State

    public enum State: Sendable {
        case absent
        case current
        /// To be sealed anew, because of these differences. A rotation begins by making a new master key primary, so that then everything
        /// else that a master key seals is due as well.
        case due([SealingDifference])
        /// Cannot be read for now.
        case deferred(StorageError)
        case failed(StorageError)
    }
}
