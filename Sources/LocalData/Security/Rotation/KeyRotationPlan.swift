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
