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
