import Foundation
import Synchronization
import Testing

@testable import LocalData

@Suite struct RegisteredPlacesTests {
    private let device = TestDevice()

    /// A key that counts how often anybody asks what it declares.
    private struct CountedKey: StorageKey {
        typealias Value = String

        let name: String
        let counter: Counter
        var isOld = false

        var domain: StorageDomain {
            counter.count.withLock { $0 += 1 }
            return isOld ? .userDefaults(suite: nil) : .documents
        }
        var security: SecurityPolicy { .none }
        let owner = "Tests"
        let description = "A value of the tests"
        var migration: AnyStorageMigration? {
            guard !isOld else { return nil }
            counter.count.withLock { $0 += 1 }
            let old = CountedKey(name: "old \(name)", counter: counter, isOld: true)
            return AnyStorageMigration(SimpleLegacyMigration(destinationKey: self, sourceKey: .key(old)))
        }
    }

    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    private struct Catalog: StorageKeyCatalog {
        let allKeys: [AnyStorageKey]
    }

    /// Of a sweep, an audit and a set of each key.
    @Test func whatManyKeysCostGrowsWithTheirNumber() async throws {
        func count(_ number: Int) async throws -> Int {
            let (device, counter) = (TestDevice(), Counter())
            let keys = (0..<number).map { CountedKey(name: "key\($0)", counter: counter) }
            for key in keys { try await device.router().set("value", for: ValueKey("old \(key.name)")) }
            let router = device.router()
            try await router.registerCatalog(Catalog(allKeys: keys.map { .key($0) }))
            counter.count.withLock { $0 = 0 }
            for outcome in try await router.sweepMigrations(of: router.registeredKeys()) {
                guard case .migrated = outcome.result else { Issue.record("\(outcome)"); continue }
            }
            _ = await router.auditReport()
            for key in keys { try await router.set("other", for: key) }
            return counter.count.withLock { $0 }
        }
        let (few, many) = (try await count(20), try await count(80))
        #expect(many < 5 * few, "\(few) questions to 20 keys, \(many) to 80")
    }

    @Test func candidatesAreWhatMayLieThereInTheOrderOfRegistration() throws {
        let file = { (name: String, domain: StorageDomain) in ValueKey(name, of: String.self, in: domain) }
        let folder = StorageDomain.fileSystem(directory: .custom(URL(fileURLWithPath: "/app/Documents", isDirectory: true)))
        let keys: [AnyStorageKey] = [
            .key(file("draft_<id>", .documents)), .key(file("Note", .documents)), .key(file("note", .fileSystem(directory: .caches))),
            .key(file("other", .documents)), .key(file("note", folder)),
        ]
        let source = file("note", .documents)
        let place = try StorageLocation(of: source).resolved(in: device.environment)
        let found = places(of: keys).candidates(at: place, of: source)
        #expect(found.map(\.descriptor.name) == ["draft_<id>", "Note", "note", "note"])
    }

    @Test func aKeyAwaitsAllThatItsMigrationMayRead() throws {
        let oldest = ValueKey("oldest", of: String.self)
        let old = ValueKey("old", of: String.self).replacing(oldest)
        let waiting = ValueKey("waiting", of: String.self).replacing(old)
        let conditional = ValueKey("conditional", of: String.self) {
            AnyStorageMigration(ConditionalMigration(when: .appVersion(atLeast: "2"), OwnMigration(destinationKey: $0)))
        }
        let places = places(of: [
            .key(ValueKey("none", of: String.self)), .key(waiting), .key(conditional),
            .key(ValueKey("own", of: String.self) { AnyStorageMigration(OwnMigration(destinationKey: $0)) }),
        ])
        func names(_ key: ValueKey<String>) throws -> [String] {
            places.candidates(awaiting: try StorageLocation(of: key).resolved(in: device.environment), of: key).map(\.descriptor.name)
        }
        #expect(try names(oldest) == ["waiting", "conditional", "own"])
        #expect(try names(old) == ["waiting", "conditional", "own"])
        #expect(try names(waiting) == ["conditional", "own"], "what a migration of an app's own reads is its own affair")
    }

    @Test func aCatalogThatIsRegisteredLaterCounts() throws {
        let catalogs = CatalogRegistry()
        let known = RegisteredPlacesCache(environment: device.environment, catalogs: catalogs)
        let key = ValueKey("key", of: String.self)
        let place = try StorageLocation(of: key).resolved(in: device.environment)
        #expect(known.current.candidates(at: place, of: key).isEmpty)
        try catalogs.register(Catalog(allKeys: [.key(key)]))
        #expect(known.current.candidates(at: place, of: key).map(\.descriptor.name) == ["key"])
    }

    private func places(of keys: [AnyStorageKey]) -> RegisteredPlaces {
        RegisteredPlaces(CatalogRegistry.entries(of: Catalog(allKeys: keys)), in: device.environment)
    }

    /// Its sources are nowhere to be read before it runs.
    private struct OwnMigration: StorageMigration {
        let destinationKey: ValueKey<String>

        func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { false }
        func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
            MigrationResult(success: true)
        }
    }
}
