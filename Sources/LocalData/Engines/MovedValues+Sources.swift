/// Sources that are not one migration's alone: several keys may be made of one old value, and an old place may be that of a key in use.
extension MovedValues {
    /// Whether a value at a migration's source is somebody's still: a registered key lies there itself, or is to get its value from there.
    ///
    /// A key of another device, and one whose value was removed on purpose, waits for nothing.
    /// - Parameter removed: A key that is being removed. What it would get is nobody's.
    /// - Throws: Where that cannot be told. Then nothing may be deleted.
    func isNeeded(_ source: any StorageKey, besides removed: (any StorageKey)? = nil) async throws -> Bool {
        if try isInUse(source, besides: removed) { return true }
        let place = try stored.location(of: source).resolved(in: environment)
        let own = try removed.map { try stored.location(of: $0).resolved(in: environment) }
        let role = environment.device.role
        for key in registered.current.candidates(awaiting: place, of: source).compactMap(\.key?.base)
        where key.migration != nil && key.availability.isAvailable(on: role) {
            guard KeyNamePattern(key.name) == nil, let location = try? stored.location(of: key), location.resolved(in: environment) != own
            else { continue }
            var visited: Set<[String]> = []
            if try await isAwaiting(source, at: place, key, at: location, &visited) { return true }
        }
        return false
    }

    /// Whether a key lies at the place of a source, or is its file under another name.
    private func isSame(_ key: any StorageKey, as source: any StorageKey, at place: String) throws -> Bool {
        if try StorageLocation(of: key).resolved(in: environment) == place { return true }
        guard key.domain.directory != nil, source.domain.directory != nil, FileNames.folded(key.name) == FileNames.folded(source.name)
        else { return false }
        return try stored.isOneFile(source, key)
    }

    /// Whether registered keys besides this one take their values from there, or took them.
    func isSourceOfOthers(_ source: any StorageKey, besides removed: any StorageKey) throws -> Bool {
        let place = try stored.location(of: source).resolved(in: environment)
        let own = try stored.location(of: removed).resolved(in: environment)
        let role = environment.device.role
        return registered.current.candidates(awaiting: place, of: source).compactMap(\.key?.base).contains { key in
            guard key.availability.isAvailable(on: role), KeyNamePattern(key.name) == nil,
                let location = try? stored.location(of: key).resolved(in: environment)
            else { return false }
            return location != own && location != place
                && key.allSources.contains { (try? isSame($0, as: source, at: place)) != false }
        }
    }

    /// Whether a registered key has its own values where this source lies.
    /// - Parameter other: A key that is not meant: the one whose source it is.
    func isInUse(_ source: any StorageKey, besides other: (any StorageKey)? = nil) throws -> Bool {
        let place = try stored.location(of: source).resolved(in: environment)
        let role = environment.device.role
        for entry in registered.current.candidates(at: place, of: source) where entry.descriptor.availability.isAvailable(on: role) {
            let key = entry.descriptor
            // A pattern stands for names of its kind.
            let pattern = KeyNamePattern(key.name)
            if let other, key.domain == other.domain,
                key.name == other.name || pattern?.matches(other.name) == true && other.name == source.name
            {
                continue
            }
            let name = pattern.map { $0.matches(source.name) ? source.name : key.name } ?? key.name
            // On a volume that ignores case a name of the kind may have that file.
            if pattern?.matches(source.name) == false, try isOneOfKind(key, source) { return true }
            if (try? StorageLocation(name: name, domain: key.domain, security: key.security))?.resolved(in: environment) == place {
                return true
            }
            // Its file under another name.
            guard source.domain.directory != nil, key.domain.directory != nil, FileNames.folded(name) == FileNames.folded(source.name)
            else { continue }
            let used: any StorageKey = (pattern == nil ? entry.key?.base : nil) ?? DescribedKey(key, name: name)
            if try stored.isOneFile(source, used) { return true }
        }
        return false
    }

    /// Whether a name of a kind may be that of the source's file, spelled otherwise.
    private func isOneOfKind(_ kind: StorageKeyDescriptor, _ source: any StorageKey) throws -> Bool {
        guard source.domain.directory != nil, kind.domain.directory != nil,
            KeyNamePattern(FileNames.folded(kind.name))?.matches(FileNames.folded(source.name)) == true,
            try files.otherSpelling(of: source.name, in: source.domain) != nil
        else { return false }
        return try files.physicalName(of: source.name, in: kind.domain) == files.physicalName(of: source.name, in: source.domain)
    }

