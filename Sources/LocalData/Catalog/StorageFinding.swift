/// Something on a device that no registered key accounts for. Never a value.
public struct StorageFinding: Sendable, Hashable {
    /// What sort of thing was found. The raw values appear in JSON reports and are stable.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A value that LocalData sealed, of no registered key and of no key that one migrates from.
        case orphanedValue
        /// An entry of the sync ledger about a key that is not registered, or not where the entry lies.
        case orphanedRecord
        /// A sync policy chosen at run time for a key that is not registered.
        case orphanedPolicy
        /// A mark of a migration that no registered key has.
        case orphanedMark
        /// A master key that seals nothing that was found, and is not the one for new values. Only told when everything sealed could be read.
        case orphanedKey
        /// A file or an entry in LocalData's own places that this version does not know.
        case unknown
        /// A temporary file of a write that did not end. The next use of its directory removes it.
        case leftover
        /// One of LocalData's own files or entries that is there and cannot be understood.
        case damaged
        /// A place that could not be looked into for now; see ``StorageFinding/error``.
        case unreadable
        /// Something in a place where LocalData kept values and of which no registered key is left: perhaps a plain value of a key that is gone, perhaps
        /// what another app of the group keeps there.
        case abandoned
        /// Something beside registered values that LocalData did not mark as its own. It may be the app's, or a plain value of a key that is gone:
        /// that cannot be told.
        case unclaimed
    }

    /// What sort of thing it is.
    public let kind: Kind
    /// Such as `keychain, service com.example`, `fileSystem, documents`, `sync ledger`.
    public let place: String
    /// The name of the file, entry, item or key id; of a place that could not be looked into, nothing.
    public let name: String
    /// As it is stored, where that was seen.
    public let byteCount: Int?
    /// Of a place that could not be looked into.
    public let error: StorageError.Code?

    /// A finding as a report shows it. Reports of a device are made by ``StorageRouter/auditReport(opensValues:)``.
    public init(_ kind: Kind, place: String, name: String = "", byteCount: Int? = nil, error: StorageError.Code? = nil) {
        self.kind = kind
        self.place = place
        self.name = name
        self.byteCount = byteCount
        self.error = error
    }

    /// Whether it is LocalData's for certain and nothing needs it.
    public var isOrphaned: Bool {
        switch kind {
        case .orphanedValue, .orphanedRecord, .orphanedPolicy, .orphanedMark, .orphanedKey, .unknown: true
        case .leftover, .damaged, .unreadable, .abandoned, .unclaimed: false
        }
    }

    static func isBefore(_ one: StorageFinding, _ other: StorageFinding) -> Bool {
        func order(_ finding: StorageFinding) -> Int { Kind.allCases.firstIndex(of: finding.kind) ?? 0 }
        let (left, right) = ((order(one), "\(one.place)\n\(one.name)"), (order(other), "\(other.place)\n\(other.name)"))
        return left.0 == right.0 ? left.1.utf8.lexicographicallyPrecedes(right.1.utf8) : left.0 < right.0
    }
}
