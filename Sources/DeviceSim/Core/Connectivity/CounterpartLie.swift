/// What a counterpart, or what carries its snapshots, makes of one that is broken or lies.
public enum CounterpartLie: String, Sendable, Hashable, CaseIterable {
    /// All versions have the greatest counter.
    case counters
    /// All versions are of a lineage that goes before most others, with the greatest counter.
    case lineages
    /// The snapshot has the greatest number that is taken, so honest ones count as outdated from now on.
    case sequence
    /// The snapshot has a number that no honest one reaches.
    case numbers
    /// It acknowledges a snapshot that this device has not sent yet.
    case acknowledgement
    /// All values were deleted, and that is settled.
    case deletions
    /// Values do not decode.
    case values
    /// Values are in a form that no version of the app will ever know.
    case forms
    /// Every value is said to have a later version that there was no room for: with the greatest counter that is taken for honest, and with the one after it,
    /// in turns.
    case omissions
    /// Every second entry is malformed.
    case shape
    /// Every second entry is missing.
    case part
    /// Names of 100,000 bytes.
    case names
    /// Values of 300,000 bytes.
    case size
    /// The first context of all arrives again.
    case `repeat`
    /// No lie: members that LocalData does not know, as a later version of it may send them, stand beside the known ones, on every level. They change nothing.
    case additions

    /// Whether the device is told what is true, so that all that is promised stays promised.
    package var isTrue: Bool { self == .additions }
}

/// How a false snapshot arrives.
public enum LieCarrier: String, Sendable, Hashable, CaseIterable {
    /// As the application context.
    case context
    /// As a message that wants no reply.
    case message
    /// As a user info, which the system delivers even to an app that is not running.
    case userInfo = "user info"
    /// In the place of the next reply that the device's app gets.
    case nextReply = "next reply"
}
