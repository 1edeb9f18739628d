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
    /// The old master keys that were kept, with what needs them.
    public let kept: [KeyUse]
}

/// What a rotation would do, read without writing anything.
public struct KeyRotationPlan: Sendable {
    /// Whether a rotation was begun and not completed: the next one goes on with it and mints no key.
    public let isUnderWay: Bool
    /// Of every registered sealed value, and of those that its migration may still bring over, sorted by name.
    public let values: [PlannedReseal]
    /// Every master key, and every external source that something needs, with what needs it. Sorted: master keys first.
    public let keys: [KeyUse]
}

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
