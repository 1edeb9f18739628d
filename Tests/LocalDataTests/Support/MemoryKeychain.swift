import Foundation

@testable import LocalData

/// A keychain in memory with SecItem's statuses, the locks of the accessibility classes, and a person who answers prompts.
final class MemoryKeychain: KeychainStore, @unchecked Sendable {
    /// How a person answers an authentication prompt.
    enum Answer: Sendable, Hashable {
        case succeeds, fails, cancels
    }

    struct Identity: Hashable {
        var service: String
        var account: String
        var accessGroup: String?
        var isSynchronizable: Bool
    }

    /// Whose lock state decides about items. Set by ``TestDevice``.
    weak var device: FixedDevice?

    private let lock = NSLock()
    private var items: [Identity: KeychainItem] = [:]
    private var ownGroup: String?
    private var storedAnswer = Answer.succeeds
    private var failures: [String: KeychainStatus] = [:]
    private var log: [String] = []
    private var beforeAdd: (@Sendable () -> Void)?
    private var beforeUpdate: (@Sendable () -> Void)?

    var ownAccessGroup: String? {
        get { lock.withLock { ownGroup } }
        set { lock.withLock { ownGroup = newValue } }
    }

    /// Puts all items into one access group.
    func moveItems(to accessGroup: String?) {
        lock.withLock {
            let moved = items.map { entry -> (Identity, KeychainItem) in
                var (identity, item) = entry
                identity.accessGroup = accessGroup
                item.accessGroup = accessGroup
                return (identity, item)
            }
            items = Dictionary(moved) { first, _ in first }
        }
    }

    var answer: Answer {
        get { lock.withLock { storedAnswer } }
        set { lock.withLock { storedAnswer = newValue } }
    }

    /// Every call of `operation` (`add`, `copyMatching`, `update`, `delete`) answers with `status`, until it is `nil` again.
    func fail(_ operation: String, with status: KeychainStatus?) { lock.withLock { failures[operation] = status } }

    /// The calls so far, such as `update token`.
    var operations: [String] { lock.withLock { log } }

    /// Runs once, before the next item is added, as another process would get in between.
    func beforeNextAdd(_ body: @escaping @Sendable () -> Void) { lock.withLock { beforeAdd = body } }
    /// Runs once, before the next item is updated.
    func beforeNextUpdate(_ body: @escaping @Sendable () -> Void) { lock.withLock { beforeUpdate = body } }

    /// The item, whatever is locked.
    func peek(_ account: String, service: String = "com.example.app") -> KeychainItem? {
        lock.withLock { items[Identity(service: service, account: account, accessGroup: nil, isSynchronizable: false)] }
    }

    func put(_ item: KeychainItem) { lock.withLock { items[Self.identity(of: item)] = item } }

    func drop(_ account: String, service: String = "com.example.app") {
        lock.withLock { items[Identity(service: service, account: account, accessGroup: nil, isSynchronizable: false)] = nil }
    }

    /// Another keychain with the same items.
    func copy() -> MemoryKeychain {
        lock.withLock {
            let copy = MemoryKeychain()
            copy.items = items
            return copy
        }
    }

    // MARK: KeychainStore

    func add(_ item: KeychainItem) -> KeychainStatus {
        let hook = lock.withLock {
            defer { beforeAdd = nil }
            return beforeAdd
        }
        hook?()
        return lock.withLock {
            log.append("add \(item.account)")
            if let status = failures["add"] { return status }
            if items[Self.identity(of: item)] != nil { return .duplicateItem }
            guard isUnlocked(item.accessibility) else { return .interactionNotAllowed }
            items[Self.identity(of: item)] = item
            return .success
        }
    }

    func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
        lock.withLock {
            log.append("copyMatching \(query.account ?? "*")")
            if let status = failures["copyMatching"] { return (status, []) }
            var found = matches(query)
            if !query.matchesAll { found = Array(found.prefix(1)) }
            guard !found.isEmpty else { return (.itemNotFound, []) }
            for item in found {
                let status = access(to: item, prompts: query.returnsData, allowsInteraction: query.allowsInteraction)
                guard status == .success else { return (status, []) }
            }
            if !query.returnsData { for index in found.indices { found[index].data = Data() } }
            return (.success, found)
        }
    }

    func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus {
        let hook = lock.withLock {
            defer { beforeUpdate = nil }
            return beforeUpdate
        }
        hook?()
        return lock.withLock {
            log.append("update \(query.account ?? "*")")
            if let status = failures["update"] { return status }
            let found = matches(query)
            guard !found.isEmpty else { return .itemNotFound }
            for item in found {
                let status = access(to: item, prompts: true, allowsInteraction: query.allowsInteraction)
                guard status == .success else { return status }
                if let accessibility = change.accessibility, !isUnlocked(accessibility) { return .interactionNotAllowed }
            }
            if let group = change.accessGroup {
                var names: Set<Identity> = []
                for var item in found where item.accessGroup != group {
                    item.accessGroup = group
                    if items[Self.identity(of: item)] != nil || !names.insert(Self.identity(of: item)).inserted { return .duplicateItem }
                }
            }
            for var item in found {
                if let group = change.accessGroup {
                    items[Self.identity(of: item)] = nil
                    item.accessGroup = group
                }
                item.data = change.data ?? item.data
                item.generic = change.generic ?? item.generic
                item.accessibility = change.accessibility ?? item.accessibility
                item.accessControl = change.accessControl(from: item.accessControl)
                items[Self.identity(of: item)] = item
            }
            return .success
        }
    }

    func delete(_ query: KeychainQuery) -> KeychainStatus {
        lock.withLock {
            log.append("delete \(query.account ?? "*")")
            if let status = failures["delete"] { return status }
            let found = matches(query)
            guard !found.isEmpty else { return .itemNotFound }
            // Works while locked, as SecItemDelete does.
            for item in found { items[Self.identity(of: item)] = nil }
            return .success
        }
    }

    // MARK: Inside

    private func matches(_ query: KeychainQuery) -> [KeychainItem] {
        items.values.filter {
            (query.service == nil || $0.service == query.service) && (query.account == nil || $0.account == query.account)
                && (query.accessGroup == nil || $0.accessGroup == query.accessGroup) && $0.isSynchronizable == query.isSynchronizable
                && (query.accessibility == nil || $0.accessibility == query.accessibility)
        }
        .sorted { ($0.service, $0.account) < ($1.service, $1.account) }
    }

    private func access(to item: KeychainItem, prompts: Bool, allowsInteraction: Bool) -> KeychainStatus {
        guard isUnlocked(item.accessibility) else { return .interactionNotAllowed }
        guard item.accessControl != nil, prompts else { return .success }
        guard allowsInteraction else { return .interactionNotAllowed }
        switch storedAnswer {
        case .succeeds: return .success
        case .fails: return .authFailed
        case .cancels: return .userCanceled
        }
    }

    private func isUnlocked(_ accessibility: KeychainAccessibility) -> Bool {
        let state = device?.lockState ?? .unlocked
        switch accessibility {
        case .always, .alwaysThisDeviceOnly: return true
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: return state != .beforeFirstUnlock
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: return state == .unlocked
        }
    }

    private static func identity(of item: KeychainItem) -> Identity {
        Identity(service: item.service, account: item.account, accessGroup: item.accessGroup, isSynchronizable: item.isSynchronizable)
    }
}
