import Foundation

/// Registration and discovery of keys.
extension StorageRouter {
    /// Registers the keys of a catalog, besides those of the catalogs registered before. From the first one on, the use of any other key throws
    /// ``StorageError/Code/notRegistered``, and another declaration of a listed name ``StorageError/Code/invalidKey`` with what differs: all but owner, description and
    /// salts counts. Of what is only described type, serializer, form and migration are not compared. Registering a catalog again takes its list anew: what only the
    /// earlier one had is neither used nor synced any more, and another policy of sync holds from then on.
    /// - Parameter catalog: The list: the keys of its instance property, and the descriptions of its static one for names that the first does not have.
    /// - Parameter migrateImmediately: Brings the values of these keys over from where earlier versions of the app left them; else each is brought
    ///   over when it is first read. **Of several catalogs register all first, and then run ``migrations(of:)``.** A source is deleted once the registered
    ///   keys that name it have their values, and it is kept where it is a registered key itself: what a later catalog lists is not known yet.
    /// - Returns: What became of each migration.
    /// - Throws: ``StorageError/Code/invalidCatalog`` with every problem in its facts: names and places that are used twice, missing descriptions and
    ///   owners, keys that cannot be stored, migrations that name one place twice. Nothing is registered then.
    @discardableResult
    public func registerCatalog(_ catalog: any StorageKeyCatalog, migrateImmediately: Bool = false) async throws -> [MigrationOutcome] {
        let changed = try engines.admission.register(catalog)
        if !changed.isEmpty { await engines.syncing.declaredAnew(changed, on: self) }
        let keys = catalog.allKeys
        if keys.contains(where: { $0.base.accessGroup != nil }) {
            await engines.values.gatherSecrets(of: keys)
            await engines.rotation.shareMasterKeys(of: keys)
        }
        engines.admission.leaveWitnesses(of: keys)
        return migrateImmediately ? try await sweepMigrations(of: keys) : []
    }

    /// The keys of all registered catalogs that list keys, in the order of registration.
    public nonisolated func registeredKeys() -> [AnyStorageKey] { engines.admission.catalogs.keys }

    /// What all registered catalogs list, keys and mere descriptions, in the order of registration.
    public nonisolated func registeredDescriptors() -> [StorageKeyDescriptor] { engines.admission.catalogs.descriptors }

    /// The names of the registered catalogs, in the order of registration.
    public nonisolated func registeredCatalogs() -> [String] { engines.admission.catalogs.catalogNames }

    /// The names of keys whose use was refused because no catalog lists them. Sorted.
    public nonisolated func unregisteredKeys() -> [String] { engines.admission.catalogs.unregisteredNames }
}

/// The audit of what is actually on the device.
extension StorageRouter {
    /// The report on the registered keys, with what lies on this device: which values are missing, present, damaged or unreadable, where migrations left
    /// copies behind, and what lies there that no registered key accounts for. Values are opened to see whether they can be, and shown to nobody;
    /// nobody is asked to authenticate, and nothing is changed.
    ///
    /// - Parameter opensValues: Whether values are opened. That asks providers of key material, and derives the keys of values under PBKDF2; without
    ///   it, damage is not found, and the sizes are still told.
    public func auditReport(opensValues: Bool = true) async -> StorageAuditReport {
        await engines.audit.report(opensValues: opensValues)
    }
}
