import Foundation

/// Why a migration did not complete. Whatever it is, the value is whole: at the source, or, where a source could not be deleted, at the destination.
///
/// Of an app's own ``StorageMigration`` the app says what becomes of the source.
public enum MigrationError: Error, Sendable {
    /// The source or the destination cannot be read or written for now, such as on a locked device. It is tried again later.
    case deferred(StorageError)
    /// What was written does not read back as what was copied; the source was kept.
    case verificationFailed(key: String)
    /// The source's value does not convert to the destination's type.
    case transformFailed(key: String, reason: String)
    /// Sources disagree in a way that the migration does not resolve.
    case conflictingSources(key: String, sources: [String])
    /// A storage operation failed for good.
    case storage(StorageError)
}

/// The wording of migration errors, in one place.
extension MigrationError: CustomStringConvertible, LocalizedError {
    public var description: String {
        switch self {
        case .deferred(let error): "migration deferred: \(error)"
        case .verificationFailed(let key):
            "migration of '\(key)': what was written does not read back as what was copied. The source was kept."
        case .transformFailed(let key, let reason): "migration of '\(key)': \(reason). The source was kept."
        case .conflictingSources(let key, let sources):
            "migration of '\(key)': the sources disagree (\(sources.joined(separator: ", "))). They were kept; set a value to decide."
        case .storage(let error): "migration failed: \(error)"
        }
    }

    public var errorDescription: String? { description }
}

extension MigrationError {
    /// A storage error as the reason of a migration's failure: those that pass by themselves defer it.
    init(_ error: StorageError) {
        self = error.code.isTemporary ? .deferred(error) : .storage(error)
    }

    /// The error of a read that needed this migration. Never `notFound`: the value is still somewhere.
    func readError(of key: any StorageKey) -> StorageError {
        switch self {
        case .deferred(let error), .storage(let error):
            var facts = error.facts
            if let source = error.key, source != key.name || error.domain != key.domain.kind {
                facts.append("the value still lies under '\(source)'\(error.domain.map { " in \($0)" } ?? "")")
            }
            let code = error.code == .notFound ? .inputOutput : error.code
            return StorageError(code, key: key.name, domain: key.domain.kind, facts: facts)
        case .verificationFailed:
            return StorageError(
                .inputOutput, key: key.name, domain: key.domain.kind, facts: ["what was migrated did not read back the same"])
        case .transformFailed(_, let reason):
            return StorageError(.wrongType, key: key.name, domain: key.domain.kind, facts: ["the migration failed: \(reason)"])
        case .conflictingSources(_, let sources):
            return StorageError(
                .undecided, key: key.name, domain: key.domain.kind,
                facts: ["the migration's sources disagree: \(sources.joined(separator: ", "))"])
        }
    }
}

extension MigrationResult {
    static func failure(_ error: MigrationError, migratedCount: Int = 0, metadata: [String: String] = [:]) -> MigrationResult {
        MigrationResult(success: false, migratedCount: migratedCount, errors: [error], metadata: metadata)
    }
}
