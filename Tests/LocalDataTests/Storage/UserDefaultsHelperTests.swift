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

    /// A text of other bytes is another value.
    @Test func aTextOfOtherBytesIsStored() async throws {
        for text in ["\u{e9}", "e\u{301}"] {
            try await defaults.set(.string(text), forKey: "n")
            guard case .string(let stored)? = try await defaults.value(forKey: "n") else { Issue.record("no text"); return }
            #expect(Array(stored.utf8) == Array(text.utf8))
        }
    }

    /// Beyond that the system writes nothing more of the suite, or ends the process.
    @Test(arguments: [DeviceRole.phone, .watch]) func aSuiteThatWouldBecomeTooLargeIsRefused(_ role: DeviceRole) async throws {
        let device = TestDevice(role: role)
        let defaults = device.router().defaults
        let limit = DefaultsLimits.maximumByteCount(on: role)
        let tooLarge = await storageError { try await defaults.set(.data(Data(count: limit)), forKey: "n") }
        #expect(tooLarge?.code == .noSpace && tooLarge?.facts.first?.contains("less than \(limit) bytes") == true)
        #expect(try await defaults.exists(forKey: "n") == false)
        try await defaults.set(.data(Data(count: limit / 2)), forKey: "n")
        let tooMuch = await storageError { try await defaults.set(.data(Data(count: limit / 2)), forKey: "other") }
        #expect(tooMuch?.code == .noSpace)
        #expect(try await defaults.exists(forKey: "other") == false)
        // Two bytes for each letter, as soon as one is no ASCII.
        let text = String(repeating: "a", count: limit / 2 - 1) + "é"
        #expect(await storageError { try await defaults.set(.string(text), forKey: "text", in: .named("t")) }?.code == .noSpace)
        // Another suite, the same one in place of what it has, and small values.
        try await defaults.set(.data(Data(count: limit / 2)), forKey: "other", in: .named("s"))
        try await defaults.set(.data(Data(count: limit / 4 * 3)), forKey: "n")
        try await defaults.set(.string("small"), forKey: "small")
        #expect(try await defaults.value(forKey: "small") == .string("small"))
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
