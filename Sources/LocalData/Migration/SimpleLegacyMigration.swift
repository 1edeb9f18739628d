import Foundation

/// Moves the value of one key to another: opened by the source's policy, secured by the destination's.
///
/// The source is deleted only after the destination reads back as what was copied. A value that the destination already has is newer and
/// stays; the source then is a leftover and goes. Run again after a crash at any point, it ends the same.
public struct SimpleLegacyMigration<DestinationKey: StorageKey>: StorageMigration {
    public let destinationKey: DestinationKey
    public let sourceKey: AnyStorageKey

    public init(destinationKey: DestinationKey, sourceKey: AnyStorageKey) {
        self.destinationKey = destinationKey
        self.sourceKey = sourceKey
    }

    public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        try await router.isStored(sourceKey.base)
    }

    public func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        let destination = try StorageLocation(of: destinationKey)
        let source = try sourceLocation()
        guard source != destination else {
            throw StorageError(.invalidKey, key: destinationKey.name, facts: ["the migration's source is the key's own place"])
        }
        return try await router.withExclusiveAccess(to: destination) {
            try await router.withExclusiveAccess(to: source) { try await move(with: router) }
        }
    }

    func sourceLocation() throws -> StorageLocation {
        func location(of key: some StorageKey) throws -> StorageLocation { try StorageLocation(of: key) }
        return try location(of: sourceKey.base)
    }

    private func move(with router: StorageRouter) async throws -> MigrationResult {
        let facts = ["source": sourceKey.name]
        if let existing = try await router.plainData(of: destinationKey) {
            // Only a destination that can be read makes the source superfluous.
            _ = try destinationKey.serializer.value(from: existing)
            if try await router.isStored(sourceKey.base) { _ = try await router.erase(sourceKey.base, origin: .migration) }
            return MigrationResult(success: true, metadata: facts)
        }
        guard let plain = try await copiedData(with: router) else { return MigrationResult(success: true, metadata: facts) }
        _ = try await router.store(plain, for: destinationKey, origin: .migration)
        guard try await router.plainData(of: destinationKey) == plain else {
            throw MigrationError.verificationFailed(key: destinationKey.name)
        }
        _ = try await router.erase(sourceKey.base, origin: .migration)
        return MigrationResult(success: true, migratedCount: 1, metadata: facts)
    }

    /// The source's value as the destination serializes it, or `nil` where there is none.
    private func copiedData(with router: StorageRouter) async throws -> Data? {
        func value<Source: StorageKey>(of key: Source) async throws -> Any? {
            try await router.plainData(of: key).map { try key.serializer.value(from: $0) }
        }
        guard let value = try await value(of: sourceKey.base) else { return nil }
        guard let typed = value as? DestinationKey.Value else {
            throw MigrationError.transformFailed(
                key: destinationKey.name, reason: "'\(sourceKey.name)' holds a \(type(of: value)), not a \(DestinationKey.Value.self)")
        }
        return try destinationKey.serializer.data(for: typed)
    }
}

/// A migration whose sources are known, so that removing the key removes them too.
protocol SourceDiscarding: Sendable {
    func discardSources(using router: StorageRouter) async throws
}

extension SimpleLegacyMigration: SourceDiscarding {
    func discardSources(using router: StorageRouter) async throws {
        try await router.withExclusiveAccess(to: sourceLocation()) {
            if try await router.isStored(sourceKey.base) { _ = try await router.erase(sourceKey.base, origin: .migration) }
        }
    }
}
