/// Which keys there are, and whether an operation on a key may begin: the key is declared in order, for this device, in a catalog once there is one and as that
/// lists it, and its file is its own.
///
/// Its state is which catalogs were registered.
final class Admission: Sendable {
    let environment: StorageEnvironment
    let files: FileStorageHelper
    let catalogs = CatalogRegistry()
    let places: PlaceRecord
    let witnesses: BelievableDefaults
    let ledger: SyncLedger
    let turns: Turns
    let stored: StoredValues

    init(
        environment: StorageEnvironment, files: FileStorageHelper, places: PlaceRecord, witnesses: BelievableDefaults, ledger: SyncLedger,
        turns: Turns, stored: StoredValues
    ) {
        self.environment = environment
        self.files = files
        self.places = places
        self.witnesses = witnesses
        self.ledger = ledger
        self.turns = turns
        self.stored = stored
    }

    /// Checks a key, then runs `body` with its location. Storage errors leave with key, domain and operation in them.
    /// - Parameter isOfAnyDevice: Whether `body` itself asks whether the key may be used on this device.
    func perform<Result: Sendable>(
        _ operation: String, on key: any StorageKey, isOfAnyDevice: Bool = false, _ body: @Sendable (StorageLocation) async throws -> Result
    ) async throws -> Result {
        do {
            if !isOfAnyDevice { try checkAvailable(key) }
            // Legacy keys are in no catalog: their migration is.
            if !turns.access.isMigrating() { try checkRegistered(key, operation: operation) }
            let location = try stored.location(of: key)
            if !turns.access.isMigrating() { try requireFileOfItsOwn(key) }
            return try await body(location)
        } catch let error as StorageError {
            throw error.at(key: key.name, domain: key.domain.kind, operation: operation)
        }
    }

    func checkAvailable(_ key: any StorageKey) throws {
        guard !key.availability.isAvailable(on: environment.device.role) else { return }
        throw StorageError(key.availability == .watchOnly ? .watchOnly : .phoneOnly)
    }

    /// Refuses a key that no catalog lists, once there are catalogs, and a declaration other than the listed one. Called by every operation before it does
    /// anything.
    func checkRegistered(_ key: any StorageKey, operation: String? = nil) throws {
        switch catalogs.answer(toUseOf: key.name) {
        case .admitted: break
        case .notListed:
            catalogs.noteUse(ofUnlisted: key.name)
            throw StorageError(.notRegistered, key: key.name, domain: key.domain.kind, operation: operation)
        case .listed(let registered): try require(registered.differences(from: key, in: environment), of: key, operation)
        case .described(let kinds): try require(problems(of: key, as: kinds), of: key, operation)
        }
        ledger.note(key)
    }

    private func require(_ problems: [String], of key: any StorageKey, _ operation: String?) throws {
        guard !problems.isEmpty else { return }
        throw StorageError(.invalidKey, key: key.name, domain: key.domain.kind, operation: operation, facts: problems)
    }

    /// Whether app code may use the key: the source of a migration is in no catalog, or another declaration of a name that one lists.
    func admits(_ key: any StorageKey) -> Bool {
        switch catalogs.answer(toUseOf: key.name) {
        case .admitted: true
        case .notListed: false
        case .listed(let registered): registered.differences(from: key, in: environment).isEmpty
        case .described(let kinds): problems(of: key, as: kinds).isEmpty
        }
    }

    /// What stands against a key as one of those that its name may mean; nothing where it is declared like one of them. Another declaration would store the value
    /// where no migration, no sync and no audit of the listed key looks for it, or as that does not read it.
    private func problems(of key: any StorageKey, as kinds: [RegisteredDeclaration]) -> [String] {
        var isDeclared = false
        var problems: [String] = []
        for kind in kinds {
            let differences = kind.differences(from: key, in: environment)
            isDeclared = isDeclared || differences.isEmpty
            problems += kinds.count == 1 ? differences : differences.map { "as '\(kind.descriptor.name)' \($0)" }
        }
        guard isDeclared else { return problems }
        // Of two kinds that say as much of the name each may be meant: not where the same bytes would be values of either.
        guard kinds.count > 1 else { return [] }
        let place = kinds.first { $0.holds(key.valueType) }.flatMap { self.place(of: key.name, as: $0) }
        let others = kinds.filter { !$0.holds(key.valueType) && self.place(of: key.name, as: $0) == place }
        return others.map { "'\($0.descriptor.name)' lists the name at that place too, with values of another type" }
    }

