import Foundation

/// All keychain operations, with typed errors.
///
/// A `nil` service is the app's own: its bundle identifier. Reading and replacing an item under access control may show a prompt and wait for a
/// person. Nothing in here is isolated to the actor, so that nobody else waits with them.
public actor KeychainHelper {
    /// The helper of the current device (see ``StorageRouter/shared``).
    public static var shared: KeychainHelper { StorageRouter.shared.keychain }

    let environment: StorageEnvironment

    init(environment: StorageEnvironment) {
        self.environment = environment
    }
}

/// What apps call. All of these throw ``StorageError``: `locked`, `lockedBeforeFirstUnlock`, `authenticationRequired`, `authenticationCancelled`,
/// `authenticationFailed`, `invalidated`, `accessDenied` (an entitlement), `noSpace`, `corrupt`, `inputOutput` with the OSStatus, `invalidKey`.
extension KeychainHelper {
    /// Stores a secret, replacing one of that account in one step: at no moment there is none.
    public nonisolated func set(
        _ data: Data, account: String, service: String? = nil, accessibility: KeychainAccessibility = .whenUnlocked,
        accessControl: KeychainAccessControl? = nil
    ) async throws {
        try check(account, service)
        try store(data, account: account, service: service, accessibility: accessibility, accessControl: accessControl)
    }

    /// The secret, or `nil` on verified absence.
    public nonisolated func get(account: String, service: String? = nil) async throws -> Data? {
        try check(account, service)
        return try item(account: account, service: service)?.data
    }

    /// Removes an item. Succeeds where there is none, and while the device is locked.
    public nonisolated func delete(account: String, service: String? = nil) async throws {
        try check(account, service)
        try remove(account: account, service: service)
    }

    /// Whether there is such an item. Asks nobody to authenticate; a locked device cannot tell.
    public nonisolated func exists(account: String, service: String? = nil) async throws -> Bool {
        try check(account, service)
        return try holds(account: account, service: service)
    }

    /// Removes all items of a service.
    public nonisolated func deleteAll(service: String? = nil) async throws {
        try check(nil, service)
        try remove(account: nil, service: service)
    }

    private nonisolated func check(_ account: String?, _ service: String?) throws {
        let domain = StorageDomain.keychain(service: service)
        let problems = KeyRules.problems(name: account ?? "all", domain: domain, security: .none)
        guard problems.isEmpty else { throw StorageError(.invalidKey, key: account, domain: domain.kind, facts: problems) }
    }
}

/// The operations themselves. Synchronous, from any thread.
extension KeychainHelper {
    /// How often an item may appear and vanish under a write, by other processes, before it gives up.
    private static let maximumRounds = 3

    /// Update, else add, else update: another process may add or delete between the steps. The accessibility is one of the attributes to update; in
    /// the query it would hide the item that is there.
    /// - Parameter tag: Bytes to store with the secret in the same step. Without any, those of the earlier secret go: they say nothing of this one.
    nonisolated func store(
        _ data: Data, account: String, service: String?, accessibility: KeychainAccessibility, accessControl: KeychainAccessControl?,
        tag: Data? = nil
    ) throws {
        let query = query(account, service)
        let enrolment = accessControl == .biometryCurrentSet ? environment.device.biometryEnrolment.fingerprint : nil
        let note = KeychainNote(tag: tag, enrolment: enrolment).stored
        let change = KeychainChange(data: data, generic: note ?? Data(), accessibility: accessibility, accessControl: accessControl)
        let item = KeychainItem(
            service: self.service(service), account: account, data: data, generic: note, accessibility: accessibility,
            accessControl: accessControl)
        for round in 1...Self.maximumRounds {
            switch environment.keychain.update(query, to: change) {
            case .success: return
            case .itemNotFound: break
            // Nobody can ever read what is there, so nothing is lost while there is nothing.
            case .authFailed where isInvalidated(account, service, reading: .authFailed): try remove(account: account, service: service)
            case let status: throw error(status, at: "update", stores: true)
            }
            switch environment.keychain.add(item) {
            case .success: return
            case .duplicateItem:
                // Somebody may have added it meanwhile. An item that is still not found then may be one that cannot be (K).
                if round > 1, isInvalidated(account, service, reading: .authFailed) { try remove(account: account, service: service) }
            case let status: throw error(status, at: "add", stores: true)
            }
        }
        throw error(.duplicateItem, at: "add")
    }

