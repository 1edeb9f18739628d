import Foundation

/// Kinds of names that are made at run time: no catalog tells which there are, their places do.
extension RotationEngine {
    /// The keys whose values are sealed anew under names of listed kinds, whichever process set them: those that a registered key, or a source, does not lie at, and that are
    /// sealed. Nothing tells of what is plain, or in the keychain, whose it is: it may be of a key that a catalog lists which is registered later, of one that an update dropped, or
    /// what a migration is still to bring over. A kind with a migration is passed over for that, too, and so is one whose values are plain now.
    /// - Parameter places: Of the registered keys and sources, resolved; those of the keys found are added.
    func sealedKeysOfKinds(besides places: inout Set<String>) -> [any StorageKey] {
        var found: [any StorageKey] = []
        for entry in catalogs.entries
        where entry.descriptor.isPlaceholder && !entry.descriptor.hasMigration && entry.descriptor.security.isEncrypted {
            for key in keys(of: entry, acceptingPlain: false) where mayBeSealed(key) {
                guard let location = try? stored.location(of: key), places.insert(location.resolved(in: environment)).inserted else {
                    continue
                }
                found.append(key)
            }
        }
        return found
    }

    /// What cannot be read for now, as on a locked device, may be: whoever seals it anew says so.
    private func mayBeSealed(_ key: any StorageKey) -> Bool {
        do { return try stored.envelopeHeader(of: key) != nil } catch { return true }
    }

    /// The keys of a listed kind under whose names something lies, sorted by name: of names that this kind alone matches and no catalog lists. A kind that says nothing
    /// of the name would match whatever the app has there. Empty where the place cannot be listed for now.
    /// - Parameter acceptingPlain: False for keys that take no plain value for theirs: one that could not be looked at when it was listed is not sealed then either.
    func keys(of kind: CatalogRegistry.Entry, acceptingPlain: Bool = true) -> [any StorageKey] {
        var descriptor = kind.descriptor
        if !acceptingPlain { descriptor.formerSecurity.removeAll { !$0.isEncrypted } }
        guard let pattern = KeyNamePattern(descriptor.name), pattern.literalByteCount > 0,
            descriptor.availability.isAvailable(on: environment.device.role),
            let names = try? names(at: kind.key?.base ?? DescribedKey(descriptor), matching: pattern)
        else { return [] }
        return names.filter { catalogs.description(matching: $0)?.name == descriptor.name }
            .map { [descriptor] in
                kind.key?.base.underName($0, formerSecurity: descriptor.formerSecurity) ?? DescribedKey(descriptor, name: $0)
            }
            .filter { (try? stored.location(of: $0)) != nil && isValue($0) }
    }

    private func isValue(_ key: any StorageKey) -> Bool {
        guard case .file = key.place, let place = try? files.place(of: key) else { return true }
        return (try? files.attributes(of: place))?.isFile == true
    }

    /// What lies where a kind's values do, by names that it matches, sorted.
    func names(at kind: any StorageKey, matching pattern: KeyNamePattern) throws -> [String] {
        let names: [String]
        switch kind.place {
        case .file:
            guard let directory = try files.realDirectory(of: kind.domain) else { return [] }
            do {
                names = try files.environment.fileSystem.list(directory.path)
            } catch let error as FileSystemError where error.errno == ENOENT {
                return []
            }
        case .defaults(let suite): names = try defaults.storedKeys(in: suite)
        case .keychain(let service): names = try stored.keychain.accounts(of: service)
        }
        return names.filter(pattern.matches).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

/// A key of a kind whose names are made at run time, under one of them: what the kind's key declares, but for a migration, whose sources' names are made too.
struct NamedKey<Kind: StorageKey>: StorageKey {
    typealias Value = Kind.Value

    let name: String
    let formerSecurity: [SecurityPolicy]
    private let kind: Kind

    init(_ kind: Kind, name: String, formerSecurity: [SecurityPolicy]) {
        self.kind = kind
        self.name = name
        self.formerSecurity = formerSecurity
    }

    var domain: StorageDomain { kind.domain }
    var security: SecurityPolicy { kind.security }
    var serializer: Serializer<Value> { kind.serializer }
    var owner: String { kind.owner }
    var description: String { kind.description }
    var availability: PlatformAvailability { kind.availability }
    var syncPolicy: SyncPolicy { kind.syncPolicy }
    var accessGroup: String? { kind.accessGroup }
    var missingKeyPolicy: MissingKeyPolicy { kind.missingKeyPolicy }
    var schemaVersion: Int { kind.schemaVersion }
}

extension StorageKey {
    /// The key of its kind with that name.
    fileprivate func underName(_ name: String, formerSecurity: [SecurityPolicy]) -> any StorageKey {
        NamedKey(self, name: name, formerSecurity: formerSecurity)
    }
}
