import Foundation
import Testing

@testable import LocalData

@Suite struct TransformingMigrationTests {
    private let device = TestDevice()
    private let legacy = ValueKey("age", of: String.self)

    struct NoNumber: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }

    private var key: ValueKey<Int> {
        ValueKey("years", of: Int.self, in: .documents) { [legacy] key in
            AnyStorageMigration(
                TransformingMigration(destinationKey: key, sourceKey: legacy) { text in
                    guard let number = Int(text) else { throw NoNumber(text: text) }
                    return number
                })
        }
    }

    @Test func theValueBecomesOneOfAnotherType() async throws {
        let router = device.router()
        try await router.set("36", for: legacy)
        #expect(try await router.get(key) == 36)
        #expect(device.defaults.peek("age") == nil)
        #expect(try await router.forceMigration(for: key).migratedCount == 0)
    }

    @Test func aFailureLosesNothingAndTellsNoValue() async throws {
        let router = device.router()
        try await router.set("thirty-six", for: legacy)
        let error = await migrationError { try await router.forceMigration(for: key) }
        #expect(error?.summary == "transformFailed")
        #expect(error?.description.contains("NoNumber") == true)
        #expect(error?.description.contains("thirty") == false)
        let readError = await storageError { _ = try await router.get(key) }
        #expect(readError?.code == .wrongType)
        #expect(readError?.description.contains("thirty") == false)
        #expect(device.defaults.peek("age") == .string("thirty-six"))
        #expect(device.files.paths == [])
        // The next version of the app, or the person, puts it right.
        try await router.set("36", for: legacy)
        #expect(try await router.get(key) == 36)
    }

    @Test func storageErrorsOfTheTransformationKeepTheirMeaning() async throws {
        let key = ValueKey("years", of: Int.self) { [legacy] key in
            AnyStorageMigration(TransformingMigration(destinationKey: key, sourceKey: legacy) { _ in throw StorageError(.locked) })
        }
        try await device.router().set("36", for: legacy)
        #expect(await migrationError { try await device.router().forceMigration(for: key) }?.summary == "deferred locked")
    }

    @Test func aCrashAnywhereConverges() async throws {
        var number = 1
        while true {
            let device = CrashableDevice()
            try await device.router().set("36", for: legacy)
            device.crash.arm(before: number)
            _ = try? await device.router().forceMigration(for: key)
            let wasReached = device.crash.operations >= number
            device.crash.arm(before: nil)
            #expect(try await device.router().get(key) == 36, "before operation \(number)")
            #expect(try await device.router().forceMigration(for: key).success)
            #expect(device.storage.defaults.peek("age") == nil)
            guard wasReached else { break }
            number += 1
        }
        #expect(number > 6)
    }
}
