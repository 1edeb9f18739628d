import Foundation

/// Sources that are not one migration's alone: several keys may be made of one old value, and an old place may be that of a key in use.
extension StorageRouter {
    /// Whether a value at a migration's source is somebody's still: a registered key lies there itself, or is to get its value from there.
    ///
    /// A key of another device, and one whose value was removed on purpose, waits for nothing.
    /// - Parameter removed: A key that is being removed. What it would get is nobody's.
    /// - Throws: Where that cannot be told. Then nothing may be deleted.
    nonisolated func isNeeded(_ source: any StorageKey, besides removed: (any StorageKey)? = nil) async throws -> Bool {
        if try isInUse(source, besides: removed) { return true }
        let place = try location(of: source).resolved(in: environment)
        let own = try removed.map { try location(of: $0).resolved(in: environment) }
        let role = environment.device.role
        for key in catalogs.entries.compactMap(\.key?.base) where key.migration != nil && key.availability.isAvailable(on: role) {
            guard KeyNamePattern(key.name) == nil, let location = try? location(of: key), location.resolved(in: environment) != own
            else { continue }
            var visited: Set<String> = []
            if try await isAwaiting(place, key, at: location, &visited) { return true }
        }
        return false
    }

    /// Whether a registered key has its own values where this source lies.
    /// - Parameter other: A key that is not meant: the one whose source it is.
    nonisolated func isInUse(_ source: any StorageKey, besides other: (any StorageKey)? = nil) throws -> Bool {
        let place = try location(of: source).resolved(in: environment)
        let role = environment.device.role
        for entry in catalogs.entries where entry.descriptor.availability.isAvailable(on: role) {
            let key = entry.descriptor
            if let other, key.name == other.name, key.domain == other.domain { continue }
            // A pattern stands for names of its kind.
            let name = KeyNamePattern(key.name).map { $0.matches(source.name) ? source.name : key.name } ?? key.name
            if (try? StorageLocation(name: name, domain: key.domain, security: key.security))?.resolved(in: environment) == place {
                return true
            }
            // Its file under another name.
            guard let used = entry.key?.base, source.domain.directory != nil, used.domain.directory != nil,
                FileNames.folded(used.name) == FileNames.folded(source.name)
            else { continue }
            if try isOneFile(source, used) { return true }
        }
        return false
    }

    /// Whether the migration of a key would read that place, now or once its other sources are there.
    private nonisolated func isAwaiting(
        _ place: String, _ key: any StorageKey, at location: StorageLocation, _ visited: inout Set<String>
    ) async throws -> Bool {
        guard visited.insert(location.resolved(in: environment)).inserted, let sources = key.migration?.base.sourceKeys.map(\.base),
            try !isRetired(key, at: location)
        else { return false }
        for source in sources {
            let found = try StorageLocation(of: source)
            if found.resolved(in: environment) == place, try await !hasItsValue(key, from: source, at: location) { return true }
            if try !isStored(key), try await isAwaiting(place, source, at: found, &visited) { return true }
        }
        return false
    }

    private nonisolated func hasItsValue(_ key: any StorageKey, from source: any StorageKey, at location: StorageLocation) async throws
        -> Bool
    {
        if try isAtDestination(key) { return true }
        guard try isStored(key) else { return false }
        return try await isSettled(key, copiedFrom: [source], isNew: false, at: location)
    }

    /// Those of the sources that may be deleted. Of several none, before all of them may: what is left must not make up a value.
    nonisolated func disposable(_ held: [any StorageKey]) async throws -> [any StorageKey] {
        var disposable: [any StorageKey] = []
        for source in held where try await !isNeeded(source) { disposable.append(source) }
        return disposable.count < held.count && held.count > 1 ? [] : disposable
    }
}
