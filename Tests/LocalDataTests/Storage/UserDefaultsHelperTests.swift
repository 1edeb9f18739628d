import Foundation
import Testing

@testable import LocalData

@Suite struct UserDefaultsHelperTests {
    private let device = TestDevice()
    private var defaults: UserDefaultsHelper { device.router().defaults }

    @Test func suitesAndGroupsAreApart() async throws {
        let suites: [DefaultsSuite] = [.standard, .named("s"), .appGroup("g")]
        for (index, suite) in suites.enumerated() { try await defaults.set(.integer(Int64(index)), forKey: "n", in: suite) }
        for (index, suite) in suites.enumerated() {
            #expect(try await defaults.value(forKey: "n", in: suite) == .integer(Int64(index)))
            #expect(try await defaults.keys(in: suite) == ["n"])
        }
        try await defaults.remove(forKey: "n", in: .named("s"))
        #expect(try await defaults.exists(forKey: "n", in: .named("s")) == false)
        #expect(try await defaults.exists(forKey: "n"))
    }

    /// Before the first unlock preferences look empty without an error.
    @Test func emptyPreferencesOfALockedDeviceAreNotBelieved() async throws {
        device.defaults.put(.string("there"), forKey: "n")
        device.defaults.isReadable = false
        let defaults = defaults
        let errors = [
            await storageError { _ = try await defaults.value(forKey: "n") },
            await storageError { _ = try await defaults.exists(forKey: "n") },
            await storageError { try await defaults.set(.integer(1), forKey: "n") },
            await storageError { try await defaults.remove(forKey: "n") },
            await storageError { _ = try await defaults.keys() },
        ]
        for error in errors { #expect(error?.code == .lockedBeforeFirstUnlock) }
        #expect(device.defaults.peek("n") == .string("there"))
    }

    @Test func localDatasOwnEntriesAreNotTheApps() async throws {
        device.defaults.put(.string("{}"), forKey: "com.localdata.sync.n")
        #expect(try await defaults.keys() == [])
        #expect(await storageError { try await defaults.remove(forKey: "com.localdata.sync.n") }?.code == .invalidKey)
        #expect(device.defaults.peek("com.localdata.sync.n") != nil)
    }

    @Test func failuresAreTyped() async {
        device.defaults.failAll(with: FileSystemError(errno: ENOSPC, operation: "write", path: "/p"))
        #expect(await storageError { try await defaults.set(.integer(1), forKey: "n") }?.code == .noSpace)
        device.defaults.failAll(with: StorageError(.corrupt))
        #expect(await storageError { _ = try await defaults.value(forKey: "n") }?.code == .corrupt)
    }
}
