import Foundation
import Testing

@testable import LocalData

/// A rotation among other operations on the same keys, under many orders of their tasks.
@Suite struct KeyRotationConcurrencyTests {
    static let domains: [StorageDomain] = [.userDefaults(suite: nil), .documents, .keychain(service: nil)]

    private struct Work: Sendable {
        var key: String?
        var value: String?
        let body: @Sendable () async throws -> Void

        init(setting key: String? = nil, to value: String? = nil, _ body: @escaping @Sendable () async throws -> Void) {
            self.key = key
            self.value = value
            self.body = body
        }
    }

    @Test(arguments: 0..<24) func whatIsAcknowledgedIsThereAfterwards(_ seed: Int) async throws {
        let test = RotationDevice(domains: Self.domains)
        let router = try await test.filled()
        let executor = ManualExecutor()
        var work: [Work] = []
        for index in 0..<4 {
            work.append(Work { _ = try await router.rotateKeys(retiringOldKeys: (seed + index) % 3 == 0) })
            for key in test.keys {
                let value = "\(key.name) \(index)"
                work.append(Work(setting: key.name, to: value) { try await router.set(value, for: key) })
                // It was never removed, so nothing but a value is right.
                work.append(
                    Work {
                        let found = try await router.get(key)
                        #expect(found.hasPrefix(key.name))
                    })
                if index % 2 == 0 { work.append(Work { _ = try await router.resealValues() }) }
            }
        }
        var generator = TestGenerator(seed: UInt64(seed))
        work.shuffle(using: &generator)
        let tasks = work.map { executor.start($0.body) }
        executor.drain()
        for task in tasks { try await task.value }
        let report = try await router.rotateKeys(retiringOldKeys: true)
        #expect(report.isComplete)
        #expect(try await !test.router().retireUnneededKeys().retired.isEmpty)
        #expect(try test.keyIDs == [try #require(report.primary)])
        // Turns are given in the order of asking: what was set last is there, and no rotation put an earlier value back.
        for key in test.keys {
            let last = work.last { $0.key == key.name }?.value
            #expect(try await test.device.router().get(key) == last)
        }
        #expect(router.engines.turns.access.locationsInUse == 0)
    }

    @Test func aRemovedValueStaysRemoved() async throws {
        let test = RotationDevice(domains: Self.domains)
        let router = try await test.filled()
        let executor = ManualExecutor()
        let rotation = executor.start { try await router.rotateKeys() }
        let removals = test.keys.map { key in executor.start { try await router.remove(key) } }
        executor.drain()
        _ = try await rotation.value
        for removal in removals { try await removal.value }
        for key in test.keys { #expect(try await router.exists(key) == false) }
    }

    /// A value that waits for its turn, such as one whose migration asks somebody, holds up the sweep and nobody else.
    @Test func othersDoNotWaitForTheSweep() async throws {
        let test = RotationDevice(domains: [.documents, .keychain(service: nil)])
        let router = try await test.filled()
        let executor = ManualExecutor()
        let barrier = Barrier()
        let location = try router.engines.stored.location(of: test.keys[0])
        let holder = executor.start { try await router.engines.turns.run(at: location) { await barrier.pass() } }
        executor.drain()
        let rotation = executor.start { try await router.rotateKeys() }
        let other = executor.start { try await router.set("next", for: test.keys[1]) }
        executor.drain()
        try await other.value
        #expect(try await router.seal(of: test.keys[1]) == test.ring.primary()?.id)
        barrier.open()
        executor.drain()
        try await holder.value
        #expect(try await rotation.value.isComplete)
    }
}
