import DeviceSim
import LocalData
import Testing

@testable import SamplePhone

/// The sample shows all of LocalData: a case that the library gets, and the sample does not use, fails here.
@Suite struct CompletenessTests {
    /// What the catalogs of the running app declare.
    private static func registeredKeys() throws -> (keys: [AnyStorageKey], descriptors: [StorageKeyDescriptor]) {
        var options = SimulationOptions()
        options.makeApp = { $0.isPhone ? PhoneApp() : WatchApp() }
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        return try simulation.run(on: simulation.phone) {
            (StorageRouter.shared.registeredKeys(), StorageRouter.shared.registeredDescriptors())
        }
    }

    /// Domains, policies, ciphers, derivations, directories, accessibilities, access controls, availabilities: all that a key can declare.
    @Test func everyCaseThatAKeyCanDeclareIsUsed() throws {
        var declared = try EnumCases.of("Sources/LocalData/Keys")
        for (name, cases) in try EnumCases.of("Sources/LocalData/Environment/KeychainStore.swift") where name.hasPrefix("KeychainAcc") {
            declared[name] = cases
        }
        declared["StorageKeys"] = nil
        #expect(
            declared.keys.sorted() == [
                "EncryptionPolicy", "FileDirectory", "KeyDerivation", "KeychainAccessControl", "KeychainAccessibility", "MissingKeyPolicy",
                "PlatformAvailability", "SecurityPolicy", "StorageDomain", "SyncPolicy",
            ])
        #expect(declared["KeychainAccessibility"] == Set(KeychainAccessibility.allCases.map(\.rawValue)))

        var used = UsedCases()
        for key in try Self.registeredKeys().descriptors {
            used.note(key.domain)
            used.note(key.security)
            used.note(key.availability)
            used.note(key.syncPolicy)
            used.note(key.missingKeyPolicy)
        }
        for (name, cases) in declared.sorted(by: { $0.key < $1.key }) {
            let missing = cases.subtracting(used.cases[name] ?? [])
            #expect(missing.isEmpty, "SecureStorageSample has no key with \(name).\(missing.sorted().joined(separator: ", "))")
        }
    }

    @Test func everyKindOfMigrationAndSerializerIsUsed() throws {
        let (keys, descriptors) = try Self.registeredKeys()
        var migrations: Set<String> = []
        for case let migration? in keys.map(\.migration) {
            let name = String(describing: type(of: migration.base))
            // Such as `ConditionalMigration<SimpleLegacyMigration<GoalKey>>`.
            migrations.formUnion(name.matches(of: /\w+Migration\b/).map { String($0.output) })
        }
        let kinds = try EnumCases.texts(of: "Sources/LocalData/Migration").flatMap { text in
            text.matches(of: /public struct (\w+)<[^>]*>: StorageMigration/).map { String($0.1) }
        }
        #expect(kinds.count == 4)
        #expect(migrations.isSuperset(of: kinds), "of \(kinds), the sample has \(migrations.sorted())")
        #expect(migrations.contains("RemindersMigration"), "a migration of the app's own")

        let serializers = try EnumCases.texts(of: "Sources/LocalData/Serialization/Serializer.swift").flatMap { text in
            text.matches(of: /public static var (\w+): Serializer/).map { String($0.1) }
        }
        #expect(Set(descriptors.map(\.serializer)) == Set(serializers + ["csv"]))
    }

    /// What else a key may say: each is said by one.
    @Test func everyPropertyOfAKeyIsUsed() throws {
        let (keys, descriptors) = try Self.registeredKeys()
        #expect(keys.contains { !$0.formerSecurity.isEmpty })
        #expect(keys.contains { $0.accessGroup != nil })
        #expect(keys.contains { $0.schemaVersion > 1 })
        #expect(keys.contains { $0.base is any WatchRepresentable })
        #expect(descriptors.contains { $0.isPlaceholder })
    }
}
