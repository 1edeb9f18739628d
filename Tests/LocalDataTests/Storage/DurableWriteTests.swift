import Foundation
import Testing

@testable import LocalData

/// Crash, failure and power loss at every operation of `set` and `remove`: old or new, never a mix, never nothing.
@Suite struct DurableWriteTests {
    enum Interruption: Sendable, CaseIterable {
        case crash, failure
    }

    static let domains: [StorageDomain] = [
        .documents, .fileSystem(directory: .custom(URL(fileURLWithPath: "/new/deep"))),
        .appGroupFileSystem(identifier: "g", directory: .documents),
    ]

    private static func interrupted(
        _ domain: StorageDomain, by interruption: Interruption, startingWith old: String?,
        _ operation: (StorageRouter, ValueKey<String>) async throws -> Void, check: (String?, _ acknowledged: Bool) -> Void
    ) async throws {
        let key = ValueKey("value", of: String.self, in: domain)
        var number = 1
        while true {
            let device = TestDevice()
            if let old { try await device.router().set(old, for: key) }
            let before = device.files.operationCount
            device.files.plan =
                interruption == .crash ? .crash(before: before + number) : .fail(operation: before + number, errno: EIO)
            var acknowledged = true
            do { try await operation(device.router(), key) } catch { acknowledged = false }
            let wasReached = device.files.operationCount >= before + number
            device.files.plan = .none

            let survivors = [
                device, device.afterPowerLoss(keepingPending: false), device.afterPowerLoss(keepingPending: true),
            ]
            for survivor in survivors {
                let router = survivor.router()
                var value: String?
                do { value = try await router.get(key) } catch let error as StorageError where error.code == .notFound {}
                check(value, acknowledged)
                // Nothing is left behind beside the value, and the next write works.
                let noted = "/LocalData/" + TemporaryFile.prefix
                #expect(survivor.files.paths.allSatisfy { !$0.contains(TemporaryFile.prefix) || $0.contains(noted) })
                try await router.set("next", for: key)
                #expect(try await router.get(key) == "next")
                // Nor in LocalData's own folder, where the place is noted before the value is stored.
                #expect(survivor.files.paths.allSatisfy { !$0.contains(TemporaryFile.prefix) })
                // Also where the crash came between making a directory and making it durable.
                if survivor === device { #expect(try await device.afterPowerLoss().router().get(key) == "next") }
            }
            guard wasReached else { break }
            number += 1
        }
        // Six steps of writing, or two of removing, and the looking around before.
        #expect(number > 3)
    }

    @Test(arguments: domains, Interruption.allCases) func setLeavesOldOrNew(_ domain: StorageDomain, _ interruption: Interruption)
        async throws
    {
        try await Self.interrupted(domain, by: interruption, startingWith: "old") {
            try await $0.set("new", for: $1)
        } check: { value, acknowledged in
            #expect(value == "new" || (!acknowledged && value == "old"), "\(value ?? "nothing")")
        }
    }

    @Test(arguments: domains, Interruption.allCases) func theFirstSetLeavesNothingOrNew(
        _ domain: StorageDomain, _ interruption: Interruption
    ) async throws {
        try await Self.interrupted(domain, by: interruption, startingWith: nil) {
            try await $0.set("new", for: $1)
        } check: { value, acknowledged in
            #expect(value == "new" || (!acknowledged && value == nil), "\(value ?? "nothing")")
        }
    }

    @Test(arguments: domains, Interruption.allCases) func removeLeavesOldOrNothing(_ domain: StorageDomain, _ interruption: Interruption)
        async throws
    {
        try await Self.interrupted(domain, by: interruption, startingWith: "old") {
            try await $0.remove($1)
        } check: { value, acknowledged in
            #expect(value == nil || (!acknowledged && value == "old"), "\(value ?? "nothing")")
        }
    }

    @Test func aFullDiskKeepsTheOldValueAndNoLitter() async throws {
        let device = TestDevice()
        let router = device.router()
        let key = ValueKey("value", of: String.self, in: .documents)
        try await router.set("old", for: key)
        device.files.plan = .fail(operation: device.files.operationCount + 2, errno: ENOSPC)
        let error = await storageError { try await router.set("new", for: key) }
        #expect(error?.code == .noSpace)
        #expect(error?.key == "value")
        #expect(error?.operation == "set")
        #expect(error?.facts == ["errno \(ENOSPC) (ENOSPC) at write"])
        #expect(try await router.get(key) == "old")
        #expect(device.files.paths == ["/app/Documents/value"])
    }

    /// A removal whose last step failed is made durable by trying again, although the file is gone already.
    @Test func aRepeatedRemovalIsDurable() async throws {
        let device = TestDevice()
        let router = device.router()
        let key = ValueKey("value", of: String.self, in: .documents)
        try await router.set("old", for: key)
        device.files.plan = .fail(operation: device.files.operationCount + 2, errno: EIO)
        #expect(await storageError { try await router.remove(key) }?.code == .inputOutput)
        try await router.remove(key)
        #expect(device.afterPowerLoss().files.paths == [])
    }
}
