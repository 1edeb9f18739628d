import Foundation

/// The master keys of this app, in the keychain: any number of keys that open, one of them primary, which seals.
///
/// Each key is an item of its own, named by its id, written once and never changed; an item named `primary` says which of them seals.
/// So a key can be added and made primary while envelopes of the others still open: see ``beginRotation()``.
///
/// A key is minted only when something is to be sealed and the keychain has *said* that there is none: a locked or failing keychain
/// mints nothing, nor does opening an envelope whose key is gone. Minting adds the key first and the pointer second, and adding fails on
/// what exists, so a crash between the two leaves a key to adopt, and of two processes that mint at once the second adopts the first's.
///
/// A ring of an access group (``StorageKey/accessGroup``) lies there for all processes that are entitled to the group. What the app sealed before it
/// declared the group stays readable to all: a key that only its own ring has is handed on, under the same id, by whichever process has it.
/// Two processes that make the group's first key at once end with one pointer, since adding it fails on what exists, and both seal with that.
///
/// Items are `afterFirstUnlock`. Not `whenUnlocked`: background work on a locked device would fail for values that are readable then.
/// Not *this device only*: files are restored to a new device from an encrypted backup on a computer, and could not be opened there without the key. From
/// an iCloud backup no keychain item comes to another device.
/// A value that must not be readable while the device is locked gets that from where its envelope lies (complete file protection), a
/// value that must not move to another device from its own keychain item.
///
/// Keys are not kept in memory between calls: the keychain alone says what is there, so that a removed key opens nothing any more.
struct MasterKeyRing: Sendable {
    /// Reserved for LocalData: no key of an app may use this service.
    static let service = "com.localdata.keys"
    /// Whether the service is that of a ring: the app's own, or one of an access group.
    static func isService(_ service: String) -> Bool { service == Self.service || service.hasPrefix(Self.service + ".") }
    static let accessibility = KeychainAccessibility.afterFirstUnlock
    /// The account of the item whose data is the id of the primary key. Not the form of an id.
    static let primaryAccount = "primary"

    /// The access group that the items are in; `nil` for the process's own.
    let accessGroup: String?
    let keychain: any KeychainStore
    let entropy: any EntropySource
    let device: any DeviceDescribing

    init(environment: StorageEnvironment, accessGroup: String? = nil) {
        self.accessGroup = accessGroup
        keychain = BelievableKeychain.around(environment)
        entropy = environment.entropy
        device = environment.device
    }

    /// A query without an access group matches the items of all groups, so the rings are told apart by their services too.
    var service: String { accessGroup.map { "\(Self.service).\($0)" } ?? Self.service }

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
        guard let id = try pointer()?.primary else { return nil }
        return try keyIfPresent(id)
    }

    /// The key that seals, minted if there verifiably is none.
    /// - Parameter own: The process's own ring, for one of an access group: where that has no key yet, this one's is handed on to it.
    func primaryMintingIfAbsent(adoptingFrom own: MasterKeyRing? = nil) throws -> MasterKey {
        // Each round takes one step and looks again, so that what another process did meanwhile is believed rather than this one's plan.
        for _ in 0..<8 {
            if let id = try pointer()?.primary {
                if let key = try keyIfPresent(id) { return key }
                // The key named there is gone, and what it sealed with it. Its id stays retired: the new key has its own.
                if let known = try own?.keyIfPresent(id) { try take(known) } else { try repoint(to: try mint(), rotation: nil) }
            } else {
                // What was handed on to open earlier values does not begin to seal.
                try point(to: try own?.primary().map(take) ?? keyIDs().first ?? mint())
            }
        }
        throw StorageError(.inputOutput, facts: ["the keychain does not keep the master key it accepts"])
    }

    /// The ids of all keys, sorted.
    func keyIDs() throws(StorageError) -> [String] { try keys().map(\.account) }
}

extension MasterKeyRing {
    /// The item that says which key seals.
    struct Pointer: Sendable, Hashable {
        let primary: String
        /// ``KeychainItem/generic`` of the item: empty, or what ``MasterKeyRing/beginRotation()`` left there.
        let rotation: Data
    }

