import Foundation

@testable import LocalData

/// Two old values of different types and places, and the one that they become.
enum NameKeys {
    static let first = ValueKey("first", of: String.self)
    static let year = ValueKey("year", of: Int.self, in: .fileSystem(directory: .caches), serializer: .plist)
    static let secret = ValueKey(
        "nick", of: String.self, in: .keychain(service: nil), security: .keychain(accessibility: .afterFirstUnlock, accessControl: nil))

    /// `Ada 1815 Countess`, with `?` for what is missing.
    static func person(in domain: StorageDomain = .documents, missing: MissingSources = .allowed) -> ValueKey<String> {
        ValueKey("person", of: String.self, in: domain) { key in
            AnyStorageMigration(
                AggregatingMigration(destinationKey: key, sourceKeys: [.key(first), .key(year), .key(secret)], missing: missing) {
                    sources in
                    let year = try sources.value(of: year).map { "\($0)" } ?? "?"
                    return try "\(sources.value(of: first) ?? "?") \(year) \(sources.value(of: secret) ?? "?")"
                })
        }
    }

    static func plant(with router: StorageRouter) async throws {
        try await router.set("Ada", for: first)
        try await router.set(1815, for: year)
        try await router.set("Countess", for: secret)
    }

    static let whole = "Ada 1815 Countess"
}
