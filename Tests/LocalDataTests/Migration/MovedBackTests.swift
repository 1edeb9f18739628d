import Foundation
import Testing

@testable import LocalData

/// Values that move away and back, and sources that are not one migration's alone.
@Suite struct MovedBackTests {
    private let device = TestDevice()
    private let file = ValueKey("note", of: String.self, in: .documents)
    private var preference: ValueKey<String> { ValueKey("note2", of: String.self).replacing(file) }
    private var back: ValueKey<String> { ValueKey("note", of: String.self, in: .documents).replacing(preference) }

    /// The file still waits to be deleted, and the preference is newer.
    private func moveAway() async throws {
        try await device.router().set("first", for: file)
        #expect(try await device.router().get(preference) == "first")
        try await device.router().set("second", for: preference)
        #expect(device.files.peek("/app/Documents/note") != nil)
    }

    @Test func whatWasLeftIsNoValue() async throws {
        try await moveAway()
        #expect("\(try await device.router().migrationPlan(for: back).state)" == "ready")
        #expect(try await device.router().get(back) == "second")
        #expect(device.defaults.peek("note2") == nil)
        #expect(try await device.router().get(back) == "second")
    }

    @Test func whatIsSetAnewIsTheValue() async throws {
        try await moveAway()
        try await device.router().set("third", for: back)
        #expect(try await device.router().get(back) == "third")
        try await device.router().forceMigration(for: back)
        #expect(try await device.router().get(back) == "third")
        #expect(device.defaults.peek("note2") == nil)
    }

    @Test func aRemovalRemovesBoth() async throws {
        try await moveAway()
        try await device.router().remove(back)
        #expect(await storageError { _ = try await device.router().get(back) }?.code == .notFound)
        #expect(device.files.peek("/app/Documents/note") == nil)
        #expect(device.defaults.peek("note2") == nil)
    }

    /// A mark of an earlier version of LocalData, which left none at the file.
    @Test func anEarlierVersionOfLocalDataLeftLessMarks() async throws {
        try await moveAway()
        let folder = "/app/Library/Application Support/LocalData/Migration"
        for path in device.files.paths where path.contains("/Moved/") { try device.files.removeFile(at: path) }
        let seen = try #require(device.files.paths.first { $0.contains("\(folder)/Seen/") })
        device.files.put(Data(#"{"location":"defaults/standard/note2","process":"1","state":"seen","version":1}"#.utf8), at: seen)
        #expect(try await device.router().get(back) == "second")
        #expect(try await device.router().get(back) == "second")
        try await device.router().set("third", for: back)
        #expect(try await device.router().get(back) == "third")
    }

    /// A crash anywhere leaves the newer value.
    @Test func aCrashOnTheWayBackLeavesTheNewerValue() async throws {
        var number = 1
        while true {
            let device = TestDevice()
            try await device.router().set("first", for: file)
            _ = try await device.router().get(preference)
            try await device.router().set("second", for: preference)
            let before = device.files.operationCount
            device.files.plan = .crash(before: before + number)
            _ = try? await device.router().forceMigration(for: back)
            let wasReached = device.files.operationCount >= before + number
            device.files.plan = .none
            #expect(try await device.router().get(back) == "second")
            guard wasReached else { break }
            number += 1
        }
        #expect(number > 4)
    }

    // MARK: Shared sources

    private func router(_ keys: ValueKey<String>...) async throws -> StorageRouter {
        let router = device.router()
        try await router.registerCatalog(ListedKeys(allKeys: keys.map { .key($0) }))
        return router
    }

    @Test func aSourceStaysUntilAllHaveTheirValue() async throws {
        let (one, other) = (ValueKey("one", of: String.self).replacing(file), ValueKey<String>("other", in: .documents).replacing(file))
        try await device.router().set("value", for: file)
        #expect(try await router(one, other).get(other) == "value")
        #expect(device.files.peek("/app/Documents/note") != nil)
        // In preferences, where the copy has to settle.
        let copying = try await router(one, other)
        #expect(try await copying.get(one) == "value")
        #expect(try await copying.forceMigration(for: other).success)
        #expect(device.files.peek("/app/Documents/note") != nil)
        #expect(try await router(one, other).forceMigration(for: other).success)
        #expect(device.files.peek("/app/Documents/note") == nil)
    }

    @Test func aRemovalLeavesASourceThatIsInUse() async throws {
        let copy = ValueKey("copy", of: String.self, in: .documents).replacing(file)
        let router = try await router(file, copy)
        try await router.set("value", for: file)
        #expect(try await router.get(copy) == "value")
        #expect("\(try await router.migrationPlan(for: copy).state)" == "nothing")
        try await router.remove(copy)
        #expect(try await router.get(file) == "value")
        #expect(await storageError { _ = try await router.get(copy) }?.code == .notFound)
    }

    @Test func catalogsTellMigrationsThatCannotRun() async throws {
        let source = file
        let twice = ValueKey("new", of: String.self, in: .documents) {
            AnyStorageMigration(AggregatingMigration(destinationKey: $0, sourceKeys: [.key(source), .key(source)]) { _ in "" })
        }
        let error = await storageError { _ = try await router(twice) }
        #expect(error?.facts == ["'new' migrates from one place twice: file/documents/note"])
        // It is how values of an older form, from the counterpart, get the newer one.
        _ = try await router(ValueKey("note", of: String.self, in: .documents).replacing(file))
    }

    @Test func auditsWarnOfSharedSources() async throws {
        let (one, other) = (ValueKey("one", of: String.self).replacing(file), ValueKey<String>("other", in: .documents).replacing(file))
        let router = try await router(file, one, other)
        let warnings = StorageAuditReport(for: router).items.map(\.warnings)
        #expect(warnings[1].contains { $0.contains("which is in use") } && warnings[1].contains { $0.contains("'other' as well") })
        #expect(warnings[2].contains { $0.contains("'one' as well") })
    }

    /// What synced under a name is there still, for whoever was not updated. A key's own place is no source.
    @Test func auditsWarnOfNamesThatAreGivenToAnotherValue() async throws {
        func key(_ name: String, in domain: StorageDomain, syncs: Bool = true) -> ValueKey<String> {
            var key = ValueKey<String>(name, in: domain)
            key.syncPolicy = syncs ? .automaticSmall : .never
            return key
        }
        func warnings(_ source: ValueKey<String>, _ reused: ValueKey<String>) async throws -> [String] {
            let renamed = key("heading", in: .documents).replacing(source)
            return StorageAuditReport(for: try await router(renamed, reused)).items.map { $0.warnings.joined() }
        }
        let (synced, elsewhere) = (key("note", in: .documents), key("note", in: .userDefaults(suite: nil)))
        #expect(try await warnings(synced, elsewhere).map { $0.contains("the value of 'heading' had before") } == [false, true])
        #expect(try await !warnings(synced, key("note", in: elsewhere.domain, syncs: false)).joined().contains("had before"))
        #expect(try await !warnings(key("note", in: .documents, syncs: false), elsewhere).joined().contains("had before"))
        let own = StorageAuditReport(for: try await self.router(ValueKey("note", of: String.self, in: .documents).replacing(file)))
        #expect(own.items[0].warnings.contains { $0.contains("is its own place") })
    }
}