    func pointer() throws(StorageError) -> Pointer? {
        guard let item = try item(Self.primaryAccount) else { return nil }
        guard let id = String(data: item.data, encoding: .utf8), !id.isEmpty else {
            throw StorageError(.corrupt, facts: ["the keychain's pointer to the primary master key names no key"])
        }
        return Pointer(primary: id, rotation: item.generic ?? Data())
    }

    /// The items of all keys without their material, sorted by id.
    func keys() throws(StorageError) -> [KeychainItem] {
        let (status, items) = keychain.copyMatching(query(account: nil, returnsData: false, matchesAll: true))
        if status == .itemNotFound { return [] }
        try check(status, at: "copyMatching", stores: false)
        return items.filter { $0.account != Self.primaryAccount }.sorted { $0.account < $1.account }
    }

    /// The access groups whose rings have a key of that id, sorted: those that this process belongs to.
    func groups(having id: String) throws(StorageError) -> [String] {
        let (status, items) = keychain.copyMatching(KeychainQuery(account: id, returnsData: false, matchesAll: true))
        if status == .itemNotFound { return [] }
        try check(status, at: "copyMatching", stores: false)
        let prefix = Self.service + "."
        return Set(items.filter { $0.service.hasPrefix(prefix) }.map { String($0.service.dropFirst(prefix.count)) }).sorted()
    }

    func keyIfPresent(_ id: String) throws(StorageError) -> MasterKey? {
        guard var item = try item(id) else { return nil }
        guard item.data.count == MasterKey.length else {
            throw StorageError(.corrupt, facts: ["master key '\(id)' has \(item.data.count) bytes instead of \(MasterKey.length)"])
        }
        // Moved out of the item, so that the bytes are held once and wiping reaches them.
        var data = Data()
        swap(&data, &item.data)
        return MasterKey(id: id, material: .consuming(&data))
    }

    /// Adds a new key, under a new id.
    /// - Parameter predecessor: The id of the key that it is to follow, stored with it in the same step.
    func mint(after predecessor: String? = nil) throws -> String {
        let id = try entropy.exactly(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        var material = try entropy.exactly(MasterKey.length)
        var item = KeychainItem(
            service: service, account: id, accessGroup: accessGroup, data: material, generic: predecessor.map { Data($0.utf8) },
            accessibility: Self.accessibility)
        let status = keychain.add(item)
        item.data = Data()
        material.wipe()
        try check(status, at: "add of master key")
        return id
    }

    /// Adds a key of another ring, under its id. One that is there already is the same.
    @discardableResult
    func take(_ key: MasterKey) throws(StorageError) -> String {
        var item = KeychainItem(
            service: service, account: key.id, accessGroup: accessGroup, data: key.material.withUnsafeBytes { Data($0) },
            accessibility: Self.accessibility)
        let status = keychain.add(item)
        item.data.wipe()
        if status != .duplicateItem { try check(status, at: "add of master key") }
        return key.id
    }

    /// Changes the pointer where it is there: the primary key, the rotation's mark, or both in one step. `nil` stays as it is.
    func repoint(to id: String?, rotation: Data?) throws(StorageError) {
        let pointer = query(account: Self.primaryAccount, returnsData: false, matchesAll: false)
        let status = keychain.update(pointer, to: KeychainChange(data: id.map { Data($0.utf8) }, generic: rotation))
        if status != .itemNotFound { try check(status, at: "update") }
    }

    /// Deletes a key. Succeeds where it is gone.
    func delete(_ id: String) throws(StorageError) {
        let status = keychain.delete(query(account: id, returnsData: false, matchesAll: false))
        if status != .itemNotFound { try check(status, at: "delete", stores: false) }
    }

    /// Makes a key primary where there is no pointer; another process may be quicker.
    private func point(to id: String) throws(StorageError) {
        let status = keychain.add(
            KeychainItem(
                service: service, account: Self.primaryAccount, accessGroup: accessGroup, data: Data(id.utf8),
                accessibility: Self.accessibility))
        if status != .duplicateItem { try check(status, at: "add") }
    }

    private func item(_ account: String) throws(StorageError) -> KeychainItem? {
        let (status, items) = keychain.copyMatching(query(account: account, returnsData: true, matchesAll: false))
        if status == .itemNotFound { return nil }
        try check(status, at: "copyMatching", stores: false)
        guard let item = items.first else {
            throw StorageError(.inputOutput, facts: ["the keychain reported success without an item"])
        }
        return item
    }

    private func query(account: String?, returnsData: Bool, matchesAll: Bool) -> KeychainQuery {
        KeychainQuery(
            service: service, account: account, accessGroup: accessGroup, returnsData: returnsData, matchesAll: matchesAll,
            allowsInteraction: false)
    }

    private func check(_ status: KeychainStatus, at operation: String, stores: Bool = true) throws(StorageError) {
        guard status != .success else { return }
        throw StorageError(status.storageError(lockState: device.lockState, stores: stores), facts: [status.fact(at: operation)])
    }
}

/// A rotation in the ring: a new key is added, then made primary in one step together with a mark that the rotation is under way; the mark
/// goes when everything was sealed anew. So a crash anywhere leaves either the old primary, perhaps with a successor to adopt, or a
/// rotation to go on with, and none of them mints a second key.
extension MasterKeyRing {
    /// What ``KeychainItem/generic`` of the pointer says while a rotation is under way. A stored format: a new one is another text.
    static let rotationMark = Data("rotating 1".utf8)

