import Foundation

/// What lies at the places of keys: its bytes, how they are sealed, and which form of the value they are. It reads and writes, and knows nothing of
/// versions, migrations or observers; ``ValueEngine`` keeps those around it.
///
/// Its state is what this process knows of places and forms. All that looks at a key's place, or changes it, is called in the key's turn.
final class StoredValues: Sendable {
    let environment: StorageEnvironment
    let defaults: UserDefaultsHelper
    let keychain: KeychainHelper
    let files: FileStorageHelper
    let encryption: EncryptionHelper
    let turns: Turns
    let marks: MigrationMarks
    /// Is told of each envelope in preferences that is replaced.
    let unneededKeys: UnneededKeys
    let schemas = SchemaMarks()
    private let locations = LocationCache()

    init(
        environment: StorageEnvironment, defaults: UserDefaultsHelper, keychain: KeychainHelper, files: FileStorageHelper,
        encryption: EncryptionHelper, turns: Turns, marks: MigrationMarks, unneededKeys: UnneededKeys
    ) {
        self.environment = environment
        self.defaults = defaults
        self.keychain = keychain
        self.files = files
        self.encryption = encryption
        self.turns = turns
        self.marks = marks
        self.unneededKeys = unneededKeys
    }

    /// The place that a key declares.
    /// - Throws: ``StorageError/Code/invalidKey`` with everything that is wrong with the declaration.
    func location(of key: some StorageKey) throws -> StorageLocation { try locations.location(of: key) }
}

/// Reading.
extension StoredValues {
    /// What lies at the key's place, or `nil` on verified absence.
    /// - Parameter asksPerson: Whether a person may be asked to authenticate.
    func storedForm(of key: any StorageKey, asksPerson: Bool = true) async throws -> StoredForm? {
        let form = try lyingForm(of: key, asksPerson: asksPerson)
        if form != nil { try settleDestination(key) }
        return form
    }

    /// Within a migration, a value that is seen at its destination decides over deleting the sources. It may be the copy of a process that died before
    /// its copy was durable; deleting a source is durable, and a power loss would then leave neither.
    private func settleDestination(_ key: any StorageKey) throws {
        guard !ReadOnly.isOn, turns.access.isMigrating(), turns.isMigrating(into: try StorageLocation(of: key)) else { return }
        try settle(key)
    }

    /// Makes durable what is visible at the key's place, be it a value or its absence, whoever left it so.
    func settle(_ key: any StorageKey) throws {
        try mapped(key) {
            switch key.place {
            case .defaults(let suite): try defaults.handOver(suite)
            case .keychain: break
            case .file: try files.settle(files.place(of: key))
            }
        }
    }

    private func lyingForm(of key: any StorageKey, asksPerson: Bool) throws -> StoredForm? {
        try mapped(key) {
            switch key.place {
            case .defaults(let suite):
                guard let value = try defaults.stored(forKey: key.name, in: suite) else { return nil }
                return key.storedForm(value)
            case .keychain(let service):
                let item = try keychain.item(
                    account: key.name, service: service, mayBeBound: key.security.asksPerson, asksPerson: asksPerson,
                    accessGroup: key.accessGroup)
                if let item { try noteSchema(in: item, of: key) }
                return item.map { .bytes($0.data) }
            case .file: return try files.contents(of: files.place(of: key)).map { .bytes($0) }
            }
        }
    }

    /// Whether anything lies at the key's place.
    func isStored(_ key: any StorageKey) throws -> Bool {
        let isStored = try lies(key)
        if isStored { try settleDestination(key) }
        return isStored
    }

    private func lies(_ key: any StorageKey) throws -> Bool {
        try mapped(key) {
            switch key.place {
            case .defaults(let suite): try defaults.stored(forKey: key.name, in: suite) != nil
            case .keychain(let service):
                try keychain.holds(account: key.name, service: service, mayBeBound: key.security.asksPerson)
            case .file: try files.holdsFile(at: files.place(of: key))
            }
        }
    }

    /// What stands in front of the envelope at the key's place; `nil` where there is no envelope. Reads no more, and collects no leftovers.
    func envelopeHeader(of key: any StorageKey) throws -> EnvelopeHeader? {
        guard let front = try storedFront(of: key)?.envelope else { return nil }
        do { return try EnvelopePrefix(parsing: front).header } catch { throw error.storageError }
    }

