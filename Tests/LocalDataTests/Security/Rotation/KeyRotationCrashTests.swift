import Foundation
import Testing

@testable import LocalData

/// The app's process dies, or the power fails, before the n-th writing operation of a rotation, for every n, and again during the recovery.
@Suite struct KeyRotationCrashTests {
    private func process(_ test: RotationDevice, _ crash: CrashPoint) async throws -> StorageRouter {
        let router = StorageRouter(environment: test.device.environment(cutAt: crash))
        try await router.registerCatalog(ListedKeys(allKeys: test.keys.map { .key($0) }))
        return router
    }

    @Test func everyValueIsReadableAtEveryMomentAndTheRotationConverges() async throws {
        let domains = RotationDevice.domains.filter { !$0.kind.hasPrefix("appGroup") }
        var points = 0
        for first in 1... {
            let test = RotationDevice(domains: domains)
            _ = try await test.filled()
            let crash = CrashPoint()
            let router = try await process(test, crash)
            crash.arm(before: first)
            _ = try? await router.rotateKeys(retiringOldKeys: true)
            let isDone = crash.operations < first

            for survivor in [test.device, test.device.afterPowerLoss(), test.device.afterPowerLoss(keepingPending: true)] {
                points += 1
                let rest = RotationDevice(survivor, domains: domains)
                let crash = CrashPoint()
                try await rest.expectAllReadable(try await process(rest, crash), "before operation \(first)")
                // A second crash, at a point that moves along with the first.
                let again = try await process(rest, crash)
                crash.arm(before: first % 7 + 1)
                _ = try? await again.rotateKeys(retiringOldKeys: true)
                crash.arm(before: nil)
                try await rest.expectAllReadable(try await process(rest, crash), "before operation \(first), then \(first % 7 + 1)")

                let last = try await process(rest, crash)
                let wasRotating = try rest.ring.isRotating()
                let report = try await last.rotateKeys(retiringOldKeys: true)
                #expect(report.isComplete)
                #expect(report.isNew != wasRotating)
                #expect(report.retirement?.kept.allSatisfy { $0.needs == [.unsettledPreferences] } == true)
                #expect(try await !process(rest, crash).retireUnneededKeys().retired.isEmpty)
                #expect(try rest.keyIDs == [try #require(report.primary)], "no key in vain, before operation \(first)")
                try await rest.expectAllReadable(last)

                crash.arm(before: nil)
                #expect(try await last.resealValues().allSatisfy { $0.summary.hasSuffix(": current") })
                #expect(try await last.retireUnneededKeys().retired == [])
                #expect(crash.operations == 0, "a second recovery writes nothing")
            }
            if isDone { break }
        }
        #expect(points > 3 * 20)
    }

    /// A crash between the new key and the pointer leaves a key that the next rotation adopts.
    @Test func aKeyThatNobodyMadePrimaryIsAdopted() async throws {
        let test = RotationDevice(domains: [.documents])
        let router = try await test.filled()
        test.device.keychain.fail("update", with: .inputOutput)
        #expect(await storageError { try await router.rotateKeys() }?.code == .inputOutput)
        test.device.keychain.fail("update", with: nil)
        let left = try test.keyIDs
        #expect(left.count == 2)
        let report = try await test.router().rotateKeys()
        #expect(try test.keyIDs == left)
        #expect(report.isNew)
    }
}
