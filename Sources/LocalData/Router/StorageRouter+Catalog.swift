import Foundation

/// Registration and discovery of keys.
extension StorageRouter {
    /// Registers the keys of a catalog, besides those of the catalogs registered before. From the first one on, the use of any other key throws
    /// ``StorageError/Code/notRegistered``. Registering a catalog again takes its list anew.
    /// - Parameter catalog: The list: the keys of its instance property, and the descriptions of its static one for names that the first does not have.
    /// - Parameter migrateImmediately: Brings the values of these keys over from where earlier versions of the app left them; else each is brought
    ///   over when it is first read. Of several catalogs whose migrations share a source, register all first, and then run ``migrations(of:)``: a source
    ///   is deleted once the registered keys that name it have their values.
    /// - Returns: What became of each migration.
    /// - Throws: ``StorageError/Code/invalidCatalog`` with every problem in its facts: names and places that are used twice, missing descriptions and
    ///   owners, keys that cannot be stored, migrations that name one place twice. Nothing is registered then.
    @discardableResult
    public func registerCatalog(_ catalog: any StorageKeyCatalog, migrateImmediately: Bool = false) async throws -> [MigrationOutcome] {
        // What a device does not tell now is looked at when a key is used.
        try catalogs.register(catalog) { try? self.files.physicalName(of: $0.name, in: $0.domain) }
        let keys = catalog.allKeys
        for key in keys { sync.ledger.note(key.base) }
        notePlaces(of: keys)
        await shareMasterKeys(of: keys)
        let outcomes = migrateImmediately ? try await sweepMigrations(of: keys) : []
        leaveWitnesses(of: keys)
        return outcomes
    }

    /// So that a later process can tell the suites of these keys from empty ones: see ``BelievableDefaults``.
    private nonisolated func leaveWitnesses(of keys: [AnyStorageKey]) {
        let role = environment.device.role
        let suites = Set(keys.filter { $0.availability.isAvailable(on: role) }.compactMap(\.domain.defaultsSuite))
        for suite in suites.sorted(by: { "\($0)" < "\($1)" }) { believableDefaults.leaveWitness(in: suite) }
    }

    /// Also of keys that are never set: an earlier version of LocalData may have kept their values.
    private func notePlaces(of keys: [AnyStorageKey]) {
        let role = environment.device.role
        let used = keys.map(\.base).filter { $0.availability.isAvailable(on: role) }
        places.note(used.map(\.domain) + used.flatMap { $0.migration?.base.sourceKeys.map(\.base.domain) ?? [] })
    }

    /// The keys of all registered catalogs that list keys, in the order of registration.
    public nonisolated func registeredKeys() -> [AnyStorageKey] { catalogs.entries.compactMap(\.key) }

    /// What all registered catalogs list, keys and mere descriptions, in the order of registration.
    public nonisolated func registeredDescriptors() -> [StorageKeyDescriptor] { catalogs.entries.map(\.descriptor) }

    /// The names of the registered catalogs, in the order of registration.
    public nonisolated func registeredCatalogs() -> [String] { catalogs.catalogNames }

    /// The names of keys whose use was refused because no catalog lists them. Sorted.
    public nonisolated func unregisteredKeys() -> [String] { catalogs.unregisteredNames }
}

/// Master keys that an access group is to have.
extension StorageRouter {
    /// Hands on what opens the values of keys that now declare an access group, so that an extension can open them without waiting for the app to read
    /// each. What cannot be looked at for now is handed on when it is read.
    nonisolated func shareMasterKeys(of keys: [AnyStorageKey]) async {
        for key in keys.map(\.base) where key.security.isSealedByMasterKey && key.availability.isAvailable(on: environment.device.role) {
            guard let group = key.accessGroup, KeyNamePattern(key.name) == nil, let location = try? stored.location(of: key) else { continue }
            try? await turns.run(at: location) {
                guard let header = try self.stored.envelopeHeader(of: key) else { return }
                try self.encryption.shareMasterKey(of: header, with: group)
            }
        }
    }
}

extension EncryptionHelper {
    /// Whether an envelope names a master key that the keychain says it does not have. Not for what is no envelope, for a provider's material, nor for
    /// what the key does not declare: that is nothing of its own.
    /// - Throws: ``StorageError`` where the keychain cannot tell.
    nonisolated func isMasterKeyGone(of envelope: Data, accepting accepted: AcceptedPolicies) throws -> Bool {
        guard let source = (try? Envelope(parsing: envelope))?.header.keySource, accepted.accepts(source), case .master(let id) = source
        else {
            return false
        }
        do throws(StorageError) {
            _ = try ring.key(id)
            return false
        } catch  where error.code == .keyMissing {
            return true
        }
    }
}
