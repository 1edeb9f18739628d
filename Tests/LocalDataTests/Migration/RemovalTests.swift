import Foundation
import Testing

@testable import LocalData

/// A removed value does not come back from where it once came from.
@Suite struct RemovalTests {
    private let device = TestDevice()
    private let legacy = ValueKey("old", of: String.self, in: .fileSystem(directory: .caches))
    private var key: ValueKey<String> { ValueKey("new", of: String.self, in: .documents).replacing(legacy) }

    @Test func removingClearsTheSource() async throws {
        let router = device.router()
        try await router.set("value", for: legacy)
        try await router.remove(key)
        #expect(device.files.paths == [])
        #expect(await storageError { _ = try await device.router().get(key) }?.code == .notFound)
    }

    @Test func removingClearsTheWholeChain() async throws {
        let second = ValueKey("v2", of: String.self, in: .documents).replacing(legacy)
        let third = ValueKey("v3", of: String.self, in: .documents).replacing(second)
        let router = device.router()
        for key in [legacy, second, third] { try await router.set("value", for: key) }
        try await router.remove(third)
        #expect(device.files.paths == [])
    }

    /// Sources first: a crash in between leaves the value, not an older one.
    @Test func aCrashWithinARemovalLeavesTheValueOrNothing() async throws {
        var number = 1
        while true {
            let device = TestDevice()
            try await device.router().set("older", for: legacy)
            try await device.router().set("value", for: key)
            let before = device.files.operationCount
            device.files.plan = .crash(before: before + number)
            _ = try? await device.router().remove(key)
            let wasReached = device.files.operationCount >= before + number
            device.files.plan = .none
            for survivor in [device, device.afterPowerLoss(), device.afterPowerLoss(keepingPending: true)] {
                do {
                    #expect(try await survivor.router().get(key) == "value")
                } catch let error as StorageError {
                    #expect(error.code == .notFound)
                    #expect(survivor.files.peek("/app/Library/Caches/old") == nil)
                }
            }
            guard wasReached else { break }
            number += 1
        }
        #expect(number > 4)
    }

    @Test func aSourceThatCannotBeClearedKeepsTheValue() async throws {
        let source = ValueKey("old", of: String.self)
        let key = ValueKey("new", of: String.self, in: .documents).replacing(source)
        let router = device.router()
        try await router.set("value", for: key)
        device.defaults.isReadable = false
        #expect(await storageError { try await router.remove(key) }?.code == .lockedBeforeFirstUnlock)
        #expect(try await router.get(key) == "value")
    }

