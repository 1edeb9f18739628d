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
        let type: Any.Type
        let name: String
        let entries: [Entry]
    }

    private let lock = NSLock()
    private var registrations: [Registration] = []
    private var registrationCount = 0
    private var listed: [String: RegisteredDeclaration] = [:]
    private var patterns: [(pattern: KeyNamePattern, listed: RegisteredDeclaration)] = []
    private var unregistered: Set<String> = []
    /// Keys of files that could be one, by their folded names.
    private var rivals: [String: [StorageKeyDescriptor]] = [:]
    /// The listed keys of files, by their folded names, where there are kinds of names that are made at run time.
    private var files: [String: [StorageKeyDescriptor]] = [:]

    /// The keys that are listed, in the order of registration.
    var keys: [AnyStorageKey] { entries.compactMap(\.key) }
    /// What is listed, keys and mere descriptions, in the order of registration.
    var descriptors: [StorageKeyDescriptor] { entries.map(\.descriptor) }

    /// Another one after each registration.
    var generation: Int { withLock { registrationCount } }

    private func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    /// Adds a catalog to the others, or takes its new list if it is registered already.
    /// - Returns: What an earlier list of the catalog had and no catalog has any more, as listed: names, and patterns of names.
    /// - Throws: ``StorageError/Code/invalidCatalog`` with every problem; nothing is registered then.
    @discardableResult
    func register(_ catalog: any StorageKeyCatalog, physicalName: (StorageKeyDescriptor) -> String? = { _ in nil }) throws -> [String] {
        let entries = Self.entries(of: catalog)
        return try withLock {
            let type: Any.Type = type(of: catalog)
            let others = registrations.filter { $0.type != type || $0.name != catalog.name }
            let problems = CatalogValidation.problems(of: entries, besides: others.flatMap(\.entries), physicalName: physicalName)
            guard problems.isEmpty else {
                throw StorageError(.invalidCatalog, operation: "register \(catalog.name)", facts: problems)
            }
            let registration = Registration(type: type, name: catalog.name, entries: entries)
            var earlier: [Entry] = []
            if let index = registrations.firstIndex(where: { $0.type == type && $0.name == catalog.name }) {
                earlier = registrations[index].entries
                registrations[index] = registration
            } else {
                registrations.append(registration)
            }
            registrationCount += 1
            let all = registrations.flatMap(\.entries).map(RegisteredDeclaration.init)
            listed = Dictionary(all.map { ($0.descriptor.name, $0) }) { first, _ in first }
            patterns = all.compactMap { key in KeyNamePattern(key.descriptor.name).map { ($0, key) } }
            unregistered = unregistered.filter { !isRegistered($0) }
            let descriptors = all.map(\.descriptor).filter { $0.domain.directory != nil && !$0.isPlaceholder }
            files = patterns.isEmpty ? [:] : Dictionary(grouping: descriptors) { FileNames.folded($0.name) }
            rivals = [:]
            for keys in Self.rivals(among: registrations.flatMap(\.entries).map(\.descriptor)) {
                rivals[FileNames.folded(keys[0].name)] = keys
            }
            return earlier.map(\.descriptor.name).filter { listed[$0] == nil }
        }
    }

    /// Whether some catalog lists the name, or a pattern of it.
    func lists(_ name: String) -> Bool { withLock { isRegistered(name) } }

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

    /// What the catalogs say to the use of a key.
    enum Answer {
        /// There are no catalogs.
        case admitted
        /// It is in none of them.
        case notListed
        /// The key of that name.
        case listed(RegisteredDeclaration)
        /// What the name may mean that is made at run time: of the kinds of such names those that say most of it.
        case described([RegisteredDeclaration])
    }

    func answer(toUseOf name: String) -> Answer {
        withLock {
            if registrations.isEmpty { return .admitted }
            if let key = listed[name] { return .listed(key) }
            let matching = patterns.filter { $0.pattern.matches(name) }
            guard let most = matching.map(\.pattern.literalByteCount).max() else { return .notListed }
            return .described(matching.filter { $0.pattern.literalByteCount == most }.map(\.listed))
        }
    }

    /// Notes that code of the app's asked for a key that no catalog lists.
    func noteUse(ofUnlisted name: String) {
        withLock { if !isRegistered(name) { unregistered.insert(name) } }
    }

    /// Keys whose files have names that a volume may take for one, in groups of two and more, in a fixed order. Whether their directories are one depends
    /// on the device.
    static func rivals(among keys: [StorageKeyDescriptor]) -> [[StorageKeyDescriptor]] {
        let files = keys.filter { $0.domain.directory != nil && !$0.isPlaceholder }
        return Dictionary(grouping: files) { FileNames.folded($0.name) }.filter { $0.value.count > 1 }
            .sorted { $0.key < $1.key }.map(\.value)
    }

    /// The registered keys that could have one file with this one, and whether its name is listed as one of a kind, and not by itself.
    func rivals(of key: any StorageKey) -> (keys: [StorageKeyDescriptor], isMadeAtRunTime: Bool) {
        withLock {
            // A name that is made at run time may be like one listed key's.
            let isMade = !patterns.isEmpty && listed[key.name] == nil && patterns.contains { $0.pattern.matches(key.name) }
            let known = isMade ? files : rivals
            guard !known.isEmpty, let found = known[FileNames.folded(key.name)] else { return ([], isMade) }
            return (found.filter { $0.name != key.name || $0.domain != key.domain }, isMade)
        }
    }

    /// The description of a kind of names that are made at run time, for a name of that kind; `nil` where several kinds may be meant.
    func description(matching name: String) -> StorageKeyDescriptor? {
        withLock {
            guard listed[name] == nil else { return nil }
            let matching = patterns.filter { $0.pattern.matches(name) }
            return matching.count == 1 ? matching[0].listed.descriptor : nil
        }
    }

    /// Called under the lock.
    private func isRegistered(_ name: String) -> Bool {
        listed[name] != nil || patterns.contains { $0.pattern.matches(name) }
    }
}

