import Foundation
import Testing

@testable import LocalData

@Suite struct MigrationSweepTests {
    private let device = TestDevice()

    private static func key(_ name: String) -> ValueKey<String> {
        ValueKey(name, of: String.self, in: .documents).replacing(ValueKey("old \(name)", of: String.self))
    }

    @Test func allKeysAreMigratedInTheOrderOfTheirNames() async throws {
        let router = device.router()
        for name in ["b", "a", "c"] { try await router.set(name, for: ValueKey("old \(name)")) }
        let keys: [AnyStorageKey] = [.key(Self.key("c")), .key(Self.key("a")), .key(ValueKey("plain", of: Int.self)), .key(Self.key("b"))]
        let outcomes = try await router.sweepMigrations(of: keys)
        #expect(outcomes.map(\.summary) == ["a: migrated 1", "b: migrated 1", "c: migrated 1"])
        guard case .migrated(let result)? = outcomes.first?.result else { return #expect(Bool(false)) }
        #expect(result.metadata == ["source": "old a", "sourceDomain": "userDefaults"])
        for name in ["a", "b", "c"] { #expect(try await router.get(Self.key(name)) == name) }
        #expect(try await router.sweepMigrations(of: keys).map(\.summary) == ["a: nothing to do", "b: nothing to do", "c: nothing to do"])
    }

    @Test func oneFailureDoesNotKeepTheOthers() async throws {
        let router = device.router()
        let damaged = ValueKey("damaged", of: String.self, in: .documents).replacing(
            ValueKey("sealed", of: String.self, in: .documents, security: .recommended))
        device.files.put(Data([1]), at: "/app/Documents/sealed")
        try await router.set("value", for: ValueKey("old z"))
        let outcomes = try await router.sweepMigrations(of: [.key(damaged), .key(Self.key("z"))])
        #expect(outcomes.map(\.summary) == ["damaged: failed storage corrupt", "z: migrated 1"])
        #expect(try await router.get(Self.key("z")) == "value")
    }

    @Test func keysOfOtherDevicesAreLeftOut() async throws {
        var key = Self.key("w")
        key.availability = .watchOnly
        #expect(try await device.router().sweepMigrations(of: [.key(key)]).isEmpty)
    }

    @Test func aSweepOnALockedDeviceIsDeferredAndFinishedLater() async throws {
        let source = ValueKey(
            "token", of: String.self, in: .keychain(service: "old"), security: .keychain(accessibility: .whenUnlocked, accessControl: nil))
        let key = ValueKey(
            "token", of: String.self, in: .keychain(service: "new"),
            security: .keychain(accessibility: .afterFirstUnlock, accessControl: nil)
        )
        .replacing(source)
        let router = device.router()
        try await router.set("secret", for: source)
        device.lockState = .locked
        let deferred = try await router.sweepMigrations(of: [.key(key)])
        #expect(deferred.map(\.summary) == ["token: deferred locked"])
        #expect("\(deferred)".contains("secret") == false)
        device.lockState = .unlocked
        #expect(try await router.sweepMigrations(of: [.key(key)]).map(\.summary) == ["token: migrated 1"])
        #expect(device.keychain.peek("token", service: "new")?.accessibility == .afterFirstUnlock)
        #expect(device.keychain.peek("token", service: "old") == nil)
    }

    @Test func aKeyWithoutAMigrationIsASuccess() async throws {
        let result = try await device.router().forceMigration(for: ValueKey("plain", of: Int.self))
        #expect(result.success)
        #expect(result.migratedCount == 0)
    }
}
