import Foundation
import Testing

@testable import LocalData

/// Two versions of one type at one place.
@Suite struct SchemaVersionTests {
    private let device = CrashableDevice()

    private struct Settings: Codable, Sendable, Hashable {
        var theme: String
        var accent: String?
    }

    private struct OldSettings: Codable, Sendable, Hashable {
        var theme: String
    }

    private let old = ValueKey("settings", of: OldSettings.self, in: .documents)
    private var new: ValueKey<Settings> {
        var key = ValueKey("settings", of: Settings.self, in: .documents)
        key.schemaVersion = 2
        return key
    }

    /// Its bytes would decode as the old type, and the next `set` would lose what it does not know.
    @Test func anOlderAppNeitherReadsNorReplacesNewerValues() async throws {
        try await device.router().set(Settings(theme: "dark", accent: "teal"), for: new)
        let router = device.router()
        let error = await storageError { _ = try await router.get(old) }
        #expect(error?.code == .superseded)
        #expect(error?.facts == ["the value has schema version 2, this app knows 1"])
        #expect(await storageError { try await router.set(OldSettings(theme: "light"), for: old) }?.code == .superseded)
        #expect(try await router.exists(old))
        #expect(try await device.router().get(new) == Settings(theme: "dark", accent: "teal"))
    }

    @Test func aNewerAppReadsWhatOlderOnesStored() async throws {
        try await device.router().set(OldSettings(theme: "dark"), for: old)
        device.crash.arm(before: nil)
        #expect(try await device.router().get(new) == Settings(theme: "dark"))
        #expect(device.crash.operations == 0)
        // Nothing newer is stored yet: the older app still has its value.
        #expect(try await device.router().get(old) == OldSettings(theme: "dark"))
    }

    @Test func aRemovalMakesRoomForAnyVersion() async throws {
        try await device.router().set(Settings(theme: "dark"), for: new)
        let router = device.router()
        try await router.remove(old)
        #expect(device.storage.files.paths == [])
        try await router.set(OldSettings(theme: "light"), for: old)
        #expect(try await router.get(old) == OldSettings(theme: "light"))
    }

    @Test func aNewerValueThatIsGoneMakesRoomToo() async throws {
        try await device.router().set(Settings(theme: "dark"), for: new)
        try device.storage.files.removeFile(at: "/app/Documents/settings")
        let router = device.router()
        #expect(await storageError { _ = try await router.get(old) }?.code == .notFound)
        try await router.set(OldSettings(theme: "light"), for: old)
        #expect(try await device.router().get(old) == OldSettings(theme: "light"))
    }

    @Test func aMarkThatCannotBeReadHoldsForTheFirstVersion() async throws {
        try await device.router().set(Settings(theme: "dark"), for: new)
        let mark = try #require(device.storage.files.paths.first { $0.contains("/Schema/") })
        device.storage.files.put(Data("damaged".utf8), at: mark)
        #expect(await storageError { _ = try await device.router().get(old) }?.code == .superseded)
        #expect(try await device.router().get(new) == Settings(theme: "dark"))
    }

    /// The mark is written first: an older app never sees a newer value without it.
    @Test func aCrashAnywhereLeavesNoNewerValueUnmarked() async throws {
        var number = 1
        while true {
            let device = CrashableDevice()
            try await device.router().set(OldSettings(theme: "old"), for: old)
            device.crash.arm(before: number)
            _ = try? await device.router().set(Settings(theme: "new"), for: new)
            let wasReached = device.crash.operations >= number
            device.crash.arm(before: nil)
            let isNew = try await device.router().get(new) == Settings(theme: "new")
            let read = await storageError { _ = try await device.router().get(old) }
            #expect(read == nil || read?.code == .superseded)
            if isNew { #expect(read?.code == .superseded, "before operation \(number)") }
            guard wasReached else { break }
            number += 1
        }
        #expect(number > 8)
    }

    @Test func marksAreLookedForOncePerProcess() async throws {
        let router = device.router()
        func reads() -> Int { device.storage.files.operations.filter { $0.contains("/Schema") }.count }
        try await router.set(OldSettings(theme: "a"), for: old)
        let before = reads()
        for _ in 0..<5 { _ = try await router.get(old) }
        try await router.set(OldSettings(theme: "b"), for: old)
        #expect(reads() == before)
        #expect(before <= 1)
    }
}