    /// The beginning of what lies at the key's place, long enough for the front of an envelope; `nil` where nothing does.
    func storedFront(of key: any StorageKey) throws -> StoredForm? {
        switch key.place {
        case .defaults(let suite): try defaults.stored(forKey: key.name, in: suite).map(key.storedForm)
        case .keychain(let service):
            try keychain.item(account: key.name, service: service, asksPerson: false, accessGroup: key.accessGroup).map { .bytes($0.data) }
        case .file: try files.front(of: files.place(of: key), byteCount: EnvelopeFormat.maximumHeaderLength).map { .bytes($0) }
        }
    }

    /// The revision of what lies at the key's place, `nil` on verified absence. Called under the key's lock.
    func syncRevision(of key: any StorageKey) async throws -> FoundRevision {
        if case .keychain(let service) = key.domain {
            return FoundRevision(value: try keychain.syncTag(of: key, service: service))
        }
        return FoundRevision(value: try await storedForm(of: key).map { key.revision(of: $0) })
    }
}

/// Writing.
extension StoredValues {
    /// - Returns: False where there is something by now, which stays.
    func putNew(_ form: StoredForm, for key: any StorageKey, tag: Data?, schema: Int) throws -> Bool {
        switch (key.place, form) {
        case (.keychain(let service), .bytes(let bytes)):
            let (accessibility, accessControl) = key.security.keychainAttributes
            return try keychain.create(
                bytes, account: key.name, service: service, accessibility: accessibility, accessControl: accessControl, tag: tag,
                schema: schema, accessGroup: key.accessGroup)
        case (.file(let protection), .bytes(let bytes)):
            let note = try fileNote(tag, of: key, with: form, schema: schema)
            return try files.create(bytes, at: files.place(of: key), protection: protection, note: note)
        case (.defaults(let suite), _):
            guard try defaults.stored(forKey: key.name, in: suite) == nil else { return false }
            fallthrough
        case (.keychain, .propertyList), (.file, .propertyList):
            try put(form, for: key, tag: tag, schema: schema)
            return true
        }
    }

    /// Removes what lies at the key's place, durably except in preferences. Removing nothing succeeds.
    func remove(_ key: any StorageKey) throws {
        try mapped(key) {
            switch key.place {
            case .defaults(let suite):
                try noteReplacement(of: key, in: suite, by: nil)
                try defaults.change(to: nil, forKey: key.name, in: suite)
            case .keychain(let service): try keychain.remove(account: key.name, service: service)
            case .file:
                let place = try files.place(of: key)
                if key.acceptedPolicies.acceptsPlain, try isShared(key) { files.directories.collectLeftovers(inShared: place) }
                try files.remove(place, leavesNothing: key.acceptedPolicies.acceptsPlain)
            }
        }
    }

    func put(_ form: StoredForm, for key: any StorageKey, tag: Data?, schema: Int = 1) throws {
        switch (key.place, form) {
        case (.defaults(let suite), _):
            try noteReplacement(of: key, in: suite, by: form)
            try defaults.change(to: form.propertyList, forKey: key.name, in: suite)
        case (.keychain(let service), .bytes(let bytes)):
            let (accessibility, accessControl) = key.security.keychainAttributes
            try keychain.store(
                bytes, account: key.name, service: service, accessibility: accessibility, accessControl: accessControl, tag: tag,
                schema: schema, accessGroup: key.accessGroup)
        case (.file(let protection), .bytes(let bytes)):
            let note = try fileNote(tag, of: key, with: form, schema: schema)
            try files.write(bytes, to: files.place(of: key), protection: protection, note: note)
        case (.keychain, .propertyList), (.file, .propertyList):
            throw StorageError(.invalidKey, facts: ["the domain '\(key.domain.kind)' stores bytes"])
        }
    }

    /// Whether the key's secret is noted to be bound to a person or to the passcode.
    func isNotedBound(_ key: any StorageKey) -> Bool {
        guard case .keychain(let service) = key.place else { return false }
        return keychain.isNotedBound(account: key.name, service: service, accessGroup: key.accessGroup)
    }

