import Foundation
import Testing

@testable import LocalData

/// Names that are made at run time, which a later process finds by what the device has of them.
@Suite struct RecalledNamesTests {
    private struct DraftKey: StorageKey {
        typealias Value = String
        var name = "draft_<id>"
        var domain: StorageDomain = .fileSystem(directory: .documents)
        let security: SecurityPolicy = .none
        let owner = "Tests"
        let description = "A draft"
        var syncPolicy: SyncPolicy = .automaticSmall
    }

    /// As the documentation tells to list a kind.
    private struct Described: StorageKeyCatalog {
        static let allKeys: [StorageKeyDescriptor] = [.from(DraftKey(), notes: "one for each entry")]
    }

    private struct Changed: StorageKeyCatalog {
        static var allKeys: [StorageKeyDescriptor] {
            var described = StorageKeyDescriptor.from(DraftKey())
            described.syncPolicy = .never
            return [described]
        }
    }

    private struct InWords: StorageKeyCatalog {
        static let allKeys: [StorageKeyDescriptor] = [
            StorageKeyDescriptor(
                name: "draft_<id>", domain: .fileSystem(directory: .documents), security: .none, serializer: "json", owner: "Tests",
                description: "A draft", syncPolicy: .automaticSmall, valueType: "String")
        ]
    }

    private static let draft = DraftKey(name: "draft_7")

    private static func relaunch(_ device: SyncDevice, _ catalog: any StorageKeyCatalog = Described()) async throws {
        device.relaunch()
        _ = try await device.run { try await $0.registerCatalog(catalog) }
    }

    /// A phone that was alone when it stored something, and has been launched anew since.
    private static func phone(_ catalog: any StorageKeyCatalog = Described()) async throws -> SyncPair {
        let pair = SyncPair(keys: [])
        pair.phone.session.isPaired = false
        try await relaunch(pair.phone)
        try await pair.phone.set("first", for: draft)
        try await relaunch(pair.phone, catalog)
        pair.phone.session.isPaired = true
        try await relaunch(pair.watch)
        return pair
    }

    @Test func aDescribedKeyIsEnough() async throws {
        let pair = try await Self.phone()
        let snapshot = try await pair.phone.run { try await $0.syncSnapshot() }
        #expect(snapshot.entries["draft_7"]?.value == Data("\"first\"".utf8))
        try await pair.phone.sync()
        _ = try await pair.watch.value(Self.draft)
        try await pair.heal()
        #expect(try await pair.watch.value(Self.draft) == "first")
    }

    /// Of a kind in words, or one whose description was changed, nobody knows enough before the app uses the name.
    @Test func aDescriptionInWordsIsNot() async throws {
        for catalog: any StorageKeyCatalog in [InWords(), Changed()] {
            let pair = try await Self.phone(catalog)
            #expect(try await pair.phone.run { try await $0.syncSnapshot() }.entries.isEmpty)
        }
        let pair = try await Self.phone(InWords())
        _ = try await pair.phone.value(Self.draft)
        #expect(try await pair.phone.run { try await $0.syncSnapshot() }.entries["draft_7"] != nil)
    }

    /// Two kinds that say as much of a name may both be meant.
    @Test func ofTwoKindsNeitherIsTaken() async throws {
        let pair = try await Self.phone()
        pair.phone.relaunch()
        let kinds: [AnyStorageKey] = [.key(DraftKey()), .key(DraftKey(name: "<id>raft_7"))]
        _ = try await pair.phone.run { try await $0.registerCatalog(ListedKeys(allKeys: kinds)) }
        #expect(try await pair.phone.run { try await $0.syncSnapshot() }.entries["draft_7"] == nil)
    }

    /// What was sent under a name before its kind was declared to stay does not go on being sent.
    @Test func aKindThatIsDeclaredToStayStays() async throws {
        let pair = try await Self.phone()
        try await pair.phone.sync()
        #expect(try SyncSnapshot(in: pair.phone.session.applicationContext)?.entries["draft_7"] != nil)
        try await Self.relaunch(pair.phone, ListedKeys(allKeys: [.key(DraftKey(syncPolicy: .never))]))
        try await pair.phone.sync()
        #expect(try SyncSnapshot(in: pair.phone.session.applicationContext)?.entries["draft_7"] == nil)
    }

    /// A list that is taken anew counts also for names that were found.
    @Test func aKindThatIsListedAnewIsReadAnew() async throws {
        let pair = try await Self.phone(ListedKeys(allKeys: [.key(DraftKey())]))
        try await pair.phone.sync()
        #expect(pair.phone.router.sync.ledger.receivingKey("draft_7") != nil)
        _ = try await pair.phone.run { try await $0.registerCatalog(ListedKeys(allKeys: [.key(DraftKey(syncPolicy: .never))])) }
        #expect(try SyncSnapshot(in: pair.phone.session.applicationContext)?.entries["draft_7"] == nil)
        _ = try await pair.phone.run { try await $0.registerCatalog(ListedKeys(allKeys: [.key(DraftKey())])) }
        try await pair.phone.sync()
        #expect(try SyncSnapshot(in: pair.phone.session.applicationContext)?.entries["draft_7"] != nil)
    }

    /// A device that has a version takes the next one in a process that has not used the name.
    @Test func whatIsKnownIsTaken() async throws {
        let pair = try await Self.phone()
        _ = try await pair.watch.value(Self.draft)
        try await pair.heal()
        try await Self.relaunch(pair.watch)
        try await pair.phone.set("second", for: Self.draft)
        try await pair.watch.sync()
        try await pair.settle()
        #expect(pair.watch.storage.files.peek("/app/Documents/draft_7") == Data("\"second\"".utf8))
    }

    /// The record of a removal goes once both have it, also where no process uses the name any more.
    @Test func aRemovalIsForgottenByLaterProcesses() async throws {
        let pair = try await Self.phone()
        _ = try await pair.watch.value(Self.draft)
        try await pair.heal()
        #expect(try await pair.watch.value(Self.draft) == "first")
        try await pair.phone.remove(Self.draft)
        for device in pair.devices { try await Self.relaunch(device) }
        try await pair.heal()
        for device in pair.devices {
            #expect(try device.record(Self.draft) == nil, "\(device.storage.environment.device.role)")
        }
    }
}
