import Foundation

/// The steps of ``SimpleLegacyMigration``.
extension StorageRouter {
    /// Whether a value lies at a legacy key's place, or at one that its own migration would bring it from.
    nonisolated func holdsLegacyValue(_ source: any StorageKey, context: MigrationContext) async throws -> Bool {
        let location = try StorageLocation(of: source)
        return try await run(at: location) {
            if try self.isStored(source) { return true }
            guard let migration = source.migration?.base, !self.isMigrating(into: location), try !self.isRetired(source, at: location)
            else {
                return false
            }
            return try await migration.shouldMigrate(using: self, context: context)
        }
    }

    /// Copy, read back and compare, delete the source. Nothing is deleted before the destination is known to hold the value.
    nonisolated func move(
        from source: any StorageKey, to destination: some StorageKey, context: MigrationContext
    ) async throws -> MigrationResult {
        let metadata = ["source": source.name, "sourceDomain": source.domain.kind]
        return try await capturingFailure(metadata) {
            let (from, to) = (try StorageLocation(of: source), try StorageLocation(of: destination))
            guard from.resolved(in: self.environment) != to.resolved(in: self.environment) else {
                throw StorageError(
                    .invalidKey, key: destination.name, domain: destination.domain.kind, operation: "migrate",
                    facts: ["the migration's source is the place of the destination"])
            }
            return try await self.run(at: to, isMigration: true) {
                try await self.run(at: from) {
                    // Also where the source has its value: its own migration may have been cut short before it deleted what is older still.
                    if try !self.isStored(source) || !self.isRetired(source, at: from),
                        let earlier = try await self.runMigration(of: source, at: from, context: context)
                    {
                        if let error = earlier.errors.first, try !self.isStored(source) { return .failure(error, metadata: metadata) }
                    }
                    guard try self.isStored(source) else { return MigrationResult(success: true, metadata: metadata) }
                    let moved = try self.isStored(destination) ? 0 : try await self.copy(from: source, to: destination)
                    return try await self.finish(source, destination, moved: moved, metadata: metadata)
                }
            }
        }
    }

    /// - Returns: How many values were copied: one.
    private nonisolated func copy(from source: any StorageKey, to destination: some StorageKey) async throws -> Int {
        guard let plain = try await plainData(of: source) else { return 0 }
        let converted = try destination.encoded(Self.converted(plain, from: source, to: destination))
        try await noteChange(store(converted, for: destination, origin: .migration), of: destination, origin: .migration)
        if let copied = try await plainData(of: destination), destination.isSame(copied, converted) { return 1 }
        // The destination was verified to be empty, so what is there now is this copy's: it must not hide the source.
        try await noteChange(erase(destination, origin: .migration), of: destination, origin: .migration)
        throw MigrationError.verificationFailed(key: destination.name)
    }

    /// Deletes the source, once the destination reads as a value. Also finishes a migration that was interrupted after its copy.
    private nonisolated func finish(
        _ source: any StorageKey, _ destination: some StorageKey, moved: Int, metadata: [String: String]
    ) async throws -> MigrationResult {
        guard try await value(of: destination) != nil else { throw MigrationError.verificationFailed(key: destination.name) }
        do {
            try await noteChange(erase(source, origin: .migration), of: source, origin: .migration)
        } catch let error as StorageError {
            return .failure(MigrationError(error.at(operation: "migrate")), migratedCount: moved, metadata: metadata)
        }
        return MigrationResult(success: true, migratedCount: moved, metadata: metadata)
    }

    private static func converted<Source: StorageKey, Destination: StorageKey>(
        _ plain: Data, from source: Source, to destination: Destination
    ) throws -> Destination.Value {
        if Source.Value.self == Destination.Value.self, let value = try source.decoded(plain) as? Destination.Value { return value }
        if source.serializer.format == destination.serializer.format, source.serializer.name == destination.serializer.name,
            let value = try? destination.decoded(plain)
        {
            return value
        }
        throw MigrationError.transformFailed(
            key: destination.name, reason: "'\(source.name)' holds \(Source.Value.self), which is not read as \(Destination.Value.self)")
    }
}
