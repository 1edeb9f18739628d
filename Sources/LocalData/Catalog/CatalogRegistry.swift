import Foundation

/// The catalogs that were registered with one router, and what was used that is in none of them.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class CatalogRegistry: @unchecked Sendable {
    struct Entry: Sendable {
        let catalog: String
        /// `nil` where the catalog only describes the key.
        let key: AnyStorageKey?
        let descriptor: StorageKeyDescriptor
    }

    /// A registered catalog. Several of one type are told apart by their names.
    private struct Registration {
        let type: ObjectIdentifier
        let name: String
        let entries: [Entry]
    }

    private let lock = NSLock()
    private var registrations: [Registration] = []
    private var names: Set<String> = []
    private var patterns: [KeyNamePattern] = []
    private var unregistered: Set<String> = []

    private func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    /// Adds a catalog to the others, or takes its new list if it is registered already.
    /// - Throws: ``StorageError/Code/invalidCatalog`` with every problem; nothing is registered then.
    func register(_ catalog: any StorageKeyCatalog) throws {
        let entries = Self.entries(of: catalog)
        try withLock {
            let type = ObjectIdentifier(type(of: catalog))
            let others = registrations.filter { $0.type != type || $0.name != catalog.name }
            let problems = CatalogValidation.problems(of: entries, besides: others.flatMap(\.entries))
            guard problems.isEmpty else {
                throw StorageError(.invalidCatalog, operation: "register \(catalog.name)", facts: problems)
            }
            let registration = Registration(type: type, name: catalog.name, entries: entries)
            if let index = registrations.firstIndex(where: { $0.type == type && $0.name == catalog.name }) {
                registrations[index] = registration
            } else {
                registrations.append(registration)
            }
            let all = registrations.flatMap(\.entries).map(\.descriptor.name)
            names = Set(all)
            patterns = all.compactMap(KeyNamePattern.init)
            unregistered = unregistered.filter { !isRegistered($0) }
        }
    }

    /// What a catalog lists: its keys, and the descriptors of those that it only describes.
    static func entries(of catalog: any StorageKeyCatalog) -> [Entry] {
        let keys = catalog.allKeys.map { Entry(catalog: catalog.name, key: $0, descriptor: StorageKeyDescriptor($0)) }
        let listed = Set(keys.map(\.descriptor.name))
        let described = type(of: catalog).allKeys.filter { !listed.contains($0.name) }
        return keys + described.map { Entry(catalog: catalog.name, key: nil, descriptor: $0) }
    }

    /// In the order of registration and listing.
    var entries: [Entry] { withLock { registrations.flatMap(\.entries) } }

    var catalogNames: [String] { withLock { registrations.map(\.name) } }

    var unregisteredNames: [String] { withLock { unregistered.sorted() } }

    /// Whether a key may be used: there are no catalogs, or it is in one. Notes it otherwise.
    func admits(_ name: String) -> Bool {
        withLock {
            if registrations.isEmpty || isRegistered(name) { return true }
            unregistered.insert(name)
            return false
        }
    }

    /// Called under the lock.
    private func isRegistered(_ name: String) -> Bool {
        names.contains(name) || patterns.contains { $0.matches(name) }
    }
}
