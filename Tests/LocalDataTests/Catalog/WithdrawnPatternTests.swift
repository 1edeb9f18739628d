import Foundation
import Testing

@testable import LocalData

/// What a list that is taken anew does not have any more is neither taken nor sent, also under a name that was made at run time.
@Suite struct WithdrawnPatternTests {
    private struct NoteKey: StorageKey {
        typealias Value = String
        var name = "note_<id>"
        let domain: StorageDomain = .fileSystem(directory: .documents)
        let security: SecurityPolicy = .none
        let owner = "Tests"
        let description = "A note"
        let syncPolicy: SyncPolicy = .automaticSmall
    }

    private struct ColorKey: StorageKey {
        typealias Value = String
        let name = "color"
        let domain: StorageDomain = .userDefaults(suite: nil)
        let security: SecurityPolicy = .none
        let owner = "Tests"
        let description = "The color"
        let syncPolicy: SyncPolicy = .automaticSmall
    }

    private static func register(_ keys: [AnyStorageKey], on device: SyncDevice) async throws {
        try await device.run { _ = try await $0.registerCatalog(ListedKeys(allKeys: keys)) }
    }

    @Test func aNameOfAKindThatIsListedNoMoreIsNotTaken() async throws {
        let pair = SyncPair(keys: [])
        for device in pair.devices { try await Self.register([.key(ColorKey()), .key(NoteKey())], on: device) }
        let note = NoteKey(name: "note_7")
        _ = try? await pair.watch.value(note)
        try await pair.phone.set("first", for: note)
        try await pair.heal()
        #expect(try await pair.watch.value(note) == "first")
        try await Self.register([.key(ColorKey())], on: pair.watch)
        #expect(pair.watch.router.sync.ledger.receivingKey("note_7") == nil)
        try await pair.phone.set("second", for: note)
        try await pair.heal()
        try await Self.register([.key(ColorKey()), .key(NoteKey())], on: pair.watch)
        // It was not taken meanwhile.
        #expect(try await pair.watch.value(note) == "first")
    }
}