    /// Deletes what writes that were cut short left beside the place of a file. What cannot be deleted now is at the next use of the directory.
    /// - Parameter isRemoval: Whether a value is being removed that may lie there in plain: then also what another process has left since this one looked.
    func collectLeftovers(of key: any StorageKey, isRemoval: Bool = false) {
        guard case .file = key.place, let place = try? files.place(of: key) else { return }
        if isRemoval, key.acceptedPolicies.acceptsPlain, (try? isShared(key)) == true {
            files.directories.collectLeftovers(inShared: place)
        } else {
            files.directories.collectLeftovers(in: place)
        }
    }

    /// What an envelope of the key's value authenticates.
    func recordIdentity(of key: any StorageKey) throws -> RecordIdentity {
        try location(of: key).recordIdentity(in: environment)
    }

    func mapped<Result>(_ key: any StorageKey, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StorageError {
            throw error.at(key: key.name, domain: key.domain.kind)
        }
    }

    /// Called before the value of a key in preferences is replaced or removed: see ``UnneededKeys``.
    /// - Parameter form: What comes there; `nil` where nothing does.
    func noteReplacement(of key: any StorageKey, in suite: DefaultsSuite, by form: StoredForm?) throws {
        guard key.acceptedPolicies.acceptsSealed, case .data(let envelope)? = try defaults.stored(forKey: key.name, in: suite),
            case .master(let id)? = Self.keySource(of: envelope)
        else { return }
        // What the same key seals again is sealed by one that is in use.
        let isInUse =
            if let next = form?.envelope { Self.keySource(of: next) == .master(id: id) } else {
                (try? encryption.ring(of: key.accessGroup).pointer()?.primary) == id
            }
        unneededKeys.willReplaceEnvelope(of: id, leavingMarkIn: isInUse ? nil : suite)
    }

    private static func keySource(of envelope: Data) -> EnvelopeKeySource? {
        Envelope.isClaimed(by: envelope) ? (try? EnvelopePrefix(parsing: envelope))?.header.keySource : nil
    }
}

/// Whose places they are.
extension StoredValues {
    /// Whether what lies at the places of two keys is one file: to delete one were to delete the other. Asked before each deletion of a source.
    /// - Throws: ``StorageError`` where that cannot be told. Then nothing may be deleted.
    func isOneFile(_ first: any StorageKey, _ second: any StorageKey) throws -> Bool {
        if try location(of: first).resolved(in: environment) == location(of: second).resolved(in: environment) { return true }
        return try files.isOneFile(first, second)
    }

    /// Whether a key names another one's place otherwise.
    func isAnotherName(_ other: any StorageKey, of key: any StorageKey) throws -> Bool {
        try isNamedOtherwise(other, than: key) && isOneFile(other, key)
    }

    /// Whether two keys of one place give it differently. A directory has one name for both kinds of files; a group's suite has two.
    func isNamedOtherwise(_ other: any StorageKey, than key: any StorageKey) throws -> Bool {
        if try location(of: other) != location(of: key) { return true }
        if case .file = key.place { return false }
        return other.domain != key.domain
    }

    /// Whether processes other than the app may store values at the key's place: in an App Group's container or preferences, in a directory outside
    /// of the app's own container, or in a keychain access group.
    func isShared(_ key: any StorageKey) throws -> Bool {
        if key.accessGroup != nil { return true }
        switch key.domain {
        case .appGroupUserDefaults, .appGroupFileSystem: return true
        // What begins like this may be an App Group's.
        case .userDefaults(let suite): return suite?.hasPrefix("group.") ?? false
        case .keychain: return false
        case .fileSystem(let directory), .encryptedFileSystem(let directory):
            guard let custom = directory.customPath.map(StorageLocation.systemless) else { return false }
            return try !ownFolders().contains { custom == $0 || custom.hasPrefix($0 + "/") }
        }
    }

    /// What no other process has: the app's container, as far as it can be told from the directories in it.
    private func ownFolders() throws -> [String] {
        let kinds: [ContainerDirectory] = [.documents, .caches, .applicationSupport, .temporary]
        return try kinds.map { StorageLocation.systemless(try files.containerPath($0)) }
    }
}

/// What tells one value at a place from another. A failure to find out is an error, and no revision.
struct FoundRevision: Sendable {
    /// `nil` on verified absence.
    let value: Data?
}
