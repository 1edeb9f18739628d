import Foundation

/// All keychain operations, with typed errors.
///
/// A value is updated, else added, else updated again: never deleted first, since deleting works on a locked device and adding does not.
public actor KeychainHelper {
    /// The helper of the current device (see ``StorageRouter/shared``).
    public static var shared: KeychainHelper { StorageRouter.shared.keychain }

    nonisolated let environment: StorageEnvironment

    init(environment: StorageEnvironment) {
        self.environment = environment
    }

    /// Stores `data`. An existing item keeps its place and gets the accessibility and access control given here.
    /// - Parameters:
    ///   - service: `nil` is the app's bundle identifier.
    ///   - generic: Bytes of the caller's own, not secret, stored with the item in one step; `nil` leaves what is there.
    public nonisolated func set(
        _ data: Data, service: String?, account: String, accessibility: KeychainAccessibility = .whenUnlocked,
        accessControl: KeychainAccessControl? = nil, generic: Data? = nil
    ) throws {
        try checkService(service)
        let item = KeychainItem(
            service: name(of: service), account: account, data: data, generic: generic, accessibility: accessibility,
            accessControl: accessControl)
        let change = KeychainChange(data: data, generic: generic, accessibility: accessibility, accessControl: accessControl)
        let query = KeychainQuery(service: item.service, account: account)
        var status = environment.keychain.update(query, to: change)
        if status == .itemNotFound { status = environment.keychain.add(item) }
        if status == .duplicateItem { status = environment.keychain.update(query, to: change) }
        try check(status, stores: true)
    }

    /// - Returns: `nil` where there is verifiably no such item.
    public nonisolated func get(service: String?, account: String) throws -> Data? {
        try item(service: service, account: account)?.data
    }

    /// Removes an item. Removing what is not there succeeds.
    public nonisolated func delete(service: String?, account: String) throws {
        try checkService(service)
        try check(environment.keychain.delete(KeychainQuery(service: name(of: service), account: account)), absentIsFine: true)
    }

    /// - Throws: ``StorageError/Code/locked`` where the item's class is locked: whether it exists cannot be told then.
    public nonisolated func exists(service: String?, account: String) throws -> Bool {
        var query = KeychainQuery(service: name(of: service), account: account)
        query.returnsData = false
        query.allowsInteraction = false
        let (status, _) = environment.keychain.copyMatching(query)
        // Unlocked, and still not without interaction: it is there, behind its access control.
        if status == .interactionNotAllowed, environment.device.lockState == .unlocked { return true }
        if status == .itemNotFound { return false }
        try check(status)
        return true
    }

    /// Removes all items of a service; never LocalData's own master keys.
    public nonisolated func deleteAll(service: String?) throws {
        try checkService(service)
        var query = KeychainQuery(service: name(of: service))
        query.matchesAll = true
        try check(environment.keychain.delete(query), absentIsFine: true)
    }

    /// The accounts of a service, sorted.
    public nonisolated func list(service: String?) throws -> [String] {
        var query = KeychainQuery(service: name(of: service))
        query.matchesAll = true
        query.returnsData = false
        let (status, items) = environment.keychain.copyMatching(query)
        if status == .itemNotFound { return [] }
        try check(status)
        return items.map(\.account).sorted()
    }

    nonisolated func item(service: String?, account: String) throws -> KeychainItem? {
        let (status, items) = environment.keychain.copyMatching(KeychainQuery(service: name(of: service), account: account))
        if status == .itemNotFound { return nil }
        try check(status)
        return items.first
    }

    /// What would happen to every sealed value if an app wrote or deleted there does not bear thinking of.
    private nonisolated func checkService(_ service: String?) throws {
        guard let service, service.hasPrefix(StorageNameRules.reservedPrefix) else { return }
        throw StorageError(.invalidKey, domain: "keychain", facts: ["services that begin with '\(StorageNameRules.reservedPrefix)' are LocalData's own"])
    }

    private nonisolated func name(of service: String?) -> String { service ?? environment.device.bundleIdentifier }

    private nonisolated func check(_ status: KeychainStatus, absentIsFine: Bool = false, stores: Bool = false) throws {
        if status == .success || (absentIsFine && status == .itemNotFound) { return }
        throw StorageError(status.storageError(lockState: environment.device.lockState, stores: stores), facts: ["OSStatus \(status.rawValue)"])
    }
}
