import Foundation
import Testing

@testable import LocalData

/// A crash before every storage operation of an aggregation, and of a removal of its value: nothing is ever made of what is left of the sources.
@Suite struct AggregateCrashTests {
    static let domains: [StorageDomain] = [.documents, .userDefaults(suite: nil), .userDefaults(suite: "other"), .keychain(service: "new")]

    @Test(arguments: domains) func aCrashAnywhereConverges(_ domain: StorageDomain) async throws {
        let key = NameKeys.person(in: domain)
        var number = 1
        while true {
            let device = CrashableDevice()
            try await NameKeys.plant(with: device.router())
            device.crash.arm(before: number)
            _ = try? await device.router().forceMigration(for: key)
            let wasReached = device.crash.operations >= number
            device.crash.arm(before: nil)

            #expect(try await device.router().get(key) == NameKeys.whole, "before operation \(number)")
            // Into preferences the sources go with a later process.
            #expect(try await device.router().forceMigration(for: key).success)
            let router = device.router()
            #expect(try await router.forceMigration(for: key).success)
            #expect(device.storage.defaults.peek("first") == nil)
            #expect(device.storage.keychain.peek("nick") == nil)
            #expect(device.storage.files.peek("/app/Library/Caches/year") == nil)
            #expect(device.storage.files.paths.filter { $0.contains("/Completing/") } == [])
            device.crash.arm(before: nil)
            #expect(try await router.forceMigration(for: key).migratedCount == 0)
            #expect(device.crash.operations == 0, "a second recovery wrote")
            guard wasReached else { break }
            number += 1
        }
        #expect(number > 10)
    }

    /// The value is gone for another reason after a crash between two deletions: the rest of the sources is not taken for all of them.
    @Test func whatIsLeftOfTheSourcesIsNoValue() async throws {
        let key = NameKeys.person(in: .fileSystem(directory: .caches))
        var halves = 0
        for number in 1...60 {
            let device = CrashableDevice()
            try await NameKeys.plant(with: device.router())
            device.crash.arm(before: number)
            _ = try? await device.router().forceMigration(for: key)
            device.crash.arm(before: nil)
            let left = [
                device.storage.defaults.peek("first") != nil, device.storage.keychain.peek("nick") != nil,
                device.storage.files.peek("/app/Library/Caches/year") != nil,
            ].filter { $0 }.count
            guard left == 1 || left == 2 else { continue }
            halves += 1
            try device.storage.files.removeFile(at: "/app/Library/Caches/person")
            #expect(await storageError { _ = try await device.router().get(key) }?.code == .notFound)
            #expect(device.storage.defaults.peek("first") == nil)
            #expect(device.storage.keychain.peek("nick") == nil)
        }
        #expect(halves > 1)
    }

    @Test func aCrashWithinARemovalLeavesTheValueOrNothing() async throws {
        let key = NameKeys.person()
        var number = 1
        while true {
            for isSet in [true, false] {
                let device = CrashableDevice()
                try await NameKeys.plant(with: device.router())
                if isSet { try await device.router().set("chosen", for: key) }
                device.crash.arm(before: number)
                _ = try? await device.router().remove(key)
                let wasReached = device.crash.operations >= number
                device.crash.arm(before: nil)
                let found: String?
                do {
                    found = try await device.router().get(key)
                } catch let error as StorageError where error.code == .notFound {
                    found = nil
                }
                #expect(found == nil || found == (isSet ? "chosen" : NameKeys.whole), "before operation \(number)")
                if !wasReached { #expect(found == nil) }
                guard wasReached else { return #expect(number > 6) }
            }
            number += 1
        }
    }
}
