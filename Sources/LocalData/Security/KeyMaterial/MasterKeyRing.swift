import Foundation

/// The master keys of this app, in the keychain: any number of keys that open, one of them primary, which seals.
///
/// Each key is an item of its own, named by its id, written once and never changed; an item named `primary` says which of them seals.
/// So a key can be added and made primary while envelopes of the others still open.
///
/// A key is minted only when something is to be sealed and the keychain has *said* that there is none: a locked or failing keychain
/// mints nothing, nor does opening an envelope whose key is gone. Minting adds the key first and the pointer second, and adding fails on
/// what exists, so a crash between the two leaves a key to adopt, and of two processes that mint at once the second adopts the first's.
///
/// Items are `afterFirstUnlock`. Not `whenUnlocked`: background work on a locked device would fail for values that are readable then.
/// Not *this device only*: files are restored to a new device from an encrypted backup, and could not be opened there without the key.
/// A value that must not be readable while the device is locked gets that from where its envelope lies (complete file protection), a
/// value that must not move to another device from its own keychain item.
///
/// Keys are not kept in memory between calls: the keychain alone says what is there, so that a removed key opens nothing any more.
struct MasterKeyRing: Sendable {
    /// Reserved for LocalData: no key of an app may use this service.
    static let service = "com.localdata.keys"
    static let accessibility = KeychainAccessibility.afterFirstUnlock
    /// The account of the item whose data is the id of the primary key. Not the form of an id.
    static let primaryAccount = "primary"

    let keychain: any KeychainStore
    let entropy: any EntropySource
    let device: any DeviceDescribing

    init(environment: StorageEnvironment) {
        keychain = environment.keychain
        entropy = environment.entropy
        device = environment.device
    }

    /// The key named `id`.
    /// - Throws: ``StorageError/Code/keyMissing`` on its verified absence.
    func key(_ id: String) throws(StorageError) -> MasterKey {
        guard let key = try keyIfPresent(id) else {
            throw StorageError(.keyMissing, facts: ["master key '\(id)' is not in the keychain"])
        }
        return key
    }

    /// The key that seals, or `nil` on its verified absence. Mints nothing.
    func primary() throws(StorageError) -> MasterKey? {
        guard let id = try primaryID() else { return nil }
        return try keyIfPresent(id)
    }

    /// The key that seals, minted if there verifiably is none.
    func primaryMintingIfAbsent() throws -> MasterKey {
        // Each round takes one step and looks again, so that what another process did meanwhile is believed rather than this one's plan.
        for _ in 0..<8 {
            if let id = try primaryID() {
                if let key = try keyIfPresent(id) { return key }
                // The key named there is gone, and what it sealed with it. Its id stays retired: the new key has its own.
                try point(to: try mint(), replacing: true)
            } else {
                try point(to: try keyIDs().first ?? mint(), replacing: false)
            }
        }
        throw StorageError(.inputOutput, facts: ["the keychain does not keep the master key it accepts"])
    }

    /// The ids of all keys, sorted.
    func keyIDs() throws(StorageError) -> [String] {
        let (status, items) = keychain.copyMatching(query(account: nil, returnsData: false, matchesAll: true))
        if status == .itemNotFound { return [] }
        try check(status, at: "copyMatching", stores: false)
        return items.map(\.account).filter { $0 != Self.primaryAccount }.sorted()
    }
}

extension MasterKeyRing {
    private func primaryID() throws(StorageError) -> String? {
        guard let data = try data(of: Self.primaryAccount) else { return nil }
        guard let id = String(data: data, encoding: .utf8), !id.isEmpty else {
            throw StorageError(.corrupt, facts: ["the keychain's pointer to the primary master key names no key"])
        }
        return id
    }

    private func keyIfPresent(_ id: String) throws(StorageError) -> MasterKey? {
        guard var data = try data(of: id) else { return nil }
        guard data.count == MasterKey.length else {
            throw StorageError(.corrupt, facts: ["master key '\(id)' has \(data.count) bytes instead of \(MasterKey.length)"])
        }
        return MasterKey(id: id, material: .consuming(&data))
    }

    private func data(of account: String) throws(StorageError) -> Data? {
        var (status, items) = keychain.copyMatching(query(account: account, returnsData: true, matchesAll: false))
        if status == .itemNotFound {
            // Before the first unlock the system has been seen to report items as absent.
            guard device.lockState != .beforeFirstUnlock else {
                throw StorageError(.lockedBeforeFirstUnlock, facts: [status.fact(at: "copyMatching of master key")])
            }
            return nil
        }
        try check(status, at: "copyMatching", stores: false)
        guard !items.isEmpty else { throw StorageError(.inputOutput, facts: ["the keychain reported success without an item"]) }
        // Moved out of the item, so that the bytes are held once and wiping reaches them.
        var data = Data()
        swap(&data, &items[0].data)
        return data
    }

    /// Adds a new key, under a new id.
    private func mint() throws -> String {
        let id = try entropy.exactly(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        var material = try entropy.exactly(MasterKey.length)
        var item = KeychainItem(service: Self.service, account: id, data: material, accessibility: Self.accessibility)
        let status = keychain.add(item)
        item.data = Data()
        material.wipe()
        try check(status, at: "add of master key")
        return id
    }

    private func point(to id: String, replacing: Bool) throws(StorageError) {
        let data = Data(id.utf8)
        if replacing {
            let pointer = query(account: Self.primaryAccount, returnsData: false, matchesAll: false)
            let status = keychain.update(pointer, to: KeychainChange(data: data))
            if status != .itemNotFound { try check(status, at: "update") }
        } else {
            let status = keychain.add(
                KeychainItem(service: Self.service, account: Self.primaryAccount, data: data, accessibility: Self.accessibility))
            if status != .duplicateItem { try check(status, at: "add") }
        }
    }

    private func query(account: String?, returnsData: Bool, matchesAll: Bool) -> KeychainQuery {
        KeychainQuery(
            service: Self.service, account: account, returnsData: returnsData, matchesAll: matchesAll, allowsInteraction: false)
    }

    private func check(_ status: KeychainStatus, at operation: String, stores: Bool = true) throws(StorageError) {
        guard status != .success else { return }
        throw StorageError(status.storageError(lockState: device.lockState, stores: stores), facts: [status.fact(at: operation)])
    }
}
