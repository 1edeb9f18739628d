import Foundation
import Testing

@testable import LocalData

/// An older version of the app meets what a newer one has moved away.
@Suite struct DowngradeTests {
    private let device = TestDevice()
    private let old = ValueKey("old", of: String.self)
    private var new: ValueKey<String> { ValueKey("new", of: String.self, in: .documents).replacing(old) }

    private func migrate() async throws {
        device.description.appVersion = "1.9"
        try await device.router().set("value", for: old)
        device.description.appVersion = "2.0"
        #expect(try await device.router().get(new) == "value")
        device.description.appVersion = "1.9"
    }

    @Test func theOldPlaceIsSupersededAndNotEmpty() async throws {
        try await migrate()
        let router = device.router()
        let error = await storageError { _ = try await router.get(old) }
        #expect(error?.code == .superseded)
        #expect(error?.facts == ["version 2.0 of the app moved it to file/documents/new"])
        #expect(await storageError { _ = try await router.exists(old) }?.code == .superseded)
        var changes = router.changes(of: old).makeAsyncIterator()
        #expect(await storageError { _ = try await changes.next() }?.code == .superseded)
    }

    /// An even older value that turns up does not become the value again.
    @Test func anOlderMigrationDoesNotRun() async throws {
        let oldest = ValueKey("oldest", of: String.self)
        let old = old.replacing(oldest)
        try await migrate()
        let router = device.router()
        try await router.set("ancient", for: oldest)
        #expect(await storageError { _ = try await router.get(old) }?.code == .superseded)
        #expect(await migrationError { try await router.forceMigration(for: old) }?.summary == "storage superseded")
        #expect(try await router.sweepMigrations(of: [.key(old)]).map(\.summary) == ["old: failed storage superseded"])
        #expect("\(try await router.migrationPlan(for: old).state)" == "superseded")
        #expect(device.defaults.peek("oldest") == .string("ancient"))
    }

    /// The update would take it for what the migration left, and delete it.
    @Test func theOldAppNeitherReplacesNorRemovesWhatMoved() async throws {
        try await migrate()
        let router = device.router()
        #expect(await storageError { try await router.set("again", for: old) }?.code == .superseded)
        #expect(await storageError { try await router.remove(old) }?.code == .superseded)
        #expect(device.defaults.peek("old") == nil)
        device.description.appVersion = "2.0"
        #expect(try await device.router().get(new) == "value")
    }

    /// Into preferences too, where the source waits to be deleted.
    @Test func whatWaitsToBeDeletedIsReadAndNotReplaced() async throws {
        let old = ValueKey("old", of: String.self, in: .documents)
        let new = ValueKey("new", of: String.self).replacing(old)
        device.description.appVersion = "1.9"
        try await device.router().set("value", for: old)
        device.description.appVersion = "2.0"
        #expect(try await device.router().get(new) == "value")
        device.description.appVersion = "1.9"
        let router = device.router()
        #expect(try await router.get(old) == "value")
        #expect(await storageError { try await router.set("again", for: old) }?.code == .superseded)
        #expect(await storageError { try await router.remove(old) }?.code == .superseded)
    }

    /// Nobody could ever store anything there again.
    @Test func aDamagedMarkDoesNotKeepAnybodyFromStoring() async throws {
        try await migrate()
        let path = try #require(device.files.paths.first { $0.contains("/Moved/") })
        device.files.put(Data("not json".utf8), at: path)
        try await device.router().set("again", for: old)
        #expect(try await device.router().get(old) == "again")
    }

    @Test(arguments: ["2.0", "2.0.0", "2.1", "10.0", "odd"]) func theSameVersionAndLaterOnesFindNothing(_ version: String) async throws {
        try await migrate()
        device.description.appVersion = version
        #expect(await storageError { _ = try await device.router().get(old) }?.code == .notFound)
        #expect(try await device.router().exists(old) == false)
    }

    @Test func afterARemovalThereIsNothingAnywhere() async throws {
        try await migrate()
        device.description.appVersion = "2.0"
        try await device.router().remove(new)
        device.description.appVersion = "1.9"
        #expect(await storageError { _ = try await device.router().get(old) }?.code == .notFound)
        // But for the note that what a power loss brings back to the preferences is no value.
        #expect(device.files.paths.allSatisfy { $0.contains("/Cleared/") })
    }

    @Test(arguments: ["not json", #"{"location":"defaults/standard/old","state":"moved","version":2}"#])
    func aMarkThatCannotBeReadIsNoProofOfAbsence(_ text: String) async throws {
        try await migrate()
        let path = try #require(device.files.paths.first { $0.contains("/Moved/") })
        device.files.put(Data(text.utf8), at: path)
        #expect(await storageError { _ = try await device.router().get(old) }?.code == .superseded)
    }

    @Test func everySourceOfAnAggregateIsSuperseded() async throws {
        try await NameKeys.plant(with: device.router())
        device.description.appVersion = "2.0"
        _ = try await device.router().get(NameKeys.person())
        device.description.appVersion = "1.0"
        let router = device.router()
        #expect(await storageError { _ = try await router.get(NameKeys.first) }?.code == .superseded)
        #expect(await storageError { _ = try await router.get(NameKeys.year) }?.code == .superseded)
        #expect(await storageError { _ = try await router.get(NameKeys.secret) }?.code == .superseded)
    }

    /// The marks' places and forms are a contract.
    @Test func marksAreStoredLikeThis() async throws {
        try await migrate()
        let folder = "/app/Library/Application Support/LocalData/Migration"
        let moved = "\(folder)/Moved/186943f440a372de986e9ad77ed3098a.json"
        #expect(device.files.paths == ["/app/Documents/new", moved])
        #expect(
            device.files.peek(moved).map { String(decoding: $0, as: UTF8.self) }
                == #"{"appVersion":"2.0","destination":"file/documents/new","location":"defaults/standard/old","state":"moved","version":1}"#
        )

        try await NameKeys.plant(with: device.router())
        device.keychain.fail("delete", with: .inputOutput)
        _ = try? await device.router().forceMigration(for: NameKeys.person())
        let completing = "\(folder)/Completing/ce9cb4e18588d9c36f126c25b1694a30.json"
        #expect(device.files.paths.filter { $0.contains("Completing") } == [completing])
        #expect(
            device.files.peek(completing).map { String(decoding: $0, as: UTF8.self) }
                == #"{"location":"file/documents/person","state":"completing","version":1}"#)
    }
}
