import Foundation

extension StorageRouter {
    /// Runs the key's migration now, whether or not the key has a value.
    /// - Returns: What it did; a result without migrated values where there was nothing to do or the key has no migration.
    /// - Throws: ``MigrationError``; ``MigrationError/deferred(_:)`` where the source or the destination cannot be reached for now.
    @discardableResult
    public func forceMigration<Key: StorageKey>(for key: Key) async throws -> MigrationResult {
        do {
            let location = try admit(key)
            return try await withExclusiveAccess(to: location) { try await self.runMigration(of: key, at: location) }
                ?? MigrationResult(success: true)
        } catch let error as StorageError {
            throw Self.migrationError(error.at(key: key.name, domain: key.domain.kind, operation: "migrate"))
        }
    }

    /// Runs the migrations of `keys`, in their order. One that fails does not stop the others.
    func sweepMigrations(of keys: [AnyStorageKey]) async throws -> [MigrationOutcome] {
        var outcomes: [MigrationOutcome] = []
        for key in keys where key.migration != nil && key.availability.isAvailable(on: environment.device.role) {
            outcomes.append(MigrationOutcome(key: key.name, result: await outcome(of: key.base)))
        }
        return outcomes
    }

    private func outcome(of key: some StorageKey) async -> MigrationOutcome.Result {
        do {
            let result = try await forceMigration(for: key)
            return result.migratedCount == 0 && result.success ? .nothingToDo : .migrated(result)
        } catch MigrationError.deferred(let error) {
            return .deferred(error)
        } catch let error as MigrationError {
            return .failed(error)
        } catch {
            return .failed(
                .storage(StorageError(.inputOutput, key: key.name, operation: "migrate", facts: [String(describing: type(of: error))])))
        }
    }

    // MARK: Under the key's lock

    /// The serialized bytes of the key's value; if there is none, what its migration brings over.
    func plainDataMigrating(_ key: some StorageKey) async throws -> Data? {
        if let plain = try await plainData(of: key) { return plain }
        guard key.migration != nil else { return nil }
        let location = try location(of: key)
        if LocationHold.covering(location, router: self)?.isMigrating == true { return nil }
        do {
            guard try await runMigration(of: key, at: location) != nil else { return nil }
        } catch MigrationError.deferred(let error) {
            throw error
        } catch MigrationError.storage(let error) {
            throw error
        }
        return try await plainData(of: key)
    }

    /// - Returns: `nil` where there is nothing to do.
    private func runMigration(of key: some StorageKey, at location: StorageLocation) async throws -> MigrationResult? {
        guard let migration = key.migration?.base else { return nil }
        guard try files.readInternal(name: Self.retiredFile(of: location)) == nil else { return nil }
        let hold = LocationHold.covering(location, router: self)
        let isNested = hold?.isMigrating ?? false
        hold?.isMigrating = true
        defer { hold?.isMigrating = isNested }
        let device = environment.device
        let context = MigrationContext(
            appVersion: device.appVersion, deviceInfo: device.deviceInfo, systemInfo: device.systemInfo, date: environment.clock.now)
        do {
            guard try await migration.shouldMigrate(using: self, context: context) else { return nil }
            return try await migration.migrate(using: self, context: context)
        } catch let error as StorageError {
            throw Self.migrationError(error.at(key: key.name, domain: key.domain.kind, operation: "migrate"))
        }
    }

    /// Sees to it that a removed value is not brought back from where an earlier version left it: known sources are removed with it; a
    /// migration whose sources only it knows is not run again.
    func retireMigration(of key: some StorageKey) async throws {
        guard let migration = key.migration?.base else { return }
        if let migration = migration as? any SourceDiscarding { return try await migration.discardSources(using: self) }
        try files.writeInternal(Data(), name: Self.retiredFile(of: location(of: key)))
    }

    /// The marker of a migration that must not run again. Its name is a digest, since a location may hold characters that files cannot.
    private static func retiredFile(of location: StorageLocation) -> String {
        "Migration/"
            + SHA256Digest.digest(of: Data(location.identity.utf8)).prefix(16).map { byte in
                String(UInt16(byte) + 0x100, radix: 16).dropFirst()
            }.joined() + ".retired"
    }

    private static func migrationError(_ error: StorageError) -> MigrationError {
        error.code.isTemporary ? .deferred(error) : .storage(error)
    }
}
