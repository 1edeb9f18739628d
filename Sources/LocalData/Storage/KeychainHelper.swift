import Foundation

/// All keychain operations, with typed errors.
///
/// A `nil` service is the app's own: its bundle identifier. Reading and replacing an item under access control may show a prompt and wait for a
/// person. Nothing in here is isolated to the actor, so that nobody else waits with them; the thread that the call runs on does (`SecItemCopyMatching`).
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
        tag: Data? = nil, schema: Int = 1, accessGroup: String? = nil
    ) throws {
        let query = query(account, service, accessGroup)
        let note = note(tag: tag, accessControl: accessControl, schema: schema).stored
        let change = KeychainChange(
            data: data, generic: note ?? Data(), accessibility: accessibility, accessControl: accessControl,
            removesAccessControl: accessControl == nil)
        let item = KeychainItem(
            service: self.service(service), account: account, accessGroup: accessGroup, data: data, generic: note,
            accessibility: accessibility, accessControl: accessControl)
        for round in 1...Self.maximumRounds {
            switch update(query, to: change) {
            case .success: return
            case .itemNotFound: break
            // Nobody can ever read what is there, so nothing is lost while there is nothing.
            case .authFailed where isInvalidated(query, reading: .authFailed): try remove(account: account, service: service)
            case let status: throw error(status, at: "update", of: query, stores: true)
            }
            switch environment.keychain.add(item) {
            case .success: return
            case .duplicateItem:
                // Somebody may have added it meanwhile. An item that is still not found then may be one that cannot be: no source tells.
                if round > 1, isInvalidated(query, reading: .authFailed) { try remove(account: account, service: service) }
            case let status: throw error(status, at: "add", stores: true)
            }
        }
        // Neither there to be updated nor absent, each time: an item that somebody else wrote or marked, whose person is another one now.
        if accessControl == .biometryCurrentSet {
            throw StorageError(
                .invalidated, facts: [KeychainStatus.duplicateItem.fact(at: "add"), "remove it before the new value is set"])
        }
        throw error(.duplicateItem, at: "add")
    }

    /// Stores a secret where there is none.
    /// - Returns: False where there is one, which stays.
    nonisolated func create(
        _ data: Data, account: String, service: String?, accessibility: KeychainAccessibility, accessControl: KeychainAccessControl?,
        tag: Data? = nil, schema: Int = 1, accessGroup: String? = nil
    ) throws -> Bool {
        let item = KeychainItem(
            service: self.service(service), account: account, accessGroup: accessGroup, data: data,
            generic: note(tag: tag, accessControl: accessControl, schema: schema).stored, accessibility: accessibility,
            accessControl: accessControl)
        switch environment.keychain.add(item) {
        case .success: return true
        case .duplicateItem: return false
        case let status: throw error(status, at: "add", stores: true)
        }
    }

    /// Replaces a secret that is still `old`, and its protection. Its tag stays.
    /// - Returns: False where there is another one by now, or none, which then stays so.
    nonisolated func replace(
        _ old: Data, with new: Data, account: String, service: String?, accessibility: KeychainAccessibility,
        accessControl: KeychainAccessControl?, accessGroup: String? = nil
    ) throws -> Bool {
        guard let item = try item(account: account, service: service, accessGroup: accessGroup), item.data == old else { return false }
        var change = protection(of: item, accessibility, accessControl)
        change.data = new
        return try changed(query(account, service, accessGroup), by: change)
    }

    /// Gives an item the protection and the access group that are declared, in one step, and leaves the secret and its tag as they are.
    ///
    /// What the item was bound to before, its note says, or LocalData did not note it and only a read can tell; of such an item one access control is
    /// not told from another.
    /// - Parameters:
    ///   - asksPerson: Whether a person may be asked, without whom no bound item changes.
    ///   - check: Is given the secret before anything changes, and keeps it as it is by throwing. Not of an item that is bound to a person already.
    /// - Returns: Whether it had another; `nil` where there is no item.
    /// - Throws: ``StorageError``: `authenticationRequired` where a person would have to be asked.
    nonisolated func protect(
        account: String, service: String?, accessibility: KeychainAccessibility, accessControl: KeychainAccessControl?, asksPerson: Bool,
        accessGroup: String? = nil, checking check: (Data) throws -> Void = { _ in }
    ) throws -> Bool? {
        var query = query(account, service, accessGroup)
        query.returnsData = false
        query.allowsInteraction = false
        let (status, item, isElsewhere) = found(query)
        if status == .itemNotFound { return nil }
        guard status == .success, let item else { throw error(status, at: "copyMatching") }
        let isAsDeclared = try isProtected(item, query, accessibility, accessControl)
        guard isElsewhere || !isAsDeclared else { return false }
        if let secret = try unboundSecret(query) { try check(secret) }
        query.allowsInteraction = asksPerson
        return try changed(query, by: protection(of: item, accessibility, accessControl)) ? true : nil
    }

    /// Whether an item has another accessibility or access control than is declared. Asks nobody; what an item was bound to that LocalData did not note counts as
    /// declared.
    nonisolated func isProtectedOtherwise(
        account: String, service: String?, accessibility: KeychainAccessibility, accessControl: KeychainAccessControl?, accessGroup: String?
    ) throws -> Bool {
        var query = query(account, service, accessGroup)
        query.returnsData = false
        query.allowsInteraction = false
        let (status, item, _) = found(query)
        if status == .itemNotFound { return false }
        guard status == .success, let item else { throw error(status, at: "copyMatching") }
        return try !isProtected(item, query, accessibility, accessControl)
    }

    private nonisolated func isProtected(
        _ item: KeychainItem, _ query: KeychainQuery, _ accessibility: KeychainAccessibility, _ accessControl: KeychainAccessControl?
    ) throws -> Bool {
        try item.accessibility == accessibility && isBound(item, query) == accessControl.map(Binding.to) ?? .toNobody
    }

    /// Whether LocalData noted that the item is bound to a person or to the passcode. It has put no envelope there then. Asks nobody; false where that cannot be told.
    nonisolated func isNotedBound(account: String, service: String?, accessGroup: String?) -> Bool {
        var query = query(account, service, accessGroup)
        query.returnsData = false
        query.allowsInteraction = false
        let (status, item, _) = found(query)
        guard status == .success, let item else { return false }
        return KeychainItemMetadata(stored: item.generic ?? Data()).accessControl != nil
    }

    private enum Binding: Equatable {
        case toNobody
        case to(KeychainAccessControl)
        case unknown

        static func == (left: Binding, right: Binding) -> Bool {
            switch (left, right) {
            case (.toNobody, .toNobody): true
            case (.to(let left), .to(let right)): left == right
            // Bound to something: whatever is declared may be it.
            case (.unknown, .to), (.to, .unknown), (.unknown, .unknown): true
            case (.toNobody, _), (_, .toNobody): false
            }
        }
    }

    private nonisolated func isBound(_ item: KeychainItem, _ query: KeychainQuery) throws -> Binding {
        let note = KeychainItemMetadata(stored: item.generic ?? Data())
        if let control = note.accessControl { return .to(control) }
        if note.isMarked { return .toNobody }
        var query = query
        query.returnsData = true
        // A read may fail once.
        let first = found(query).status
        switch first == .interactionNotAllowed ? found(query).status : first {
        case .success: return .toNobody
        // On an unlocked device only an item under access control wants a person.
        case .interactionNotAllowed where environment.device.lockState == .unlocked: return .unknown
        case .authFailed: return .unknown
        case let status: throw error(status, at: "copyMatching")
        }
    }

    /// The secret of an item that asks nobody; `nil` of one that is bound to a person, or gone by now.
    private nonisolated func unboundSecret(_ query: KeychainQuery) throws -> Data? {
        var query = query
        query.returnsData = true
        query.allowsInteraction = false
        var (status, item, _) = found(query)
        // A read may fail once.
        if status == .interactionNotAllowed { (status, item, _) = found(query) }
        switch status {
        case .success: return item?.data
        case .itemNotFound, .authFailed: return nil
        case .interactionNotAllowed where environment.device.lockState == .unlocked: return nil
        case let status: throw error(status, at: "copyMatching")
        }
    }

    private nonisolated func note(tag: Data?, accessControl: KeychainAccessControl?, schema: Int) -> KeychainItemMetadata {
        let enrolment = accessControl == .biometryCurrentSet ? environment.device.biometryEnrolment.fingerprint : nil
        return KeychainItemMetadata(
            tag: tag, enrolment: enrolment, enrolmentSystem: enrolment == nil ? nil : environment.device.systemInfo.major,
            accessControl: accessControl, schema: schema)
    }

    private nonisolated func protection(
        of item: KeychainItem, _ accessibility: KeychainAccessibility, _ accessControl: KeychainAccessControl?
    ) -> KeychainChange {
        let before = KeychainItemMetadata(stored: item.generic ?? Data())
        let note = note(tag: before.tag, accessControl: accessControl, schema: before.schema).stored
        return KeychainChange(
            generic: note ?? Data(), accessibility: accessibility, accessControl: accessControl, removesAccessControl: accessControl == nil)
    }

    /// The ``StorageKey/schemaVersion`` that the note beside a secret says; 1 where there is neither. Asks nobody.
    nonisolated func schema(account: String, service: String?, accessGroup: String?) throws -> Int {
        var query = query(account, service, accessGroup)
        query.returnsData = false
        query.allowsInteraction = false
        let (status, item, _) = found(query)
        switch status {
        case .success: return KeychainItemMetadata(stored: item?.generic ?? Data()).schema
        case .itemNotFound: return 1
        // Asked before a secret is stored; of one that is read its note is known.
        case let status: throw error(status, at: "copyMatching", stores: true)
        }
    }

    /// As code does that knows nothing of LocalData.
    nonisolated func overwriteAttribute(account: String, service: String?, with bytes: Data) throws -> Bool {
        try changed(query(account, service), by: KeychainChange(generic: bytes))
    }

    /// - Returns: False where there is no such item.
    private nonisolated func changed(_ query: KeychainQuery, by change: KeychainChange) throws -> Bool {
        switch update(query, to: change) {
        case .success: return true
        case .itemNotFound: return false
        // Nobody was asked, and nobody can do better.
        case .authFailed where isInvalidated(query, reading: .authFailed):
            throw StorageError(.invalidated, facts: [KeychainStatus.authFailed.fact(at: "update")])
        case let status: throw error(status, at: "update", of: query, stores: true)
        }
    }

    /// - Parameters:
    ///   - mayBeBound: Whether the item may be bound to a person, so that one that is not found is looked for again.
    ///   - asksPerson: Whether a person may be asked; else, and where the task only looks (``ReadOnly``), an item under access control is
    ///     `authenticationRequired`.
    ///   - accessGroup: The group that the key declares. An item that lies in another, where it was before, is moved, so that other processes find it;
    ///     one under access control only when it is written, since moving asks a person too. Who only looks moves nothing.
    nonisolated func item(
        account: String, service: String?, mayBeBound: Bool = true, asksPerson: Bool = true, accessGroup: String? = nil
    ) throws -> KeychainItem? {
        var query = query(account, service, accessGroup)
        query.allowsInteraction = asksPerson && !ReadOnly.isOn
        let (status, item, isElsewhere) = found(query)
        switch status {
        case .success:
            guard let item else { throw error(.inputOutput, at: "copyMatching") }
            if isElsewhere, !ReadOnly.isOn {
                query.allowsInteraction = false
                // Where that fails the next reading tries again.
                _ = update(query, to: KeychainChange())
            }
            return item
        case .itemNotFound where !mayBeBound: return nil
        case .itemNotFound, .authFailed:
            if isInvalidated(query, reading: status) {
                throw StorageError(.invalidated, facts: [status.fact(at: "copyMatching")])
            }
            if status == .itemNotFound { return nil }
            throw error(status, at: "copyMatching", of: query)
        default: throw error(status, at: "copyMatching")
        }
    }

    /// Whether an item that answers so is there and can never be read again, because the faces or fingers that it was bound to are others now.
    ///
    /// Such an item reads as −25293, like one whose person failed to authenticate, or as −25300, as if it were absent (no source tells which). Its attributes can be read
    /// without a person.
    private nonisolated func isInvalidated(_ query: KeychainQuery, reading status: KeychainStatus) -> Bool {
        var query = query
        query.returnsData = false
        query.allowsInteraction = false
        let (found, item, _) = found(query)
        guard found == .success, let item else { return false }
        let note = KeychainItemMetadata(stored: item.generic ?? Data())
        guard let bound = note.enrolment else { return false }
        switch environment.device.biometryEnrolment {
        case .unknown: return status == .itemNotFound
        case .none: return true
        case .enrolled where environment.device.biometryEnrolment.fingerprint == bound: return false
        // Other bytes of another system prove nothing: a person who failed once must not lose a good secret.
        case .enrolled where note.enrolmentSystem != environment.device.systemInfo.major: return status == .itemNotFound
        case .enrolled: return true
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

    /// Brings a secret that an earlier version of the app left in the app's own group into the one that is declared; where another process has put one there already,
    /// which is later, the earlier one goes. Beside the group's it would be read again once that is removed, by who may look into the group alone. Asks nobody.
    nonisolated func gather(account: String, service: String?, into group: String) throws {
        guard let own = environment.keychain.ownAccessGroup, own != group else { return }
        var earlier = query(account, service, own)
        earlier.returnsData = false
        earlier.allowsInteraction = false
        guard try isThere(earlier) else { return }
        var declared = earlier
        declared.accessGroup = group
        guard try isThere(declared) else {
            var change = KeychainChange()
            change.accessGroup = group
            _ = try changed(earlier, by: change)
            return
        }
        switch environment.keychain.delete(earlier) {
        case .success, .itemNotFound: return
        case let status: throw error(status, at: "delete")
        }
    }

    /// Whose items of a service lie in a group, or in any, each once, sorted. Asks nobody.
    nonisolated func accounts(of service: String?, in group: String? = nil) throws -> [String] {
        var all = query(nil, service, group)
        all.matchesAll = true
        all.returnsData = false
        all.allowsInteraction = false
        let (status, items) = environment.keychain.copyMatching(all)
        switch status {
        case .success: return Set(items.map(\.account)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        case .itemNotFound: return []
        default: throw error(status, at: "copyMatching")
        }
    }

    private nonisolated func isThere(_ query: KeychainQuery) throws -> Bool {
        switch environment.keychain.copyMatching(query).status {
        case .success: return true
        case .itemNotFound: return false
        case let status: throw error(status, at: "copyMatching")
        }
    }

    /// Without an access group: items of all groups that the process is entitled to.
    nonisolated func query(_ account: String?, _ service: String?, _ accessGroup: String? = nil) -> KeychainQuery {
        KeychainQuery(service: self.service(service), account: account, accessGroup: accessGroup)
    }

    /// The item of the query's access group, or one that lies elsewhere, where it was before the key declared the group.
    nonisolated func found(_ query: KeychainQuery) -> (status: KeychainStatus, item: KeychainItem?, isElsewhere: Bool) {
        let (status, items) = environment.keychain.copyMatching(query)
        guard status == .itemNotFound, query.accessGroup != nil else { return (status, items.first, false) }
        var anywhere = query
        anywhere.accessGroup = nil
        let (other, others) = environment.keychain.copyMatching(anywhere)
        return (other, others.first, true)
    }

    /// Updates the item of the query's access group, or one that lies elsewhere, which moves there in the same step.
    private nonisolated func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus {
        let status = environment.keychain.update(query, to: change)
        guard status == .itemNotFound, let group = query.accessGroup else { return status }
        var (anywhere, moving) = (query, change)
        anywhere.accessGroup = nil
        moving.accessGroup = group
        let other = environment.keychain.update(anywhere, to: moving)
        // Another process has put one there meanwhile, or items of two groups have that name.
        return other == .duplicateItem ? .itemNotFound : other
    }

    private nonisolated func service(_ service: String?) -> String { service ?? environment.device.bundleIdentifier }

    /// - Parameter query: Of the item that is there, where there is one.
    private nonisolated func error(
        _ status: KeychainStatus, at operation: String, of query: KeychainQuery? = nil, stores: Bool = false
    ) -> StorageError {
        var facts = [status.fact(at: operation)]
        if status == .authFailed { facts += wayOut(of: query, stores: stores) }
        return StorageError(status.storageError(lockState: environment.device.lockState, stores: stores), facts: facts)
    }
}
