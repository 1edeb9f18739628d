import Foundation
import Testing

@testable import LocalData

/// A prewarmed process may have empty preferences, which nobody tells it.
@Suite struct BelievableDefaultsTests {
    private struct Catalog: StorageKeyCatalog {
        let allKeys: [AnyStorageKey] = [.key(BelievableDefaultsTests.theme)]
    }

    private static let theme = ValueKey("theme", of: String.self)
    private let device = TestDevice()

    init() { device.description.bootIdentifier = "boot 1" }

    /// A process that sees `defaults`.
    private func router(_ defaults: MemoryDefaults, prewarmed: Bool, registers: Bool = true) async throws -> StorageRouter {
        device.description.wasPrewarmed = prewarmed
        var environment = device.environment
        environment.defaults = defaults
        let router = StorageRouter(environment: environment)
        if registers { try await router.registerCatalog(Catalog()) }
        return router
    }

    private func refusal(_ router: StorageRouter) async -> StorageError.Code? {
        await storageError { _ = try await router.get(Self.theme) }?.code
    }

    @Test func emptyOnesAreRefused() async throws {
        try await router(device.defaults, prewarmed: false).set("dark", for: Self.theme)
        #expect(device.defaults.peek(BelievableDefaults.witness) == .integer(1))
        let empty = MemoryDefaults()
        let blind = try await router(empty, prewarmed: true)
        #expect(await refusal(blind) == .lockedBeforeFirstUnlock)
        #expect(await storageError { try await blind.set("light", for: Self.theme) }?.code == .lockedBeforeFirstUnlock)
        #expect(await storageError { try await blind.remove(Self.theme) }?.code == .lockedBeforeFirstUnlock)
        #expect(empty.changeCount == 0)
        // The audit says that it cannot look, rather than that nothing is there.
        #expect(await blind.auditReport().text.contains("lockedBeforeFirstUnlock"))
    }

    /// Only a use that is more than a look leaves the file by which the next process is sure.
    @Test func aLookLeavesNothing() async throws {
        // Registering notes places, which is more than a look.
        let blind = try await router(device.defaults, prewarmed: true, registers: false)
        #expect(await blind.auditReport().text.contains("lockedBeforeFirstUnlock"))
        #expect(device.files.paths == [])
        #expect(await refusal(blind) == .lockedBeforeFirstUnlock)
        #expect(await refusal(try await router(device.defaults, prewarmed: true)) == .notFound)
    }

    @Test func thoseWithTheWitnessAreRead() async throws {
        try await router(device.defaults, prewarmed: false).set("dark", for: Self.theme)
        let seeing = try await router(device.defaults, prewarmed: true)
        #expect(try await seeing.get(Self.theme) == "dark")
        #expect(device.files.peek("/app/Library/Application Support/LocalData/\(BelievableDefaults.unlockFile)") == nil)
    }

    /// Without the witness, as in an app that never had it, the doubt ends with the next launch.
    @Test func theNextProcessOfTheSameBootIsSure() async throws {
        device.defaults.put(.string("dark"), forKey: "theme")
        #expect(await refusal(try await router(device.defaults, prewarmed: true)) == .lockedBeforeFirstUnlock)
        #expect(try await router(device.defaults, prewarmed: true).get(Self.theme) == "dark")
        #expect(device.defaults.peek(BelievableDefaults.witness) == .integer(1))
    }

    @Test func whatAnotherBootSawProvesNothing() async throws {
        #expect(await refusal(try await router(device.defaults, prewarmed: true)) == .lockedBeforeFirstUnlock)
        device.description.bootIdentifier = "boot 2"
        #expect(await refusal(try await router(device.defaults, prewarmed: true)) == .lockedBeforeFirstUnlock)
        #expect(await refusal(try await router(device.defaults, prewarmed: true)) == .notFound)
    }

    @Test func aDamagedFileProvesNothing() async throws {
        let path = "/app/Library/Application Support/LocalData/\(BelievableDefaults.unlockFile)"
        for bytes in [Data(), Data("{}".utf8), Data("{\"boot\":\"boot 1\",\"version\":2}".utf8)] {
            device.files.put(bytes, at: path)
            #expect(await refusal(try await router(device.defaults, prewarmed: true)) == .lockedBeforeFirstUnlock)
        }
    }

    @Test func withoutPrewarmingNothingIsLeft() async throws {
        device.description.bootIdentifier = nil
        try await router(device.defaults, prewarmed: false).set("dark", for: Self.theme)
        #expect(device.defaults.peek(BelievableDefaults.witness) == nil)
        #expect(device.files.paths.isEmpty)
    }
}
