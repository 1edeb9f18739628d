import Foundation

/// Which registered keys may have to do with a place, so that asking whether somebody needs what lies there costs the same beside ten thousand keys as
/// beside ten.
///
/// It is made of declarations and answers with candidates, in the order of registration: never fewer than there are. Whether a candidate does need the
/// place is to be asked of the device.
struct RegisteredPlaces: Sendable {
    /// What catalogs list, in the order of registration.
    private let entries: [CatalogRegistry.Entry]
    /// By the place of the value.
    private var lying: [String: [Int]] = [:]
    /// Values that are files, by their folded names.
    private var files: [String: [Int]] = [:]
    /// Those whose place a declaration alone does not tell, such as names that are made at run time.
    private var lyingAnywhere: [Int] = []
    /// By the places that a key's migration brings values from, and those behind them.
    private var awaiting: [String: [Int]] = [:]
    /// By the folded names of the files that a key's migration brings values from, and those behind them: one file may have several paths.
    private var awaitingFiles: [String: [Int]] = [:]
    /// Those whose migration may bring values from anywhere: one of an app's own kind may answer otherwise tomorrow.
    private var awaitingAnything: [Int] = []

    init(_ entries: [CatalogRegistry.Entry], in environment: StorageEnvironment) {
        self.entries = entries
        for (index, entry) in entries.enumerated() {
            let key = entry.descriptor
            if let places = Self.places(name: key.name, domain: key.domain, security: key.security, in: environment) {
                for place in places { lying[place, default: []].append(index) }
            } else {
                lyingAnywhere.append(index)
            }
            guard let used = entry.key?.base else { continue }
            if used.domain.directory != nil { files[FileNames.folded(used.name), default: []].append(index) }
            if used.migration != nil { noteSources(of: used, index, in: environment) }
        }
    }

    private mutating func noteSources(of key: any StorageKey, _ index: Int, in environment: StorageEnvironment) {
        var sources: Set<String> = []
        var files: Set<String> = []
        // Migrations may form circles.
        var visited: Set<String> = []
        var open = [key]
        while let next = open.popLast() {
            guard let migration = next.migration?.base else { continue }
            guard let planned = migration as? any PlannedMigration, planned.hasFixedSources else { return awaitingAnything.append(index) }
            for source in migration.sourceKeys.map(\.base) {
                guard let places = Self.places(name: source.name, domain: source.domain, security: source.security, in: environment)
                else { return awaitingAnything.append(index) }
                sources.formUnion(places)
                if source.domain.directory != nil { files.insert(FileNames.folded(source.name)) }
                guard let behind = source.migration?.base.sourceKeys.map(\.name) else { continue }
                if visited.insert((places + behind).joined(separator: "\n")).inserted { open.append(source) }
            }
        }
        for place in sources { awaiting[place, default: []].append(index) }
        for file in files { awaitingFiles[file, default: []].append(index) }
    }

    /// Where a value may lie; `nil` where the declaration alone does not tell.
    private static func places(
        name: String, domain: StorageDomain, security: SecurityPolicy, in environment: StorageEnvironment
    ) -> [String]? {
        guard KeyNamePattern(name) == nil else { return nil }
        return (try? StorageLocation(name: name, domain: domain, security: security))?.resolutions(in: environment)
    }

    /// What may lie at the source's place, or be its file under another name.
    /// - Parameter place: Of the source: ``StorageLocation/resolved(in:)``.
    func candidates(at place: String, of source: any StorageKey) -> [CatalogRegistry.Entry] {
        candidates(lying[place], lyingAnywhere, source.domain.directory == nil ? nil : files[FileNames.folded(source.name)])
    }

    /// What may get its value from the source's place, or from its file under another name.
    func candidates(awaiting place: String, of source: any StorageKey) -> [CatalogRegistry.Entry] {
        candidates(
            awaiting[place], awaitingAnything, source.domain.directory == nil ? nil : awaitingFiles[FileNames.folded(source.name)])
    }

    private func candidates(_ lists: [Int]?...) -> [CatalogRegistry.Entry] {
        Set(lists.compactMap(\.self).joined()).sorted().map { entries[$0] }
    }
}

/// The places of the keys that are registered now.
/// - Note: `@unchecked Sendable`: the memory is only touched under the lock.
final class RegisteredPlacesCache: @unchecked Sendable {
    private let environment: StorageEnvironment
    private let catalogs: CatalogRegistry
    private let lock = NSLock()
    private var known: (generation: Int, places: RegisteredPlaces)?

    init(environment: StorageEnvironment, catalogs: CatalogRegistry) {
        self.environment = environment
        self.catalogs = catalogs
    }

    var current: RegisteredPlaces {
        let generation = catalogs.generation
        if let known = lock.withLock({ known }), known.generation == generation { return known.places }
        // Not under the lock: what a key declares is code of the app's.
        let places = RegisteredPlaces(catalogs.entries, in: environment)
        lock.withLock { known = (generation, places) }
        return places
    }
}