    /// Replaces a secret that is still `old`, and nothing else of its item: tag and protection stay.
    /// - Returns: False where there is another one by now, or none, which then stays so.
    nonisolated func replace(_ old: Data, with new: Data, account: String, service: String?) throws -> Bool {
        guard try item(account: account, service: service)?.data == old else { return false }
        switch environment.keychain.update(query(account, service), to: KeychainChange(data: new)) {
        case .success: return true
        case .itemNotFound: return false
        case let status: throw error(status, at: "update", stores: true)
        }
    }

    /// - Parameter mayBeBound: Whether the item may be bound to a person, so that one that is not found is looked for again.
    nonisolated func item(account: String, service: String?, mayBeBound: Bool = true) throws -> KeychainItem? {
        let (status, items) = environment.keychain.copyMatching(query(account, service))
        switch status {
        case .success:
            guard let item = items.first else { throw error(.inputOutput, at: "copyMatching") }
            return item
        case .itemNotFound where !mayBeBound: return nil
        case .itemNotFound, .authFailed:
            if isInvalidated(account, service, reading: status) {
                throw StorageError(.invalidated, facts: [status.fact(at: "copyMatching")])
            }
            if status == .itemNotFound { return nil }
            throw error(status, at: "copyMatching")
        default: throw error(status, at: "copyMatching")
        }
    }

    /// Whether an item that answers so is there and can never be read again, because the faces or fingers that it was bound to are others now.
    ///
    /// Such an item reads as −25293, like one whose person failed to authenticate, or as −25300, as if it were absent (K). Its attributes can be read
    /// without a person.
    private nonisolated func isInvalidated(_ account: String, _ service: String?, reading status: KeychainStatus) -> Bool {
        var query = query(account, service)
        query.returnsData = false
        query.allowsInteraction = false
        let (found, items) = environment.keychain.copyMatching(query)
        guard found == .success, let item = items.first else { return false }
        guard let bound = KeychainNote(stored: item.generic ?? Data()).enrolment else { return false }
        switch environment.device.biometryEnrolment {
        case .unknown: return status == .itemNotFound
        case .none: return true
        case .enrolled: return environment.device.biometryEnrolment.fingerprint != bound
        }
    }

    nonisolated func remove(account: String?, service: String?) throws {
        var query = query(account, service)
        query.matchesAll = account == nil
        switch environment.keychain.delete(query) {
        case .success, .itemNotFound: return
        case let status: throw error(status, at: "delete")
        }
    }

    /// - Parameter mayBeBound: Whether the item may be bound to a person. Only such an item is known to be there by wanting one; of any other the same
    ///   answer says nothing.
    nonisolated func holds(account: String, service: String?, mayBeBound: Bool = true) throws -> Bool {
        var query = query(account, service)
        query.returnsData = false
        query.allowsInteraction = false
        let (status, _) = environment.keychain.copyMatching(query)
        switch status {
        case .success: return true
        case .itemNotFound: return false
        // On an unlocked device only an item that is there can want a person.
        case .interactionNotAllowed where mayBeBound && environment.device.lockState == .unlocked: return true
        default: throw error(status, at: "copyMatching")
        }
    }

    private nonisolated func query(_ account: String?, _ service: String?) -> KeychainQuery {
        KeychainQuery(service: self.service(service), account: account)
    }

    private nonisolated func service(_ service: String?) -> String { service ?? environment.device.bundleIdentifier }

    private nonisolated func error(_ status: KeychainStatus, at operation: String, stores: Bool = false) -> StorageError {
        StorageError(status.storageError(lockState: environment.device.lockState, stores: stores), facts: [status.fact(at: operation)])
    }
}
