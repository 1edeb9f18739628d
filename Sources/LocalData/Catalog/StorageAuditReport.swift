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
        items = entries.map {
            let warnings = StorageKeyLinter.warnings(for: $0.descriptor) + StorageKeyLinter.migrationWarnings(for: $0, among: entries)
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
        self.init(catalogs: router.catalogs.catalogNames, entries: router.catalogs.entries)
        let chosen = Result { try router.sync.ledger.overrides() }
        for index in items.indices {
            switch chosen {
            case .success(let chosen):
                let key = router.catalogs.entries[index].key?.base
                items[index].chosenSyncPolicy = key.map { chosen.chosen(for: $0) } ?? chosen[items[index].key.name]
            case .failure(let error): items[index].syncPolicyProblem = SyncLedger.storageError(error).code
            }
        }
    }

    /// What lies on the device, is LocalData's for certain and is needed by nothing.
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
