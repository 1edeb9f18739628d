import Foundation
import Testing

@testable import LocalData

/// Crash, failure and power loss at every operation of a migration: the value is always readable, and running again converges.
@Suite struct MigrationCrashTests {
    static let pairs: [(ValueKey<String>, ValueKey<String>)] = [
        (ValueKey("old", in: .fileSystem(directory: .caches)), ValueKey("new", in: .documents)),
        (ValueKey("old", in: .documents), ValueKey("new", in: .fileSystem(directory: .custom(URL(fileURLWithPath: "/made/for/it"))))),
        (ValueKey("old"), ValueKey("new", in: .documents)),
        (ValueKey("old", in: .documents), ValueKey("new", in: .keychain(service: nil))),
        (ValueKey("old", in: .documents), ValueKey("new")),
    ]

    @Test(arguments: pairs, [true, false]) func theValueIsAlwaysReadable(_ keys: (ValueKey<String>, ValueKey<String>), _ isCrash: Bool)
        async throws
    {
        let old = keys.0
        let new = keys.1.replacing(old)
        var number = 1
        while true {
            let device = TestDevice()
            try await device.router().set("value", for: old)
            let before = device.files.operationCount
            device.files.plan = isCrash ? .crash(before: before + number) : .fail(operation: before + number, errno: EIO)
            _ = try? await device.router().forceMigration(for: new)
            let wasReached = device.files.operationCount >= before + number
            device.files.plan = .none

            for survivor in [device.afterPowerLoss(), device.afterPowerLoss(keepingPending: true), device] {
                let router = survivor.router()
                #expect(try await router.get(new) == "value", "before operation \(number)")
                #expect(try await router.forceMigration(for: new).success)
                // Into preferences the source goes with a later process.
                let later = survivor.router()
                #expect(try await later.forceMigration(for: new).success)
                #expect(try await later.exists(old) == false)
                #expect(try await later.get(new) == "value")
                #expect(try await later.forceMigration(for: new).migratedCount == 0)
            }
            guard wasReached else { break }
            number += 1
        }
        #expect(number > 3)
    }

    /// What was set after a crash between copy and deletion must not be lost to the rerun.
    @Test func aValueSetAfterACrashSurvivesTheRerun() async throws {
        let old = ValueKey("old", of: String.self, in: .fileSystem(directory: .caches))
        let new = ValueKey("new", of: String.self, in: .documents).replacing(old)
        let device = TestDevice()
        let router = device.router()
        try await router.set("legacy", for: old)
        device.files.observe { operation, path in if operation == "unlink", path.hasSuffix("/old") { device.files.plan = .crash(before: 1) }
        }
        _ = try? await router.forceMigration(for: new)
        device.files.observe(nil)
        device.files.plan = .none
        #expect(device.files.peek("/app/Library/Caches/old") != nil)
        let relaunched = device.router()
        try await relaunched.set("newer", for: new)
        #expect(try await relaunched.forceMigration(for: new).success)
        #expect(try await relaunched.get(new) == "newer")
        #expect(device.files.appPaths == ["/app/Documents/new"])
    }

    /// A source that cannot be deleted does not hide the value, and is reported.
    @Test func aSourceThatStaysIsReported() async throws {
        let old = ValueKey("old", of: String.self, in: .fileSystem(directory: .caches))
        let new = ValueKey("new", of: String.self, in: .documents).replacing(old)
        let device = TestDevice()
        let router = device.router()
        try await router.set("value", for: old)
        device.files.observe { operation, path in
            if operation == "unlink" { device.files.plan = .fail(operation: device.files.operationCount + 1, errno: EACCES) }
        }
        let error = await migrationError { try await router.forceMigration(for: new) }
        device.files.observe(nil)
        #expect(error?.summary == "storage accessDenied")
        #expect(try await router.get(new) == "value")
        #expect(try await router.forceMigration(for: new).success)
    }
}
