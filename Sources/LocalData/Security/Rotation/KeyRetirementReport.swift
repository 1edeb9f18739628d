/// What became of the keys that no longer seal.
public struct KeyRetirementReport: Sendable {
    /// The ids of the master keys that were deleted, sorted.
    public let retired: [String]
    /// The old master keys that were kept, with what needs them: ``KeyNeed/unsettledPreferences`` where they only wait for a later process.
    public let kept: [KeyUse]
}