/// What stands against a catalog. All problems at once, in the order of its list.
enum CatalogValidation {
    /// - Parameter physicalName: The file of a key, by a name that all keys of that file have; `nil` where it has none, or that is not known now.
    static func problems(
        of entries: [CatalogRegistry.Entry], besides others: [CatalogRegistry.Entry], physicalName: (StorageKeyDescriptor) -> String?
    ) -> [String] {
        var names: [String: String] = [:]
        var places: [String: CatalogRegistry.Entry] = [:]
        for other in others {
            names[other.descriptor.name] = other.catalog
            if let place = try? location(of: other.descriptor)?.physical { places[place] = other }
        }
        var problems: [String] = []
        for entry in entries {
            let key = entry.descriptor
            if let catalog = names[key.name] {
                problems.append(
                    catalog == entry.catalog
                        ? "'\(key.name)' is listed twice in \(catalog)" : "'\(key.name)' is listed in \(catalog) and in \(entry.catalog)")
            } else {
                names[key.name] = entry.catalog
            }
            do {
                try key.security.requireEnvelopeCanHold()
                if let place = try location(of: key)?.physical {
                    if let other = places[place], other.descriptor.name != key.name {
                        problems.append("'\(other.descriptor.name)' and '\(key.name)' are stored at the same place: \(place)")
                    } else {
                        places[place] = places[place] ?? entry
                    }
                }
            } catch {
                let facts = (error as? StorageError)?.facts ?? []
                problems.append("'\(key.name)' cannot be stored: \(facts.isEmpty ? "\(error)" : facts.joined(separator: "; "))")
            }
            problems += sourceProblems(of: entry)
            if isBlank(key.description) { problems.append("'\(key.name)' has no description") }
            if isBlank(key.owner) { problems.append("'\(key.name)' has no owner") }
        }
        return problems + sharedFiles(of: entries, besides: others, physicalName: physicalName)
    }

    /// A migration that names one place twice can never run. One that names its own can: it gives the counterpart's values of an earlier form a newer one.
    private static func sourceProblems(of entry: CatalogRegistry.Entry) -> [String] {
        guard let key = entry.key?.base, let migration = key.migration?.base as? any PlannedMigration else { return [] }
        var taken: Set<String> = []
        return migration.sourceKeys.compactMap { source in
            guard let place = try? StorageLocation(of: source.base).physical else { return nil }
            return taken.insert(place).inserted ? nil : "'\(key.name)' migrates from one place twice: \(place)"
        }
    }

    /// Keys at one place that their declarations do not show: through a link, or under names that differ where the volume sees no difference.
    private static func sharedFiles(
        of entries: [CatalogRegistry.Entry], besides others: [CatalogRegistry.Entry], physicalName: (StorageKeyDescriptor) -> String?
    ) -> [String] {
        var problems: [String] = []
        for keys in CatalogRegistry.rivals(among: (others + entries).map(\.descriptor)) {
            var taken: [String: StorageKeyDescriptor] = [:]
            for key in keys {
                guard let name = physicalName(key) else { continue }
                guard let other = taken[name] else {
                    taken[name] = key
                    continue
                }
                // What is said already of places and names.
                guard other.name != key.name || other.domain != key.domain,
                    (try? location(of: other)?.physical) != (try? location(of: key)?.physical)
                else { continue }
                problems.append(
                    "'\(other.name)' in \(other.domain.kind) and '\(key.name)' in \(key.domain.kind) are one file on this device")
            }
        }
        return problems
    }

    /// `nil` for a placeholder, which has no place of its own.
    private static func location(of key: StorageKeyDescriptor) throws -> StorageLocation? {
        key.isPlaceholder ? nil : try StorageLocation(of: key)
    }

    private static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }
}
