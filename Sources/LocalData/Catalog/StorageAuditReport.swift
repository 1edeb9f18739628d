/// What an app declares to store, for security reviews: where, how secured, whose, on which devices. It holds no values and needs none to exist.
public struct StorageAuditReport: Sendable, Hashable {
    /// One declared key and what speaks against its declaration.
    public struct Item: Sendable, Hashable {
        /// The name of the catalog that lists the key.
        public let catalog: String
        /// What the key declares.
        public let key: StorageKeyDescriptor
        /// Declarations that defeat themselves, in words.
        public let warnings: [String]
        /// The sync policy that was chosen at run time in place of the declared one, by ``StorageRouter/setSyncPolicyOverride(_:for:)``. `nil` if none was,
        /// or nobody looked.
        public var chosenSyncPolicy: SyncPolicy?
        /// Whether a policy may have been chosen that cannot be read. Until it can, the key does not sync.
        public var mayHaveChosenSyncPolicy: Bool { syncPolicyProblem != nil }
        /// Why it cannot be told whether a policy was chosen, such as `corrupt`. `nil` where it can.
        public var syncPolicyProblem: StorageError.Code?
        /// What was found on the device; `nil` if nobody looked.
        public var presence: StoragePresence?
        /// In what the stored value is not as its key declares, sorted: ``StorageRouter/resealValues()``, or the next `set`, makes it so. Of a keychain item only what
        /// is sealed is compared. Empty if nobody looked.
        public var differences: [SealingDifference] = []
        /// What still lies where earlier versions kept the value. Empty if nobody looked.
        public var legacyCopies: [LegacyCopy] = []
    }

    /// The names of the catalogs, in the order given.
    public let catalogs: [String]
    /// In the order of the catalogs' lists.
    public var items: [Item]
    /// What lies on the device that no listed key accounts for; `nil` if nobody looked. Sorted.
    public var findings: [StorageFinding]?

    init(catalogs: [String], entries: [CatalogRegistry.Entry]) {
        self.catalogs = catalogs
        let declared = StorageKeyLinter.DeclaredPlaces(entries)
        items = entries.map {
            let warnings = StorageKeyLinter.warnings(for: $0.descriptor) + StorageKeyLinter.migrationWarnings(for: $0, among: declared)
            return Item(catalog: $0.catalog, key: $0.descriptor, warnings: warnings, presence: nil)
        }
    }

    /// Audits what the type lists in its static `allKeys`. A type that lists none there has to be audited as an instance.
    public init<Catalog: StorageKeyCatalog>(for catalog: Catalog.Type) {
        let name = String(describing: catalog)
        self.init(
            catalogs: [name], entries: catalog.allKeys.map { CatalogRegistry.Entry(catalog: name, key: nil, descriptor: $0) })
    }

    /// Audits what a catalog lists, in either form.
    public init(for catalog: any StorageKeyCatalog) {
        self.init(catalogs: [catalog.name], entries: CatalogRegistry.entries(of: catalog))
    }

    /// Audits what is registered with a router.
    ///
    /// What leaves the device is told by the policies in force, so those that were chosen at run time are read.
    public init(for router: StorageRouter) {
        self.init(catalogs: router.engines.admission.catalogs, ledger: router.sync.ledger)
    }

    init(catalogs: CatalogRegistry, ledger: SyncLedger) {
        let entries = catalogs.entries
        self.init(catalogs: catalogs.catalogNames, entries: entries)
        let chosen = Result { try ledger.overrides() }
        for index in items.indices {
            switch chosen {
            case .success(let chosen):
                let key = entries[index].key?.base
                let choice = key.map { chosen.chosen(for: $0) } ?? chosen[items[index].key.name]
                // What was chosen for the name, in another version of the app, does not switch on a key that its declaration alone does.
                if items[index].key.isSwitchedByDeclarationAlone, choice != .never { continue }
                items[index].chosenSyncPolicy = choice
            case .failure(let error): items[index].syncPolicyProblem = SyncLedger.storageError(error).code
            }
        }
    }

    /// What lies on the device, is LocalData's for certain and is needed by nothing that the catalogs list, as they list it: of a kind whose names are made at run time
    /// a description in words says where it is brought over from (``StorageKeyDescriptor/sources``).
    public var orphans: [StorageFinding] { findings?.filter(\.isOrphaned) ?? [] }

    /// The names of the keys whose values leave the device under the policies in force, in the order of the catalogs' lists.
    public var leaving: [String] { items.filter { $0.keyInForce.travels }.map(\.key.name) }

    /// All warnings, each with its key's name.
    public var warnings: [String] { items.flatMap { item in item.warnings.map { "'\(item.key.name)': \($0)" } } }
}

