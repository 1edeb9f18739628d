/// The turns that operations take at the places of values: one at a time for each place, first come, first served. See ``ExclusiveAccess``.
struct Turns: Sendable {
    let access = ExclusiveAccess()
    let environment: StorageEnvironment

    init(environment: StorageEnvironment) { self.environment = environment }

    /// Runs `body` alone among all operations on one location; first come, first served. Other locations are not delayed.
    ///
    /// Within `body`, operations on the same location run in turns of their own.
    /// - Parameters:
    ///   - key: The key whose migration `body` is.
    ///   - admitsTasks: Whether all tasks that are started within it have part in it, as within a migration that an app wrote.
    func run<Result: Sendable>(
        at location: StorageLocation, migrating key: (any StorageKey)? = nil, admitsTasks: Bool = false,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await access.run(at: location.resolved(in: environment), migrating: key, admitsTasks: admitsTasks, body)
    }

    /// Whether the running task is a migration into this location.
    func isMigrating(into location: StorageLocation) -> Bool {
        access.isMigrating(into: location.resolved(in: environment))
    }

    /// Whether the running task is this key's migration into this location, or one from the same places. A chain of migrations may lead through a place
    /// more than once: what an earlier version of the app had brought there, it brings first. A chain without end is left where it begins anew.
    func isMigrating(_ key: any StorageKey, into location: StorageLocation) throws -> Bool {
        let running = access.keysMigrating(into: location.resolved(in: environment))
        guard !running.isEmpty else { return false }
        let sources = try key.placesOfSources
        return try running.contains { try $0.placesOfSources == sources }
    }

    /// What a change by the running task counts as: what migrations set is theirs.
    var localOrigin: ChangeOrigin { access.isMigrating() ? .migration : .local }
}
