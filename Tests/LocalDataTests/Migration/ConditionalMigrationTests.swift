import Foundation
import Testing

@testable import LocalData

@Suite struct ConditionalMigrationTests {
    private let device = TestDevice()
    private let legacy = ValueKey("old", of: String.self)

    private func key(when condition: MigrationCondition) -> ValueKey<String> {
        ValueKey("new", of: String.self, in: .documents) { [legacy] key in
            AnyStorageMigration(
                ConditionalMigration(when: condition, SimpleLegacyMigration(destinationKey: key, sourceKey: .key(legacy))))
        }
    }

    private static func context(app: String = "2.1.0", system: String = "17.4.1") -> MigrationContext {
        MigrationContext(
            appVersion: app, deviceInfo: DeviceInfo(model: "iPhone17,1", family: "iPhone"),
            systemInfo: SystemInfo(name: "iOS", version: system), date: Date(timeIntervalSinceReferenceDate: 0))
    }

    @Test(arguments: [
        ("2.0", "2.0", true), ("2", "2.0.0", true), ("2.10", "2.9", true), ("2.0-beta", "2.0", true), ("1.9.9", "2.0", false),
        ("", "2.0", false), ("two", "2.0", false), ("2.0", "", false), ("10 (3)", "9.9", true),
        // As of the day and minute of a build; and beyond what 64 bits hold.
        ("1.202611241700.1", "1.202611241700.2", false), ("1.202611241700.2", "1.202611241700.1", true),
        ("1.99999999999999999999.2", "1.99999999999999999999.1", true), ("1.99999999999999999999", "1.2", true),
    ]) func versionsAreComparedNumberByNumber(_ running: String, _ limit: String, _ isMet: Bool) {
        let context = Self.context(app: running)
        #expect(MigrationCondition.appVersion(atLeast: limit).isMet(in: context) == isMet)
        if VersionNumber(running) != nil, VersionNumber(limit) != nil {
            #expect(MigrationCondition.appVersion(below: limit).isMet(in: context) == !isMet)
        }
    }

    @Test func conditionsOfDeviceAndSystem() {
        let context = Self.context()
        #expect(MigrationCondition.deviceFamily("iPhone").isMet(in: context))
        #expect(!MigrationCondition.deviceFamily("Apple Watch").isMet(in: context))
        #expect(MigrationCondition.system("iOS", atLeast: "17").isMet(in: context))
        #expect(!MigrationCondition.system("iOS", atLeast: "18").isMet(in: context))
        #expect(!MigrationCondition.system("watchOS", atLeast: "10").isMet(in: context))
        let both = MigrationCondition.deviceFamily("iPhone") && .appVersion(atLeast: "3.0")
        #expect(!both.isMet(in: context))
        #expect((both || .appVersion(below: "3.0")).isMet(in: context))
        #expect("\(both || .appVersion(below: "3.0"))" == "(device family iPhone and app version 3.0 or later or app version below 3.0)")
    }

    @Test func whereItDoesNotHoldTheKeyHasNoMigration() async throws {
        let key = key(when: .appVersion(atLeast: "2.0"))
        let router = device.router()
        try await router.set("value", for: legacy)
        #expect(await storageError { _ = try await router.get(key) }?.code == .notFound)
        #expect(try await router.forceMigration(for: key).migratedCount == 0)
        #expect(device.defaults.peek("old") == .string("value"))
        device.description.appVersion = "2.0"
        #expect(try await device.router().get(key) == "value")
        #expect(device.defaults.peek("old") == nil)
    }

    @Test func aPredicateOfOnesOwn() async throws {
        let key = key(
            when: MigrationCondition("after the turn of the year") { $0.date > Date(timeIntervalSinceReferenceDate: 700_000_000) })
        try await device.router().set("value", for: legacy)
        #expect(try await device.router().migrationPlan(for: key).description == "new from old: waiting for after the turn of the year")
        device.clock.now += 1
        #expect(try await device.router().get(key) == "value")
    }

    /// Removing must neither delete a value that is not this key's yet, nor let it come back later.
    @Test func aRemovalWhereItDoesNotHoldIsRememberedAndClearsNothing() async throws {
        let key = key(when: .appVersion(atLeast: "2.0"))
        try await device.router().set("value", for: legacy)
        try await device.router().remove(key)
        #expect(device.defaults.peek("old") == .string("value"))
        device.description.appVersion = "2.0"
        let router = device.router()
        #expect(await storageError { _ = try await router.get(key) }?.code == .notFound)
        #expect("\(try await router.migrationPlan(for: key).state)" == "removed")
        #expect(try await router.forceMigration(for: key).migratedCount == 0)
        #expect(await storageError { _ = try await router.get(key) }?.code == .notFound)
        #expect(device.defaults.peek("old") == .string("value"))
        try await router.remove(key)
        #expect(device.defaults.peek("old") == nil)
    }

    /// Once the key has a value again, what the removal left is older than that, and goes when the migration is asked for.
    @Test func whatARemovalLeftGoesOnceThereIsAValueAgain() async throws {
        let key = key(when: .appVersion(atLeast: "2.0"))
        try await device.router().set("value", for: legacy)
        try await device.router().remove(key)
        device.description.appVersion = "2.0"
        let router = device.router()
        try await router.set("new", for: key)
        try await router.forceMigration(for: key)
        #expect(device.defaults.peek("old") == nil)
        #expect(try await router.get(key) == "new")
    }

    @Test func aRemovalWhereItHoldsClearsTheSource() async throws {
        let key = key(when: .appVersion(atLeast: "1.0"))
        try await device.router().set("value", for: legacy)
        try await device.router().remove(key)
        #expect(device.defaults.peek("old") == nil)
    }
}