    /// Where a key of that kind has its value, however its declaration spells the way there.
    private func place(of name: String, as kind: RegisteredDeclaration) -> String? {
        let domain = kind.descriptor.domain
        if domain.directory != nil, let file = try? files.physicalName(of: name, in: domain) { return file }
        return kind.place(of: name, in: environment)
    }

    /// Refuses a key whose file has become another key's as well: through a link for one, or since a volume takes their names for one. Nothing is lost: both have one
    /// value, which stays.
    func requireFileOfItsOwn(_ key: any StorageKey) throws {
        guard key.domain.directory != nil else { return }
        let (rivals, isMadeAtRunTime) = catalogs.rivals(of: key)
        if !rivals.isEmpty, let own = try files.physicalName(of: key.name, in: key.domain) {
            for rival in rivals where (try? files.physicalName(of: rival.name, in: rival.domain)) == own {
                throw StorageError(.invalidKey, facts: ["it is one file with '\(rival.name)' in \(rival.domain.kind)"])
            }
        }
        guard isMadeAtRunTime, let other = try files.otherSpelling(of: key.name, in: key.domain) else { return }
        throw StorageError(.invalidKey, facts: ["it is one file with '\(other)', since the volume ignores case: give it another name"])
    }
}

/// Registration.
extension Admission {
    /// - Returns: The names of which something else is declared than before in this process: another policy of sync, or nothing any more.
    /// - Throws: ``StorageError/Code/invalidCatalog``. Nothing is registered then.
    @discardableResult
    func register(_ catalog: any StorageKeyCatalog) throws -> [String] {
        // What a device does not tell now is looked at when a key is used.
        let gone = try catalogs.register(catalog) { try? self.files.physicalName(of: $0.name, in: $0.domain) }
        let keys = catalog.allKeys
        let withdrawn = names(of: gone).filter { !catalogs.lists($0) }
        for name in withdrawn { ledger.withdraw(name) }
        let changed = keys.filter { ledger.declare($0.base) }.map(\.name)
        notePlaces(of: keys)
        return withdrawn + changed
    }

    /// Whether a catalog lists the name, or a kind that it is one of.
    func lists(_ name: String) -> Bool { catalogs.lists(name) }

    /// Of what a list had: of a pattern, the names that were used.
    private func names(of listed: [String]) -> [String] {
        let patterns = listed.compactMap { KeyNamePattern($0) }
        guard !patterns.isEmpty else { return listed }
        return listed + ledger.knownNames().filter { name in patterns.contains { $0.matches(name) } }
    }

    /// So that a later process can tell the suites of these keys from empty ones: see ``BelievableDefaults``.
    func leaveWitnesses(of keys: [AnyStorageKey]) {
        let role = environment.device.role
        let suites = Set(keys.filter { $0.availability.isAvailable(on: role) }.compactMap(\.domain.defaultsSuite))
        for suite in suites.sorted(by: DefaultsSuite.isBefore) { witnesses.leaveWitness(in: suite) }
    }

    /// Also of keys that are never set: an earlier version of LocalData may have kept their values.
    private func notePlaces(of keys: [AnyStorageKey]) {
        let role = environment.device.role
        let used = keys.map(\.base).filter { $0.availability.isAvailable(on: role) }
        places.note(used.map(\.domain) + used.flatMap { $0.migration?.base.sourceKeys.map(\.base.domain) ?? [] })
    }
}