    /// Whether the migration of a key would read that place, now or once its other sources are there.
    private func isAwaiting(
        _ awaited: any StorageKey, at place: String, _ key: any StorageKey, at location: StorageLocation, _ visited: inout Set<[String]>
    ) async throws -> Bool {
        guard try visited.insert(key.linkOfChain).inserted, let sources = key.migration?.base.sourceKeys.map(\.base),
            try !isRetired(key, at: location)
        else { return false }
        for source in sources {
            if try isSame(source, as: awaited, at: place), try await !hasItsValue(key, from: source, at: location) { return true }
            if try !stored.isStored(key), try await isAwaiting(awaited, at: place, source, at: StorageLocation(of: source), &visited) {
                return true
            }
        }
        return false
    }

    private func hasItsValue(_ key: any StorageKey, from source: any StorageKey, at location: StorageLocation) async throws
        -> Bool
    {
        if try isAtDestination(key) { return true }
        guard try stored.isStored(key) else { return false }
        return try await isSettled(key, copiedFrom: [source], isNew: false, at: location)
    }

    /// Those of the sources that may be deleted. Of several none, before all of them may: what is left must not make up a value.
    func disposable(_ held: [any StorageKey]) async throws -> [any StorageKey] {
        var disposable: [any StorageKey] = []
        for source in held where try await !isNeeded(source) { disposable.append(source) }
        return disposable.count < held.count && held.count > 1 ? [] : disposable
    }
}

/// Places that are one, under names that do not show it: a link, another path of an App Group's container, another case on a volume that ignores it.
extension MovedValues {
    @TaskLocal private static var underWay: [(destination: AnyStorageKey, span: TaskSpan)] = []

    /// The keys that running migrations of this task move values to, the innermost last. Not those of migrations that are over: a task that one has started, and
    /// that outlives it, is no part of it any more.
    static var destinations: [AnyStorageKey] { underWay.isEmpty ? [] : underWay.filter(\.span.isOpen).map(\.destination) }

    /// Whether a key's value is what a running migration of this task brought, or is bringing, to its destination.
    func isAtDestination(_ key: any StorageKey) throws -> Bool {
        try Self.destinations.contains { try stored.isOneFile(key, $0.base) }
    }

    /// Whether it is so under another name. Under its own name a migration may remove it.
    func isAnotherNameOfDestination(_ key: any StorageKey) throws -> Bool {
        guard !Self.destinations.isEmpty, turns.access.isMigrating() else { return false }
        let own = try stored.location(of: key)
        guard try !Self.destinations.contains(where: { try stored.location(of: $0.base) == own }) else { return false }
        return try isAtDestination(key)
    }

    /// Of a chain that leads back to the place of one of its keys: the keys behind that one, up to the one whose value it is there. Empty for other chains.
    func links(behind key: any StorageKey) throws -> [any StorageKey] {
        let own = try stored.location(of: key)
        // Noted when a migration begins, with the key, and when it moves something, with its place alone.
        let open = Self.destinations.map(\.base).filter { $0.migration != nil }
        guard let end = try open.firstIndex(where: { try stored.location(of: $0) == own }) else { return [] }
        return try Array(open[end...].reversed().drop { try stored.location(of: $0) == own })
    }

    func withDestination<Result>(_ key: any StorageKey, _ body: () async throws -> Result) async throws -> Result {
        let span = TaskSpan()
        defer { span.end() }
        return try await Self.$underWay.withValue(Self.underWay + [(AnyStorageKey(key), span)]) { try await body() }
    }

    /// Sources whose file is another source's as well are no two values to make one of.
    func requireDistinctFiles(_ sources: [any StorageKey], of destination: any StorageKey) throws {
        for (index, source) in sources.enumerated() {
            guard let other = try sources[..<index].first(where: { try stored.isOneFile($0, source) }) else { continue }
            throw StorageError(
                .invalidKey, key: destination.name, domain: destination.domain.kind, operation: "migrate",
                facts: ["the migration's source '\(source.name)' is the file of the source '\(other.name)', under another name"])
        }
    }

    /// What is in the way of a migration whose source is the destination's file; `nil` where it can be done in place.
    func refusal(ofInPlace source: any StorageKey, to destination: any StorageKey, isConverting: Bool) -> StorageError? {
        guard !isConverting else { return nil }
        // Nobody could tell whether the new value was made already.
        return StorageError(
            .invalidKey, key: destination.name, domain: destination.domain.kind, operation: "migrate",
            facts: ["the migration's source '\(source.name)' is the file of the destination, under another name"])
    }
}