    /// The rotation that is under way.
    struct Rotation: Sendable, Hashable {
        /// The id of the key that seals from now on.
        let primary: String
        /// Whether this call began the rotation.
        let isNew: Bool
    }

    /// Makes a successor of the primary key primary, unless a rotation is under way.
    ///
    /// Of two processes that begin at once both end with one primary key; what the other one minted seals little or nothing, and is
    /// retired with the old one.
    /// - Returns: `nil` where there is no primary key to rotate.
    func beginRotation() throws -> Rotation? {
        for _ in 0..<8 {
            guard let pointer = try pointer() else { return nil }
            if try isRotating(pointer) { return Rotation(primary: pointer.primary, isNew: false) }
            guard try keyIfPresent(pointer.primary) != nil else { return nil }
            guard let successor = try successors(of: pointer.primary).first else {
                // And look again: another process may have minted one too, and both must choose the same.
                _ = try mint(after: pointer.primary)
                continue
            }
            try repoint(to: successor, rotation: Self.rotationMark)
            if try self.pointer()?.primary == successor { return Rotation(primary: successor, isNew: true) }
        }
        throw StorageError(.inputOutput, facts: ["the keychain does not keep the master key it accepts"])
    }

    func isRotating() throws -> Bool { try pointer().map(isRotating) ?? false }

    /// Takes the mark away, of this rotation: another one may have begun since it was completed, in this process or in another. Writes nothing where there is none.
    func finish(_ rotation: Rotation) throws(StorageError) {
        guard let pointer = try pointer(), !pointer.rotation.isEmpty, pointer.primary == rotation.primary else { return }
        try repoint(to: nil, rotation: Data())
    }

    /// The keys that were minted to follow `id`, sorted.
    func successors(of id: String) throws(StorageError) -> [String] {
        try keys().filter { $0.generic == Data(id.utf8) }.map(\.account)
    }

    /// The ids of the key that seals and of those that are about to: its successors, which a rotation minted that was cut short, and where nothing says which
    /// key seals, the one that will be taken, which was minted and not pointed to.
    func sealing() throws(StorageError) -> [String] {
        guard let primary = try pointer()?.primary else { return Array(try keyIDs().prefix(1)) }
        return [primary] + (try successors(of: primary))
    }

    private func isRotating(_ pointer: Pointer) throws(StorageError) -> Bool {
        guard !pointer.rotation.isEmpty else { return false }
        guard pointer.rotation == Self.rotationMark else {
            throw StorageError(.superseded, facts: ["a newer version of the app rotates the master keys"])
        }
        return true
    }
}

/// One key of the ring, with the name that envelopes know it by.
struct MasterKey: Sendable {
    /// The length of every master key in bytes.
    static let length = 32

    /// Sixteen hexadecimal digits, drawn at random when the key was minted. Not secret.
    let id: String
    let material: SecretBytes
}