extension StorageAuditReport {
    /// The report on the keys that the type lists, as text.
    public static func renderText<Catalog: StorageKeyCatalog>(for catalog: Catalog.Type) -> String {
        StorageAuditReport(for: catalog).text
    }

    /// The report on the keys that a catalog lists, as text.
    public static func renderText(for catalog: any StorageKeyCatalog) -> String {
        StorageAuditReport(for: catalog).text
    }

    /// The report on the keys that are registered with a router, as text.
    public static func renderText(for router: StorageRouter) -> String {
        StorageAuditReport(for: router).text
    }

    /// The report on the keys that the type lists, as JSON.
    public static func renderJSON<Catalog: StorageKeyCatalog>(for catalog: Catalog.Type) -> String {
        StorageAuditReport(for: catalog).json
    }

    /// The report on the keys that a catalog lists, as JSON.
    public static func renderJSON(for catalog: any StorageKeyCatalog) -> String {
        StorageAuditReport(for: catalog).json
    }

    /// The report on the keys that are registered with a router, as JSON.
    public static func renderJSON(for router: StorageRouter) -> String {
        StorageAuditReport(for: router).json
    }
}

/// Something on a device that no registered key accounts for. Never a value.
public struct StorageFinding: Sendable, Hashable {
    /// What sort of thing was found. The raw values appear in JSON reports and are stable.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A value that LocalData sealed, of no registered key and of no key that one migrates from.
        case orphanedValue
        /// A value at the place of a registered key that does not exist on this kind of device, where an earlier version of the app kept it. No operation
        /// reads it or seals it anew; ``StorageRouter/remove(_:)`` removes it, which the counterpart is not told.
        case strandedValue
        /// An entry of the sync ledger about a key that is not registered, or not where the entry lies.
        case orphanedRecord
        /// A sync policy chosen at run time for a key that is not registered.
        case orphanedPolicy
        /// A mark of a migration that no registered key has.
        case orphanedMark
        /// A master key that seals nothing that was found, and is not the one for new values. Only told when everything sealed could be read, and not while a power
        /// loss may bring back what it sealed (``KeyNeed/unsettledPreferences``), nor of a key that what was cut short is to make the one for new values.
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
    /// The name of the file, entry, item or key id; of a place that could not be looked into, nothing, or what it is in it.
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
        case .orphanedValue, .strandedValue, .orphanedRecord, .orphanedPolicy, .orphanedMark, .orphanedKey, .unknown: true
        case .leftover, .damaged, .unreadable, .abandoned, .unclaimed: false
        }
    }

    static func isBefore(_ one: StorageFinding, _ other: StorageFinding) -> Bool {
        func order(_ finding: StorageFinding) -> Int { Kind.allCases.firstIndex(of: finding.kind) ?? 0 }
        let (left, right) = ((order(one), "\(one.place)\n\(one.name)"), (order(other), "\(other.place)\n\(other.name)"))
        return left.0 == right.0 ? left.1.utf8.lexicographicallyPrecedes(right.1.utf8) : left.0 < right.0
    }
}

/// What lies at a key's place on a device. Never a value.
public enum StoragePresence: Sendable, Hashable {
    /// Nothing is there; the place was readable.
    case missing
    /// Something is there, of this size in bytes as it is stored; `nil` where a person would have to authenticate first.
    case present(byteCount: Int?)
    /// Something is there that `get` cannot return, now or later: corrupt, of another type, or sealed as something else.
    case damaged(StorageError.Code)
    /// It cannot be read for now, such as on a locked device, or without its key. It may be there or not.
    case unreadable(StorageError.Code)
    /// The name is a placeholder for names made at run time, or the key belongs to another kind of device.
    case notApplicable
}

/// What lies where an earlier version of the app kept a key's value. Never a value.
public struct LegacyCopy: Sendable, Hashable {
    /// Where the migration of such a value stands.
    public enum State: Sendable, Hashable {
        /// The key has its value, or its value was removed, and the old one was not deleted. Nothing brings it over. ``StorageRouter/forceMigration(for:)`` clears
        /// it where the key has its value; where that was removed, another ``StorageRouter/remove(_:)`` does.
        case residual
        /// The key has no value yet: its migration will bring this one over.
        case waiting
        /// Whether something is there cannot be told for now.
        case unreadable(StorageError.Code)
    }

    /// The name of the migration's source.
    public let name: String
    /// Where the source is stored, in words.
    public let place: String
    /// Where the migration of this value stands, as far as the device tells.
    public let state: State

    /// A copy as a report shows it. Reports of a device are made by ``StorageRouter/auditReport(opensValues:)``.
    public init(name: String, place: String, state: State) {
        self.name = name
        self.place = place
        self.state = state
    }
}