    struct Always: StorageMigration {
        let destinationKey: ValueKey<String>
        func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
            try await !router.exists(destinationKey)
        }
        func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
            try await router.set("from elsewhere", for: destinationKey)
            return MigrationResult(success: true, migratedCount: 1)
        }
    }

    /// A migration that does not say where its values come from: a mark keeps them from returning, in this process and later ones.
    @Test func aRemovalIsRememberedWhereTheSourceIsUnknown() async throws {
        let key = ValueKey("new", of: String.self) { AnyStorageMigration(Always(destinationKey: $0)) }
        #expect(try await device.router().get(key) == "from elsewhere")
        try await device.router().remove(key)
        let router = device.router()
        #expect(await storageError { _ = try await router.get(key) }?.code == .notFound)
        #expect(try await router.sweepMigrations(of: [.key(key)]).map(\.summary) == ["new: nothing to do"])
        #expect(await storageError { _ = try await router.get(key) }?.code == .notFound)
        // Other keys are not concerned, and a value can be set and read again.
        let other = ValueKey("other", of: String.self) { AnyStorageMigration(Always(destinationKey: $0)) }
        #expect(try await router.get(other) == "from elsewhere")
        try await router.set("mine", for: key)
        #expect(try await router.get(key) == "mine")
        try await router.remove(key)
        #expect(try await router.forceMigration(for: key).migratedCount == 1)
        #expect(try await router.get(key) == "from elsewhere")
    }

    /// The mark's place and form are a contract.
    @Test func theMarkIsStoredLikeThis() async throws {
        let key = ValueKey("new", of: String.self) { AnyStorageMigration(Always(destinationKey: $0)) }
        try await device.router().remove(key)
        let path = "/app/Library/Application Support/LocalData/Migration/891d7e4f63bb7453e5ddf1f5266339e4.json"
        #expect(device.files.paths == [path])
        let text = device.files.peek(path).map { String(decoding: $0, as: UTF8.self) }
        #expect(text == #"{"location":"defaults/standard/new","sources":[],"state":"removed","version":1}"#)
    }

    /// One that an earlier version of LocalData wrote names no source: it is about all of them. One with sources is about those.
    @Test func aMarkIsAboutItsSources() async throws {
        let path = "/app/Library/Application Support/LocalData/Migration/891d7e4f63bb7453e5ddf1f5266339e4.json"
        let old = ValueKey("old", of: String.self)
        let key = ValueKey("new", of: String.self) { AnyStorageMigration(SimpleLegacyMigration(destinationKey: $0, sourceKey: .key(old))) }
        for (sources, isBack) in [
            ("", false), (#""sources":["defaults/standard/old"],"#, false), (#""sources":["defaults/standard/x"],"#, true),
        ] {
            let device = TestDevice()
            device.files.put(Data(#"{"location":"defaults/standard/new",\#(sources)"state":"removed","version":1}"#.utf8), at: path)
            let router = device.router()
            try await router.set("value", for: old)
            #expect(try await router.exists(key) == false)
            let found = try? await router.get(key)
            #expect(found == (isBack ? "value" : nil), "\(sources)")
        }
    }

    /// Two versions of the app have the value's source elsewhere, and a third has it where the first had it. Each source is in use, so it stays.
    @Test(arguments: [false, true]) func aLaterRemovalForgetsNoEarlierOne(isOfAnEarlierVersionOfLocalData: Bool) async throws {
        let sources = ["a", "b", "c"].map { ValueKey($0, of: String.self, in: .documents) }
        func router(_ source: Int) async throws -> (StorageRouter, ValueKey<String>) {
            let (router, key) = (device.router(), ValueKey("new", of: String.self).replacing(sources[source]))
            try await router.registerCatalog(ListedKeys(allKeys: (sources + [key]).map { .key($0) }))
            return (router, key)
        }
        if isOfAnEarlierVersionOfLocalData {
            let path = "/app/Library/Application Support/LocalData/Migration/891d7e4f63bb7453e5ddf1f5266339e4.json"
            device.files.put(Data(#"{"location":"defaults/standard/new","state":"removed","version":1}"#.utf8), at: path)
        }
        for source in [0, 1] {
            let (router, key) = try await router(source)
            try await router.set("value", for: sources[source])
            try await router.remove(key)
        }
        for source in [0, 1, 2] {
            let (router, key) = try await router(source)
            if source == 2 { try await router.set("value", for: sources[source]) }
            let found = try? await router.get(key)
            #expect(found == (source < 2 || isOfAnEarlierVersionOfLocalData ? nil : "value"), "from \(sources[source].name)")
        }
    }

    /// A power loss brings back what a widget had set, with the note of its edit, and more than once. Another edit is a value.
    @Test func whatReturnsWithTheNoteOfItsEditIsNoValue() async throws {
        let suite = DefaultsSuite.appGroup("group.x")
        let source = ValueKey("choice", of: String.self, in: .appGroupUserDefaults(identifier: "group.x"))
        let key = ValueKey("new", of: String.self, in: .documents).replacing(source)
        func widgetSet(_ text: String, seed: UInt64) throws {
            let edit = try ExtensionEdit(of: SyncRevision.digest(of: .propertyList(.string(text))), entropy: SeededEntropy(seed: seed))
            device.defaults.put(.string(edit.encoded), forKey: "com.localdata.edit.choice", in: suite)
            device.defaults.put(.string(text), forKey: "choice", in: suite)
        }
        try widgetSet("old", seed: 5)
        try await device.router().remove(key)
        #expect(device.defaults.peek("choice", in: suite) == nil)
        for _ in 0..<3 {
            try widgetSet("old", seed: 5)
            #expect(await storageError { _ = try await device.router().get(key) }?.code == .notFound)
            #expect(device.defaults.peek("choice", in: suite) == nil)
        }
        try widgetSet("mine", seed: 6)
        #expect(try await device.router().get(key) == "mine")
        #expect(device.defaults.peek("com.localdata.edit.choice", in: suite) == nil, "the digest of a value outlives it")
    }

    @Test func aMarkBeforeTheFirstUnlockCannotBeReadAndIsNotIgnored() async throws {
        let key = ValueKey(
            "new", of: String.self, in: .keychain(service: nil), security: .keychain(accessibility: .always, accessControl: nil)
        ) {
            AnyStorageMigration(Always(destinationKey: $0))
        }
        try await device.router().remove(key)
        device.lockState = .beforeFirstUnlock
        #expect(await storageError { _ = try await device.router().get(key) }?.code == .lockedBeforeFirstUnlock)
    }
}
