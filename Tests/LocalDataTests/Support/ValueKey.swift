import Foundation
import Testing

@testable import LocalData

/// A key made up by a test. Plain preferences, unless the test says otherwise.
struct ValueKey<Value: Codable & Sendable>: StorageKey {
    var name: String
    var domain: StorageDomain = .userDefaults(suite: nil)
    var security: SecurityPolicy = .none
    var formerSecurity: [SecurityPolicy] = []
    var serializer: Serializer<Value> = .json
    var owner = "Tests"
    var description = "A value of the tests"
    var availability: PlatformAvailability = .all
    var syncPolicy: SyncPolicy = .never
    var missingKeyPolicy: MissingKeyPolicy = .report
    var accessGroup: String?
    var schemaVersion = 1
    var makeMigration: @Sendable (ValueKey) -> AnyStorageMigration? = { _ in nil }

    var migration: AnyStorageMigration? { makeMigration(self) }

    init(
        _ name: String, of type: Value.Type = Value.self, in domain: StorageDomain = .userDefaults(suite: nil),
        security: SecurityPolicy = .none,
        serializer: Serializer<Value> = .json, migration: @escaping @Sendable (ValueKey) -> AnyStorageMigration? = { _ in nil }
    ) {
        self.name = name
        self.domain = domain
        self.security = security
        self.serializer = serializer
        makeMigration = migration
    }

    /// The key with a simple migration from `source`.
    func replacing(_ source: some StorageKey) -> ValueKey {
        var key = self
        key.makeMigration = { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(source))) }
        return key
    }
}

extension ValueKey: CustomTestStringConvertible {
    var testDescription: String { "\(name) in \(domain.kind)" }
}

extension StorageDomain {
    static let documents = StorageDomain.fileSystem(directory: .documents)
}

/// What a storage error is expected to be.
func storageError(_ body: () async throws -> Void) async -> StorageError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? StorageError
    }
}

/// The migration error that `body` throws.
func migrationError(_ body: () async throws -> Void) async -> MigrationError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? MigrationError
    }
}

extension MigrationError {
    /// The case and, of those with one, the storage error's code, such as `deferred locked`.
    var summary: String {
        switch self {
        case .deferred(let error): "deferred \(error.code.rawValue)"
        case .storage(let error): "storage \(error.code.rawValue)"
        case .verificationFailed: "verificationFailed"
        case .transformFailed: "transformFailed"
        case .conflictingSources: "conflictingSources"
        }
    }
}

extension MigrationOutcome {
    /// Such as `a: migrated 1` or `b: failed storage corrupt`.
    var summary: String {
        switch result {
        case .nothingToDo: "\(key): nothing to do"
        case .migrated(let result): "\(key): migrated \(result.migratedCount)"
        case .deferred(let error): "\(key): deferred \(error.code.rawValue)"
        case .failed(let error): "\(key): failed \(error.summary)"
        }
    }
}
