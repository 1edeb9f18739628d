/// The turns that operations take at the places of values: one at a time for each place, first come, first served. See ``ExclusiveAccess``.
struct Turns: Sendable {
    let access = ExclusiveAccess()
    let environment: StorageEnvironment

    init(environment: StorageEnvironment) { self.environment = environment }

    /// Runs `body` alone among all operations on one location; first come, first served. Other locations are not delayed.
    ///
    /// Within `body`, operations on the same location run in turns of their own.
    func run<Result: Sendable>(
        at location: StorageLocation, isMigration: Bool = false, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await access.run(at: location.resolved(in: environment), isMigration: isMigration, body)
    }

    /// Whether the running task is a migration into this location.
    func isMigrating(into location: StorageLocation) -> Bool {
        access.isMigrating(into: location.resolved(in: environment))
    }

    /// What a change by the running task counts as: what migrations set is theirs.
    var localOrigin: ChangeOrigin { access.isMigrating() ? .migration : .local }
}
