import DeviceSim
import Foundation
import LocalData
import Testing

/// Concurrent operations on one key look as if they had come one after the other.
///
/// `LOCALDATA_SEEDS=5000 swift test --filter RouterLinearizabilityTests` tries so many orders of ready jobs for each place and policy.
@Suite struct RouterLinearizabilityTests {
    static let seeds = ProcessInfo.processInfo.environment["LOCALDATA_SEEDS"].flatMap { Int($0) } ?? 50

    static let keys: [MeetingKey] = [
        key(.userDefaults(suite: nil), .none, from: .fileSystem(directory: .documents)),
        key(.userDefaults(suite: "other"), .recommended, from: .userDefaults(suite: nil)),
        key(.appGroupUserDefaults(identifier: "group.example"), .none, from: .keychain(service: nil)),
        key(.keychain(service: nil), .keychain(accessibility: .afterFirstUnlock, accessControl: nil), from: .userDefaults(suite: nil)),
        key(.keychain(service: "s"), .encrypted(.aes256(keyDerivation: .hkdf())), from: .fileSystem(directory: .caches)),
        key(.fileSystem(directory: .documents), .none, from: .userDefaults(suite: nil)),
        key(
            .fileSystem(directory: .documents), .encrypted(.external(source: KeyMaterialSource(id: "trial"), keyDerivation: .hkdf())),
            from: .keychain(service: nil)),
        key(.encryptedFileSystem(directory: .documents), .recommended, from: .userDefaults(suite: nil)),
        key(
            .encryptedFileSystem(directory: .caches), .encrypted(.aes256(keyDerivation: .pbkdf2(iterations: 1_000))),
            from: .fileSystem(directory: .documents)),
        key(.appGroupFileSystem(identifier: "group.example", directory: .documents), .recommended, from: .userDefaults(suite: "old")),
    ]

    private static func key(_ domain: StorageDomain, _ security: SecurityPolicy, from legacy: StorageDomain) -> MeetingKey {
        MeetingKey(domain: domain, security: security, legacy: legacy)
    }

    @Test(arguments: keys)
    func historiesAreLinearizable(_ key: MeetingKey) throws {
        var overlaps = 0
        for seed in 1...UInt64(Self.seeds) {
            let trial = ConcurrencyTrial(seed: seed, key: key, startsWithLegacy: seed % 4 != 0)
            let outcome = try trial.run { RouterRegister(key: $0) }
            #expect(outcome.verdict.isLinearizable, "seed \(seed): \(outcome.verdict)\n\(outcome.history)")
            #expect(!outcome.history.operations.contains { $0.outcome?.answer == .failed }, "seed \(seed)\n\(outcome.history)")
            overlaps += outcome.overlaps
        }
        #expect(overlaps > 10 * Self.seeds)
    }

    enum Specimen: CaseIterable {
        case withoutTurns, staleCache

        func register(_ key: MeetingKey) -> any RegisterUnderTest {
            switch self {
            case .withoutTurns: TurnlessRegister(key: key)
            case .staleCache: CachedRegister(key: key)
            }
        }
    }

    /// The same trials find what is wrong with code that is wrong.
    @Test(arguments: Specimen.allCases)
    func badSpecimensAreCaught(_ specimen: Specimen) throws {
        let key = Self.key(.encryptedFileSystem(directory: .documents), .recommended, from: .userDefaults(suite: nil))
        let caught = try (1...UInt64(160)).count { seed in
            let outcome = try ConcurrencyTrial(seed: seed, key: key).run { specimen.register($0) }
            if case .notLinearizable = outcome.verdict { return true }
            return false
        }
        #expect(caught >= 3, "\(caught) of 160 seeds")
    }

    /// While an operation on one key waits for something that does not come, those on others end.
    @Test(arguments: keys)
    func operationsOnDifferentKeysDoNotWaitForEachOther(_ key: MeetingKey) throws {
        let simulation = Simulation()
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        let gate = TrialGate()
        let held = HeldKey(domain: key.domain, security: key.security, gate: gate)
        try simulation.run(on: simulation.phone) {
            await EncryptionHelper.shared.registerKeyMaterialProvider(TrialKeyMaterial(), for: KeyMaterialSource(id: "trial"))
        }
        let waiting = try simulation.phone.start("held") { try? await StorageRouter.shared.get(held) }
        try simulation.runReady()
        #expect(gate.isWaitedFor && !waiting.isFinished)

        let value = try simulation.run(on: simulation.phone) {
            if let source = key.source { try await StorageRouter.shared.set(1, for: source) }
            let first = try await StorageRouter.shared.get(key)
            try await StorageRouter.shared.set(first + 1, for: key)
            return try await StorageRouter.shared.get(key)
        }
        #expect(value == 2)
        #expect(!waiting.isFinished)
        gate.open()
        try simulation.finish(waiting)
    }
}

/// A key whose migration waits for the test.
private struct HeldKey: StorageKey {
    typealias Value = Int

    let name = "held"
    let domain: StorageDomain
    let security: SecurityPolicy
    let owner = "Tests"
    let gate: TrialGate

    var migration: AnyStorageMigration? { AnyStorageMigration(HeldMigration(destinationKey: self)) }
}

private struct HeldMigration: StorageMigration {
    let destinationKey: HeldKey

    func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool { true }

    func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        await destinationKey.gate.wait()
        return MigrationResult(success: true)
    }
}

/// Holds a task up until the test opens it.
private final class TrialGate: @unchecked Sendable {
    // Confined to the simulation's thread.
    private var continuation: CheckedContinuation<Void, Never>?

    var isWaitedFor: Bool { continuation != nil }

    func wait() async { await withCheckedContinuation { continuation = $0 } }

    func open() { continuation?.resume() }
}
