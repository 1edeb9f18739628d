import Foundation

/// What a key's place holds, and which version that is.
struct SyncVersion: Sendable, Hashable {
    var stamp: SyncStamp
    var content: Content
    /// The value is the smaller form that the counterpart made for this device (see ``WatchRepresentable``).
    var isReduced = false

    enum Content: Sendable, Hashable {
        /// A value whose stored form has this revision (see ``SyncRevision``).
        case value(revision: Data)
        /// Nothing, because somebody removed it.
        case deleted
        /// Nothing, and nobody removed it: purged by the system, or lost. Any version from the counterpart replaces it.
        case lost
    }
}

extension SyncVersion.Content {
    /// Whether this is what lies at the key's place: something with `revision`, or nothing where that is `nil`.
    func matches(_ revision: Data?) -> Bool {
        switch self {
        case .value(let known): known == revision
        case .deleted, .lost: revision == nil
        }
    }
}
