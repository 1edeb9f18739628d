import Foundation

/// A keychain in a file, **for development** on hosts without Apple's keychain, and for simulations on a real disk.
///
/// It protects nothing beyond the permissions of its file (readable and writable by its owner): items lie there in the clear, accessibility
/// classes and access control are stored and returned and never enforced. What it does keep are SecItem's rules and statuses: one item for
/// each access group, synchronizability, account and service; −25299 for adding it again, −25300 where nothing matches.
///
/// Changes are durable when they return, and replace the file as a whole under a lock beside it. A file that is damaged answers every call
/// with −26275 (``KeychainStatus/decode``) and stays as it is: a keychain that cannot be read is not an empty one.
public final class FileKeychainStore: KeychainStore, @unchecked Sendable {
    private let file: AtomicFile
    private let lock = NSLock()
    /// What was read last. Guarded by `lock`.
    private var cache: (version: AtomicFile.Version?, data: Data?, items: [KeychainItem])?

    /// A keychain in the file at an absolute path. The file and its directories are created by the first change.
    public init(file path: String) {
        file = AtomicFile(path: path)
    }

    /// It has no groups of its own.
    public var ownAccessGroup: String? { nil }

    public func add(_ item: KeychainItem) -> KeychainStatus {
        change { items in
            guard !items.contains(where: { $0.isSame(as: item) }) else { return .duplicateItem }
            items.append(item)
            return .success
        }
    }

    public func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) {
        do {
            var found = try lock.withLock { try current() }.filter(query.matches)
            guard !found.isEmpty else { return (.itemNotFound, []) }
            found.sort { ($0.service, $0.account, $0.accessGroup ?? "") < ($1.service, $1.account, $1.accessGroup ?? "") }
            if !query.matchesAll { found.removeSubrange(1...) }
            if !query.returnsData {
                for index in found.indices { found[index].data = Data() }
            }
            return (.success, found)
        } catch {
            return (Self.status(of: error), [])
        }
    }

    public func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus {
        self.change { items in
            let matching = items.indices.filter { query.matches(items[$0]) }
            guard !matching.isEmpty else { return .itemNotFound }
            for index in matching {
                if let accessGroup = change.accessGroup {
                    var moved = items[index]
                    moved.accessGroup = accessGroup
                    guard !items.indices.contains(where: { $0 != index && items[$0].isSame(as: moved) }) else { return .duplicateItem }
                    items[index] = moved
                }
                if let data = change.data { items[index].data = data }
                if let generic = change.generic { items[index].generic = generic }
                if let accessibility = change.accessibility { items[index].accessibility = accessibility }
                items[index].accessControl = change.accessControl(from: items[index].accessControl)
            }
            return .success
        }
    }

    public func delete(_ query: KeychainQuery) -> KeychainStatus {
        change { items in
            let count = items.count
            items.removeAll(where: query.matches)
            return items.count == count ? .itemNotFound : .success
        }
    }

    private func change(_ body: (inout [KeychainItem]) throws -> KeychainStatus) -> KeychainStatus {
        do {
            return try lock.withLock {
                try file.withLock {
                    // Read anew under the lock: what another process has just written is kept.
                    let before = try file.read()
                    var items = try items(in: before)
                    let status = try body(&items)
                    if status == .success {
                        let data = try KeychainFileFormat.data(of: items)
                        try file.replace(with: data, isDurable: true)
                        cache = (try file.version(), data, items)
                    }
                    return status
                }
            }
        } catch {
            return Self.status(of: error)
        }
    }

    private func current() throws -> [KeychainItem] {
        let version = try file.version()
        if let cache, cache.version == version { return cache.items }
        let data = try file.read()
        let items = try items(in: data)
        cache = (version, data, items)
        return items
    }

    /// The same bytes are not taken apart twice.
    private func items(in data: Data?) throws -> [KeychainItem] {
        if let cache, cache.data == data { return cache.items }
        return try KeychainFileFormat.items(in: data)
    }

    private static func status(of error: any Error) -> KeychainStatus {
        guard let error = error as? FileSystemError else { return .decode }
        if error.isOutOfSpace { return .diskFull }
        // `errSecNotAvailable` is for a store that is locked or full; this one could not be reached.
        return .inputOutput
    }
}

extension KeychainQuery {
    fileprivate func matches(_ item: KeychainItem) -> Bool {
        (service == nil || service == item.service)
            && (account == nil || account == item.account)
            && (accessGroup == nil || accessGroup == item.accessGroup)
            && (accessibility == nil || accessibility == item.accessibility)
            && isSynchronizable == item.isSynchronizable
    }
}

extension KeychainItem {
    /// By the primary key of a generic password.
    fileprivate func isSame(as other: KeychainItem) -> Bool {
        service == other.service && account == other.account && accessGroup == other.accessGroup
            && isSynchronizable == other.isSynchronizable
    }
}
