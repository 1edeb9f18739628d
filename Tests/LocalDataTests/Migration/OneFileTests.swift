import Foundation
import Testing

@testable import LocalData

/// Keys whose places are one file, under names that do not show it.
@Suite struct OneFileTests {
    private let device = TestDevice()
    private static let folder = FileDirectory.custom(URL(fileURLWithPath: "/groups/g/Documents", isDirectory: true))
    private static let file = "/groups/g/Documents/theme"

    private func old(_ security: SecurityPolicy = .none) -> ValueKey<String> {
        ValueKey("theme", of: String.self, in: .fileSystem(directory: Self.folder), security: security)
    }

    private func new(_ security: SecurityPolicy = .none) -> ValueKey<String> {
        ValueKey("theme", of: String.self, in: .appGroupFileSystem(identifier: "g", directory: .documents), security: security)
    }

    /// What an app writes that migrates with the router's own operations.
    struct OwnMigration: StorageMigration {
        let destinationKey: ValueKey<String>
        let source: ValueKey<String>
        var sourceKeys: [AnyStorageKey] { [.key(source)] }

        func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { try await router.exists(source) }

        func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
            let value = try await router.get(source)
            try await router.set(value, for: destinationKey)
            try await router.remove(source)
            return MigrationResult(success: true, migratedCount: 1)
        }
    }

    @Test func anAppsOwnMigrationDoesNotRemoveWhatItBrought() async throws {
        try await device.router().set("dark", for: old())
        var key = new()
        let source = old()
        key.makeMigration = { AnyStorageMigration(OwnMigration(destinationKey: $0, source: source)) }
        let router = device.router()
        try await router.forceMigration(for: key)
        #expect(try await router.get(key) == "dark")
        // Outside of a migration a removal is one.
        try await router.remove(key)
        #expect(device.files.peek(Self.file) == nil)
    }

    @Test(arguments: [
        (SecurityPolicy.none, SecurityPolicy.none), (.none, .recommended), (.recommended, .none), (.recommended, .recommended),
    ])
    func aValueIsGivenItsNewFormInPlace(_ before: SecurityPolicy, _ after: SecurityPolicy) async throws {
        try await device.router().set("dark", for: old(before))
        let key = new(after).replacing(old(before))
        let router = device.router()
        #expect(try await router.get(key) == "dark")
        let again = try await router.forceMigration(for: key)
        #expect(again.success && again.migratedCount == 0)
        let plan = try await router.migrationPlan(for: key)
        guard case .nothingToDo = plan.state else {
            Issue.record("planned: \(plan)")
            return
        }
        #expect(try await device.router().get(key) == "dark")
        #expect(try router.files.listInternal("Migration/Moved").isEmpty, "nothing was moved away")
        let bytes = try #require(device.files.peek(Self.file))
        #expect(Envelope.isClaimed(by: bytes) == after.isEncrypted)
    }

    @Test func damageIsNotSealedOnceMore() async throws {
        let key = ValueKey(
            "theme", of: Data.self, in: .appGroupFileSystem(identifier: "g", directory: .documents), security: .recommended,
            serializer: .data)
        let source = ValueKey("theme", of: Data.self, in: .fileSystem(directory: Self.folder), serializer: .data)
        try await device.router().set(Data("dark".utf8), for: key)
        var damaged = try #require(device.files.peek(Self.file))
        damaged[damaged.count - 1] ^= 1
        device.files.put(damaged, at: Self.file)
        #expect(await storageError { _ = try await device.router().get(key.replacing(source)) }?.code == .decryptionFailed)
        #expect(device.files.peek(Self.file) == damaged)
    }

    @Test func valuesThatAreMadeOfOthersAreRefused() async throws {
        try await device.router().set("dark", for: old())
        var key = new()
        let source = old()
        key.makeMigration = {
            AnyStorageMigration(TransformingMigration(destinationKey: $0, sourceKey: source) { $0.uppercased() })
        }
        let router = device.router()
        guard case .storage(let error)? = await migrationError({ try await router.forceMigration(for: key) }) else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .invalidKey)
        guard case .blocked? = try? await router.migrationPlan(for: key).state else {
            Issue.record("not planned so")
            return
        }
        #expect(device.files.peek(Self.file) == Data(#""dark""#.utf8))
    }

    /// Two names of one file that no path shows to be one.
    @Test func aHardLinkIsAnotherNameOfTheFile() async throws {
        let folder = try TemporaryFolder()
        var environment = device.environment
        environment.fileSystem = PosixFileSystem(
            roots: .init(
                documents: folder.path, caches: folder("caches"), applicationSupport: folder("support"), temporary: folder("tmp"),
                appGroup: { _ in nil }))
        let domain = StorageDomain.fileSystem(directory: .documents)
        let source = ValueKey("old", of: String.self, in: domain)
        let key = ValueKey("new", of: String.self, in: domain)
        let router = StorageRouter(environment: environment)
        try await router.set("dark", for: source)
        #expect(try !router.engines.stored.isOneFile(source, key))
        try FileManager.default.linkItem(atPath: folder("old"), toPath: folder("new"))
        #expect(try router.engines.stored.isOneFile(source, key))
        #expect(try await router.get(key.replacing(source)) == "dark")
        #expect(try folder.read("old") == Data(#""dark""#.utf8), "what is left under the old name is the value")
    }

    @Test func twoKeysOfOneFileAreNotRegistered() async throws {
        struct Catalog: StorageKeyCatalog {
            let keys: [AnyStorageKey]
            var allKeys: [AnyStorageKey] { keys }
        }
        let error = await storageError { try await device.router().registerCatalog(Catalog(keys: [.key(old()), .key(new())])) }
        #expect(error?.facts.contains { $0.contains("one file on this device") } == true, "\(error?.facts ?? [])")
        var other = new()
        other.name = "Theme"
        try await device.router().registerCatalog(Catalog(keys: [.key(old()), .key(other)]))
    }

    @Test(arguments: ["com.localdata.x", "Com.LocalData.x", "com.localdata.\u{301}x"])
    func namesOfLocalDatasOwnAreReserved(_ name: String) async throws {
        #expect(await storageError { try await device.router().set("x", for: ValueKey(name)) }?.code == .invalidKey)
    }

    @Test func aDirectoryIsNoValue() async throws {
        try device.files.createDirectory(at: "/app/Documents/theme")
        let key = ValueKey("theme", of: String.self, in: .documents)
        #expect(await storageError { _ = try await device.router().exists(key) }?.code == .inputOutput)
        #expect(await storageError { _ = try await device.router().get(key) }?.code == .inputOutput)
        #expect(try await !device.router().files.exists("theme", in: .documents))
        #expect(try await device.router().files.size(of: "theme", in: .documents) == nil)
    }

    @Test(arguments: ["/app/Library/Application Support/LocalData/\u{301}x", "/app/Library/Application Support/LocalData"])
    func noValueLiesAmongLocalDatasFiles(_ path: String) async throws {
        let key = ValueKey("theme", of: String.self, in: .fileSystem(directory: .custom(URL(fileURLWithPath: path, isDirectory: true))))
        #expect(await storageError { try await device.router().set("x", for: key) }?.code == .invalidKey)
    }
}
