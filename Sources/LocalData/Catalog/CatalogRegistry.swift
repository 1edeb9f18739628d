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
    /// Keys of files that could be one, by their folded names.
    private var rivals: [String: [StorageKeyDescriptor]] = [:]

    private func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    /// Adds a catalog to the others, or takes its new list if it is registered already.
    /// - Throws: ``StorageError/Code/invalidCatalog`` with every problem; nothing is registered then.
    func register(_ catalog: any StorageKeyCatalog, physicalName: (StorageKeyDescriptor) -> String? = { _ in nil }) throws {
        let entries = Self.entries(of: catalog)
        try withLock {
            let type = ObjectIdentifier(type(of: catalog))
            let others = registrations.filter { $0.type != type || $0.name != catalog.name }
            let problems = CatalogValidation.problems(of: entries, besides: others.flatMap(\.entries), physicalName: physicalName)
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
            rivals = [:]
            for keys in Self.rivals(among: registrations.flatMap(\.entries).map(\.descriptor)) {
                rivals[FileNames.folded(keys[0].name)] = keys
            }
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

    /// Keys whose files have names that a volume may take for one, in groups of two and more, in a fixed order. Whether their directories are one depends
    /// on the device.
    static func rivals(among keys: [StorageKeyDescriptor]) -> [[StorageKeyDescriptor]] {
        let files = keys.filter { $0.domain.directory != nil && !$0.isPlaceholder }
        return Dictionary(grouping: files) { FileNames.folded($0.name) }.filter { $0.value.count > 1 }
            .sorted { $0.key < $1.key }.map(\.value)
    }

    /// The registered keys that could have one file with this one.
    func rivals(of key: any StorageKey) -> [StorageKeyDescriptor] {
        withLock { rivals.isEmpty ? [] : rivals[FileNames.folded(key.name)] ?? [] }
            .filter { $0.name != key.name || $0.domain != key.domain }
    }

    /// Called under the lock.
    private func isRegistered(_ name: String) -> Bool {
        names.contains(name) || patterns.contains { $0.matches(name) }
    }
}
