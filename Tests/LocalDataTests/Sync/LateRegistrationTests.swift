import Foundation
import Testing

@testable import LocalData

/// An app that registers some of its keys later than at launch, against what the documentation tells it: what came for them before is theirs once the app
/// has registered them and syncs, and nothing that was removed comes back.
@Suite struct LateRegistrationTests {
    private static let early: [AnyStorageKey] = [.key(ThemeKey()), .key(TokenKey())]
    private static let late: [AnyStorageKey] = [.key(NotesKey()), .key(SealedKey()), .key(SealedSettingKey())]

    /// Edits on either device, each by an app that has registered and synced before it, with launches and deliveries between them.
    @Test(arguments: UInt64(0)..<24) func theLastEditHolds(seed: UInt64) async throws {
        var random = TestGenerator(seed: seed)
        let pair = SyncPair(keys: Self.early, seed: seed)
        let key = Int.random(in: 0..<3, using: &random)
        var expected: String?
        for step in 0..<24 {
            let device = pair.devices[Int.random(in: 0..<2, using: &random)]
            switch Int.random(in: 0..<8, using: &random) {
            case 0: device.relaunch()
            case 1: try await device.sync()
            case 2: try await pair.settle()
            case 3: try await pair.heal()
            // Something else is said, by a process that may not know what it said before under the other names.
            case 4, 5: try await device.set("other \(step)", for: ThemeKey())
            default:
                // All that is under way arrives, at an app that may not know the key yet.
                try await pair.settle()
                device.register(Self.late)
                try await device.sync()
                try await pair.settle()
                if Int.random(in: 0..<3, using: &random) == 0 {
                    expected = nil
                    try await Self.remove(key, on: device)
                } else {
                    expected = "value \(step)"
                    try await Self.set("value \(step)", key, on: device)
                }
            }
        }
        for device in pair.devices { device.register(Self.late) }
        try await pair.heal()
        for device in pair.devices {
            #expect(try await Self.value(key, on: device) == expected, "seed \(seed), \(device.storage.environment.device.role)")
        }
    }

    private struct PolicyKey: StorageKey {
        typealias Value = String
        let name = "account"
        let domain: StorageDomain = .fileSystem(directory: .documents)
        let security: SecurityPolicy = .none
        let owner = "Tests"
        let description = "Who is signed in"
        var syncPolicy: SyncPolicy = .automaticSmall
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

    private struct NoteKey: StorageKey {
        typealias Value = String
        var name = "note_<id>"
        let domain: StorageDomain = .fileSystem(directory: .documents)
        let security: SecurityPolicy = .none
        let owner = "Tests"
        let description = "A note"
        let syncPolicy: SyncPolicy = .automaticSmall
    }

    /// Registered with the key on both devices, and the same value on both.
    private static func pair() async throws -> SyncPair {
        let pair = SyncPair(keys: [])
        for device in pair.devices { try await register([.key(ColorKey()), .key(PolicyKey())], on: device) }
        try await pair.phone.set("first", for: PolicyKey())
        try await pair.heal()
        #expect(try await pair.watch.value(PolicyKey()) == "first")
        return pair
    }

    private static func register(_ keys: [AnyStorageKey], on device: SyncDevice) async throws {
        try await device.run { _ = try await $0.registerCatalog(ListedKeys(allKeys: keys)) }
    }

    /// A list that is taken anew without a key: what comes for the key is not taken any more, until it is listed again.
    @Test func whatIsListedNoMoreIsNotTaken() async throws {
        let pair = try await Self.pair()
        try await Self.register([.key(ColorKey())], on: pair.watch)
        try await pair.phone.set("second", for: PolicyKey())
        try await pair.heal()
        #expect(pair.watch.router.sync.ledger.receivingKey("account") == nil)
        #expect(await storageError { _ = try await pair.watch.value(PolicyKey()) }?.code == .notRegistered)
        let report = try await pair.watch.run { try await $0.apply(pair.phone.run { try await $0.syncSnapshot() }) }
        #expect(report.outcomes["account"]?.isNews != true)
        try await Self.register([.key(ColorKey()), .key(PolicyKey())], on: pair.watch)
        #expect(try await pair.watch.value(PolicyKey()) == "first")
        try await pair.heal()
        #expect(try await pair.watch.value(PolicyKey()) == "second")
    }

    /// Nor under a name that was made at run time, and whose kind is listed no more.
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
        #expect(try await pair.watch.value(note) == "first")
    }

    /// A list that is taken anew with another policy of sync: nothing comes and goes from then on.
    @Test func whatIsDeclaredToStayStays() async throws {
        let pair = try await Self.pair()
        try await Self.register([.key(ColorKey()), .key(PolicyKey(syncPolicy: .never))], on: pair.watch)
        #expect(try SyncSnapshot(in: pair.watch.session.applicationContext)?.entries["account"] == nil)
        try await pair.watch.set("own", for: PolicyKey(syncPolicy: .never))
        try await pair.phone.set("second", for: PolicyKey())
        try await pair.heal()
        #expect(try await pair.watch.value(PolicyKey(syncPolicy: .never)) == "own")
        #expect(try await pair.phone.value(PolicyKey()) == "second")
        #expect(try SyncSnapshot(in: pair.watch.session.applicationContext)?.entries["account"] == nil)
    }

    /// Of a cancelled task nothing is sent that leaves out what it did not read.
    @Test func aCancelledSyncSaysSo() async throws {
        let pair = try await Self.pair()
        pair.watch.relaunch()
        try await Self.register([.key(ColorKey()), .key(PolicyKey())], on: pair.watch)
        let sync = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await pair.watch.sync()
        }
        await #expect(throws: CancellationError.self) { try await sync.value }
        try await pair.heal()
        #expect(try await pair.watch.value(PolicyKey()) == "first")
    }

    private static func set(_ value: String, _ key: Int, on device: SyncDevice) async throws {
        switch key {
        case 0: try await device.set(value, for: NotesKey())
        case 1: try await device.set(value, for: SealedKey())
        default: try await device.set(value, for: SealedSettingKey())
        }
    }

    private static func remove(_ key: Int, on device: SyncDevice) async throws {
        switch key {
        case 0: try await device.remove(NotesKey())
        case 1: try await device.remove(SealedKey())
        default: try await device.remove(SealedSettingKey())
        }
    }

    private static func value(_ key: Int, on device: SyncDevice) async throws -> String? {
        switch key {
        case 0: try await device.value(NotesKey())
        case 1: try await device.value(SealedKey())
        default: try await device.value(SealedSettingKey())
        }
    }
}
