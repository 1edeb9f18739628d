import Foundation

/// What the storage, migration and sync topics share. All of these run under the key's lock, taken by ``withExclusiveAccess(to:_:)``.
extension StorageRouter {
    /// What lies at the key's place, or `nil` on verified absence.
    func storedForm(of key: any StorageKey) async throws -> StoredForm? {
        switch key.domain {
        case .userDefaults, .appGroupUserDefaults:
            try defaults.get(key.name, in: key.domain.suite).map(StoredForm.propertyList)
        case .keychain(let service):
            try keychain.get(service: service, account: key.name).map(StoredForm.bytes)
        case .fileSystem(let directory), .encryptedFileSystem(let directory):
            try files.read(name: key.name, in: directory).map(StoredForm.bytes)
        case .appGroupFileSystem(let group, let directory):
            try files.read(name: key.name, in: directory, appGroup: group).map(StoredForm.bytes)
        }
    }

    /// Whether something lies at the key's place, without reading it.
    func isStored(_ key: any StorageKey) async throws -> Bool {
        switch key.domain {
        case .userDefaults, .appGroupUserDefaults: try defaults.exists(key.name, in: key.domain.suite)
        case .keychain(let service): try keychain.exists(service: service, account: key.name)
        case .fileSystem(let directory), .encryptedFileSystem(let directory): try files.exists(name: key.name, in: directory)
        case .appGroupFileSystem(let group, let directory): try files.exists(name: key.name, in: directory, appGroup: group)
        }
    }

    /// The serialized bytes of the key's value, opened, or `nil` on verified absence. Starts no migration.
    func plainData(of key: any StorageKey) async throws -> Data? {
        guard let form = try await storedForm(of: key) else { return nil }
        guard case .encrypted(let policy) = key.security else {
            switch form {
            case .bytes(let data): return data
            case .propertyList(let value): return try DefaultsForm.plain(of: value, serializer: key.serializerName)
            }
        }
        let envelope: Data
        switch form {
        case .bytes(let data), .propertyList(.data(let data)): envelope = data
        case .propertyList: throw StorageError(.corrupt, facts: ["the preferences hold a readable value where an envelope belongs"])
        }
        return try await encryption.decrypt(envelope, policy: policy, identity: location(of: key).identity, keyName: key.name)
    }

    /// Secures and stores serialized bytes, with the sync ledger kept around it.
    func store(_ plain: Data, for key: any StorageKey, origin: ChangeOrigin) async throws -> SyncTicket? {
        let form = try await form(of: plain, for: key)
        let ticket = try await syncWillChange(key, to: form, origin: origin)
        try write(form, for: key, tag: ticket?.tag)
        if let ticket { await syncDidChange(ticket, key: key, plain: plain, origin: origin) }
        observers.tell(of: try location(of: key), plain: plain, origin: origin)
        return ticket
    }

    /// Removes what lies at the key's place, with the sync ledger kept around it.
    func erase(_ key: any StorageKey, origin: ChangeOrigin) async throws -> SyncTicket? {
        let ticket = try await syncWillChange(key, to: nil, origin: origin)
        switch key.domain {
        case .userDefaults, .appGroupUserDefaults: try defaults.delete(key.name, in: key.domain.suite)
        case .keychain(let service): try keychain.delete(service: service, account: key.name)
        case .fileSystem(let directory), .encryptedFileSystem(let directory): try files.delete(name: key.name, in: directory)
        case .appGroupFileSystem(let group, let directory): try files.delete(name: key.name, in: directory, appGroup: group)
        }
        if let ticket { await syncDidChange(ticket, key: key, plain: nil, origin: origin) }
        observers.tell(of: try location(of: key), plain: nil, origin: origin)
        return ticket
    }

    /// What to store for serialized bytes: sealed if the key's policy says so.
    private func form(of plain: Data, for key: any StorageKey) async throws -> StoredForm {
        if case .encrypted(let policy) = key.security {
            let envelope = try await encryption.encrypt(
                plain, policy: policy, identity: location(of: key).identity, keyName: key.name)
            return key.domain.isDefaults ? .propertyList(.data(envelope)) : .bytes(envelope)
        }
        return key.domain.isDefaults ? DefaultsForm.form(of: plain, serializer: key.serializerName) : .bytes(plain)
    }

    private nonisolated func write(_ form: StoredForm, for key: any StorageKey, tag: Data?) throws {
        let value: PropertyListValue
        let data: Data
        switch form {
        case .bytes(let bytes): (data, value) = (bytes, .data(bytes))
        case .propertyList(let native): (data, value) = (Data(), native)
        }
        switch key.domain {
        case .userDefaults, .appGroupUserDefaults: try defaults.set(value, forKey: key.name, in: key.domain.suite)
        case .keychain(let service):
            let (accessibility, accessControl) = key.security.keychainProtection
            try keychain.set(
                data, service: service, account: key.name, accessibility: accessibility, accessControl: accessControl, generic: tag)
        case .fileSystem(let directory): try files.write(data, name: key.name, in: directory)
        case .encryptedFileSystem(let directory): try files.write(data, name: key.name, in: directory, protection: .complete)
        case .appGroupFileSystem(let group, let directory): try files.write(data, name: key.name, in: directory, appGroup: group)
        }
    }
}

/// For tools and simulations that look at, or damage, what is stored.
extension StorageRouter {
    /// How many bytes lie at the key's place, or `nil` where nothing does. Opens nothing.
    package func storedByteCount(of key: AnyStorageKey) async throws -> Int? {
        try await storedBytes(of: key)?.count
    }

    /// The bytes at the key's place as they are; of a native preference its canonical bytes.
    package func storedBytes(of key: AnyStorageKey) async throws -> Data? {
        switch try await storedForm(of: key.base) {
        case .bytes(let data)?, .propertyList(.data(let data))?: data
        case .propertyList(let value)?: value.canonicalBytes
        case nil: nil
        }
    }

    /// Puts bytes at the key's place, unsecured and unannounced.
    package func overwriteStoredBytes(of key: AnyStorageKey, with bytes: Data) async throws {
        try write(key.domain.isDefaults ? .propertyList(.data(bytes)) : .bytes(bytes), for: key.base, tag: nil)
    }
}

extension StorageKey {
    var serializerName: String { serializer.name }
}

extension StorageDomain {
    var isDefaults: Bool {
        switch self {
        case .userDefaults, .appGroupUserDefaults: true
        case .keychain, .fileSystem, .encryptedFileSystem, .appGroupFileSystem: false
        }
    }

    /// The suite that the domain's values lie in; the app's own for domains that have none.
    var suite: DefaultsSuite {
        switch self {
        case .userDefaults(let name?): .named(name)
        case .appGroupUserDefaults(let group): .appGroup(group)
        default: .standard
        }
    }
}

extension SecurityPolicy {
    /// How the keychain protects an item of a key with this policy. Where the value is sealed already, the item is within reach from the
    /// first unlock on, as the master key is.
    var keychainProtection: (accessibility: KeychainAccessibility, accessControl: KeychainAccessControl?) {
        switch self {
        case .keychain(let accessibility, let accessControl): (accessibility, accessControl)
        case .none: (.whenUnlocked, nil)
        case .encrypted: (.afterFirstUnlock, nil)
        }
    }
}
