import Foundation
import Testing
import WatchConnectivity

@testable import LocalData

@Suite struct SyncTests {
    @Test func aValueArrivesOnceAndIsNotEchoed() async throws {
        let pair = SyncPair()
        try await pair.phone.set("dark", for: ThemeKey())
        let report = try await pair.deliver(to: pair.watch)
        #expect(report?.outcomes == ["theme": .applied])
        #expect(try await pair.watch.value(ThemeKey()) == "dark")
        #expect(pair.watch.session.attemptCount == 0)
        #expect(pair.phone.session.sendCount == 1)
    }

    @Test(arguments: [true, false]) func everyDomainTravels(fromPhone: Bool) async throws {
        let pair = SyncPair()
        let (sender, receiver) = fromPhone ? (pair.phone, pair.watch) : (pair.watch, pair.phone)
        try await sender.set("dark", for: ThemeKey())
        try await sender.set("milk", for: NotesKey())
        try await sender.set("t0ken", for: TokenKey())
        try await sender.set("sealed 1", for: SealedKey())
        try await sender.set("sealed 2", for: SealedSettingKey())
        try await pair.settle()
        #expect(try await receiver.value(ThemeKey()) == "dark")
        #expect(try await receiver.value(NotesKey()) == "milk")
        #expect(try await receiver.value(TokenKey()) == "t0ken")
        #expect(try await receiver.value(SealedKey()) == "sealed 1")
        #expect(try await receiver.value(SealedSettingKey()) == "sealed 2")
        #expect(try receiver.record(ThemeKey())?.committed.stamp == SyncStamp(counter: 1, device: sender.replica))
    }

    @Test func aChangeReadsNoOtherKeyAndTakesNothingOutOfTheContext() async throws {
        let pair = SyncPair()
        try await pair.phone.set("t0ken", for: TokenKey())
        try await pair.phone.set("milk", for: NotesKey())
        pair.phone.relaunch()
        let before = pair.phone.storage.keychain.operations.count
        try await pair.phone.set("dark", for: ThemeKey())
        #expect(pair.phone.storage.keychain.operations.count == before)
        try await pair.settle()
        #expect(try await pair.watch.value(TokenKey()) == "t0ken")
        #expect(try await pair.watch.value(NotesKey()) == "milk")
    }

    @Test(arguments: [1, 30]) func aChangeCostsTheSameWithManyKeys(count: Int) async throws {
        struct NumberedKey: StorageKey {
            typealias Value = Int
            let number: Int
            var name: String { "number\(number)" }
            let domain: StorageDomain = .fileSystem(directory: .documents)
            let security: SecurityPolicy = .none
            let owner = "Tests"
            let syncPolicy: SyncPolicy = .automaticSmall
        }
        let phone = SyncDevice(.phone, keys: (0..<count).map { .key(NumberedKey(number: $0)) })
        for number in 0..<count { try await phone.set(0, for: NumberedKey(number: number)) }
        try await phone.sync()
        phone.crash.arm(before: nil)
        try await phone.set(1, for: NumberedKey(number: 0))
        // Two files written durably: the record and the value.
        #expect(phone.crash.operations <= 12)
    }

    @Test func theAppsOwnEntriesStayInTheContext() async throws {
        let pair = SyncPair()
        pair.phone.session.applicationContext = ["steps": 12, "nested": ["a": [1, 2]]]
        try await pair.phone.set("dark", for: ThemeKey())
        #expect(pair.phone.session.applicationContext["steps"] as? Int == 12)
        #expect(pair.phone.session.applicationContext.keys.sorted() == ["com.localdata.sync", "nested", "steps"])
    }

    @Test func aClobberedContextIsPutBackByTheNextSync() async throws {
        let pair = SyncPair()
        try await pair.phone.set("dark", for: ThemeKey())
        // The app replaces the context as a whole, before delivery (P2).
        try pair.phone.session.updateApplicationContext(["steps": 13])
        try await pair.deliver(to: pair.watch)
        #expect(try await pair.watch.value(ThemeKey()) == nil)
        #expect(await pair.phone.status().pending == [.init(key: "theme", obstacle: .waiting)])
        try await pair.phone.sync()
        try await pair.settle()
        #expect(try await pair.watch.value(ThemeKey()) == "dark")
        #expect(pair.phone.session.applicationContext["steps"] as? Int == 13)
    }

    @Test func manualKeysWaitUntilASyncIsAskedFor() async throws {
        let pair = SyncPair()
        try await pair.phone.set("m", for: ManualKey())
        #expect(pair.phone.session.sendCount == 0)
        #expect(await pair.phone.status().pending == [.init(key: "manual", obstacle: .notRequested)])
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.settle()
        #expect(try await pair.watch.value(ManualKey()) == nil)
        try await pair.phone.sync()
        try await pair.settle()
        #expect(try await pair.watch.value(ManualKey()) == "m")
        try await pair.phone.set("m2", for: ManualKey())
        try await pair.phone.set("light", for: ThemeKey())
        try await pair.settle()
        #expect(try await pair.watch.value(ManualKey()) == "m")
    }

    @Test func keysOfOneDeviceStayThere() async throws {
        let pair = SyncPair()
        try await pair.phone.set("secret", for: PhoneKey())
        try await pair.heal()
        #expect(try pair.watch.storage.defaults.keys(in: .standard).allSatisfy { !$0.contains("phoneOnly") })
        let forged = SyncSnapshot(
            device: "x", epoch: "x", sequence: 1, content: 1,
            entries: ["phoneOnly": SyncEntry(stamp: SyncStamp(counter: 9, device: "x"), value: Data("1".utf8))])
        let report = try await pair.watch.run { try await $0.apply(forged) }
        #expect(report.outcomes == ["phoneOnly": .notSynced])
    }

    @Test func theHigherStampWinsOnBothSides() async throws {
        let pair = SyncPair()
        try await pair.phone.set("p", for: ThemeKey())
        try await pair.watch.set("w1", for: ThemeKey())
        try await pair.watch.set("w2", for: ThemeKey())
        try await pair.settle()
        for device in pair.devices { #expect(try await device.value(ThemeKey()) == "w2") }
    }

    @Test func aDeletionTravelsAndIsForgottenByBoth() async throws {
        let pair = SyncPair()
        for device in pair.devices { try await device.sync() }
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.heal()
        try await pair.phone.remove(ThemeKey())
        #expect(await pair.phone.status().tombstones == ["theme"])
        try await pair.settle()
        #expect(try await pair.watch.value(ThemeKey()) == nil)
        try await pair.heal()
        for device in pair.devices {
            #expect(await device.status().tombstones == [])
            #expect(try device.record(ThemeKey()) == nil)
            #expect(try device.storage.defaults.keys(in: .standard) == [])
        }
    }

    @Test func aValueSetAfterAForgottenDeletionWinsOverOneThatIsStillRemembered() async throws {
        let pair = SyncPair()
        try await pair.phone.set("a", for: ThemeKey())
        try await pair.heal()
        try await pair.phone.remove(ThemeKey())
        try await pair.settle()
        // The watch tells the phone that it has the deletion; the phone forgets it, the watch does not know that yet.
        try await pair.watch.sync()
        try await pair.deliver(to: pair.phone)
        #expect(try pair.phone.record(ThemeKey()) == nil)
        pair.phone.relaunch()
        try await pair.phone.set("b", for: ThemeKey())
        try await pair.settle()
        #expect(try await pair.watch.value(ThemeKey()) == "b")
        #expect(try await pair.phone.value(ThemeKey()) == "b")
    }

    @Test func aReplayedContextDoesNotBringBackWhatWasDeleted() async throws {
        let pair = SyncPair()
        try await pair.phone.set("a", for: ThemeKey())
        let old = pair.phone.session.applicationContext
        try await pair.heal()
        try await pair.phone.remove(ThemeKey())
        try await pair.heal()
        try await pair.heal()
        #expect(try pair.watch.record(ThemeKey()) == nil)
        let snapshot = try SyncSnapshot(old)
        let report = try await pair.watch.run { try await $0.apply(snapshot) }
        #expect(report.isOutdated)
        #expect(try await pair.watch.value(ThemeKey()) == nil)
    }

    @Test func aWatchThatStartsFirstAsksAndGetsEverything() async throws {
        let pair = SyncPair()
        pair.phone.session.activationState = .notActivated
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.phone.set("m", for: ManualKey())
        #expect(StorageRouter.isSyncRequest(StorageRouter.syncRequest))
        #expect(!StorageRouter.isSyncRequest(["steps": 1]))
        let reply = try await pair.phone.run { try await $0.syncSnapshot() }
        let report = try await pair.watch.run { try await $0.apply(reply) }
        // What is sent by hand waits for the phone's app.
        #expect(report.applied == ["theme"])
        #expect(try await pair.watch.value(ThemeKey()) == "dark")
    }

    @Test func anAnswerFitsAMessage() async throws {
        let pair = SyncPair()
        try await pair.phone.set(String(repeating: "x", count: 70_000), for: NotesKey())
        try await pair.phone.set("dark", for: ThemeKey())
        let reply = try await pair.phone.run { try await $0.syncSnapshot() }
        #expect(reply.entries.keys.sorted() == ["theme"])
        #expect(reply.omitted == ["notes"])
        #expect(reply.omittedVersions["notes"]?.stamp.counter == 1)
        let bytes = try PropertyListSerialization.data(fromPropertyList: reply.payload, format: .binary, options: 0).count
        #expect(bytes <= SyncSnapshot.maximumMessageByteCount)
    }

    /// The watch has heard of a version that is too large to travel: what it sets comes after that, also in the next process, before that has heard anything.
    @Test(arguments: [false, true]) func anEditComesAfterWhatIsTooLargeToTravel(isRelaunched: Bool) async throws {
        let pair = SyncPair()
        try await pair.phone.set("first", for: NotesKey())
        try await pair.settle()
        for letter in ["x", "y"] { try await pair.phone.set(String(repeating: letter, count: 100_001), for: NotesKey()) }
        try await pair.settle()
        #expect(try await pair.watch.value(NotesKey()) == "first")
        if isRelaunched { pair.watch.relaunch() }
        try await pair.watch.set("short", for: NotesKey())
        try await pair.settle()
        #expect(try await pair.phone.value(NotesKey()) == "short")
        try await pair.phone.set(String(repeating: "z", count: 100_001), for: NotesKey())
        try await pair.settle()
        if isRelaunched { pair.watch.relaunch() }
        try await pair.watch.remove(NotesKey())
        try await pair.settle()
        #expect(try await pair.phone.value(NotesKey()) == nil)
    }

    /// What a device has itself it does not miss, though its counterpart passes on what it was told.
    @Test func aDeviceMissesNothingThatItHas() async throws {
        let pair = SyncPair()
        try await pair.watch.set(String(repeating: "x", count: 100_001), for: NotesKey())
        try await pair.settle()
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.settle()
        #expect(try SyncSnapshot(in: pair.phone.session.applicationContext)?.omittedVersions["notes"]?.stamp.counter == 1)
        #expect(try await pair.phone.run { try $0.sync.ledger.installation().missed } == ["notes": 1])
        #expect(try await pair.watch.run { try $0.sync.ledger.installation().missed } == [:])
        try await pair.watch.remove(NotesKey())
        try await pair.settle()
        #expect(try await pair.phone.run { try $0.sync.ledger.installation().missed } == [:])
    }

    /// What was removed unseen is remembered until what was sent has been looked at, or another value is set.
    @Test func aRemovalUnseenIsRememberedNoLongerThanItMustBe() async throws {
        let pair = SyncPair()
        try await pair.phone.set("draft", for: NotesKey())
        try await pair.settle()
        pair.phone.relaunch()
        func remembered() async throws -> Set<String> { try await pair.phone.run { try $0.sync.ledger.installation().removedUnseen } }
        try await pair.phone.remove(ThemeKey())
        #expect(try await remembered() == ["theme"])
        try await pair.phone.set("dark", for: ThemeKey())
        #expect(try await remembered() == [])
        pair.phone.relaunch()
        try await pair.phone.remove(TokenKey())
        pair.phone.relaunch()
        #expect(try await remembered().count == 1)
        try await pair.heal()
        #expect(try await remembered() == [])
        // By now it knows what was sent.
        try await pair.phone.remove(PhoneKey())
        #expect(try await remembered() == [])
    }

    @Test func aContextDeliveredWhileTheAppCrashedIsAppliedAtTheNextLaunch() async throws {
        let pair = SyncPair()
        try await pair.phone.set("dark", for: ThemeKey())
        pair.watch.session.receivedApplicationContext = try #require(pair.phone.session.takeUnderWay())
        pair.watch.relaunch()
        try await pair.watch.sync()
        #expect(try await pair.watch.value(ThemeKey()) == "dark")
    }

    @Test func aReinstalledWatchGetsEverythingAgain() async throws {
        let pair = SyncPair()
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.heal()
        let fresh = SyncDevice(.watch, keys: SyncPair.keys, seed: 99)
        try await fresh.sync()
        let hello = try #require(fresh.session.takeUnderWay())
        pair.phone.session.receivedApplicationContext = hello
        let snapshot = try SyncSnapshot(hello)
        _ = try await pair.phone.run { try await $0.apply(snapshot) }
        let context = try #require(pair.phone.session.takeUnderWay())
        let again = try SyncSnapshot(context)
        _ = try await fresh.run { try await $0.apply(again) }
        #expect(try await fresh.value(ThemeKey()) == "dark")
    }

    @Test func askingWithoutNeedSendsNothing() async throws {
        let pair = SyncPair()
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.heal()
        let before = pair.devices.map(\.session.sendCount)
        for _ in 0..<3 { try await pair.heal() }
        #expect(pair.devices.map(\.session.sendCount) == before)
        try await pair.phone.run { try await $0.syncNow() }
        #expect(pair.phone.session.sendCount == before[0] + 1, "a forced one differs by its sequence (W48)")
    }

    @Test func aDevicesOwnContextIsRefused() async throws {
        let pair = SyncPair()
        try await pair.phone.set("dark", for: ThemeKey())
        let own = try SyncSnapshot(pair.phone.session.applicationContext)
        let error = await #expect(throws: StorageError.self) { try await pair.phone.run { try await $0.apply(own) } }
        #expect(error?.code == .invalidSnapshot)
    }

    private struct MovedKey: StorageKey {
        typealias Value = String
        let name = "moved"
        let domain: StorageDomain = .fileSystem(directory: .documents)
        let security: SecurityPolicy = .none
        let owner = "Tests"
        let syncPolicy: SyncPolicy = .automaticSmall
        var migration: AnyStorageMigration? {
            AnyStorageMigration(SimpleLegacyMigration(destinationKey: self, sourceKey: .key(OldKey())))
        }
    }

    private struct OldKey: StorageKey {
        typealias Value = String
        let name = "old"
        let domain: StorageDomain = .userDefaults(suite: nil)
        let security: SecurityPolicy = .none
        let owner = "Tests"
    }

    @Test func aDeletionDoesNotBringBackWhatAnEarlierVersionLeft() async throws {
        let pair = SyncPair(keys: [.key(MovedKey())])
        pair.watch.storage.defaults.put(.string("left behind"), forKey: "old")
        try await pair.phone.set("v", for: MovedKey())
        try await pair.phone.remove(MovedKey())
        try await pair.settle()
        #expect(try await pair.watch.value(MovedKey()) == nil)
    }

    /// What an earlier version left is older than a choice, whichever device's name sorts last.
    @Test(arguments: [DeviceRole.phone, .watch])
    func aMigratedValueLosesAgainstOneThatWasSet(_ updated: DeviceRole) async throws {
        let pair = SyncPair(keys: [.key(MovedKey())])
        let (old, other) = updated == .phone ? (pair.phone, pair.watch) : (pair.watch, pair.phone)
        old.storage.defaults.put(.string("left behind"), forKey: "old")
        try await other.set("chosen", for: MovedKey())
        #expect(try await old.value(MovedKey()) == "left behind")
        try await pair.settle()
        #expect(try await old.value(MovedKey()) == "chosen")
        #expect(try await other.value(MovedKey()) == "chosen")
    }

    @Test func unknownKeysAreReportedAndAppliedOnceTheyAreKnown() async throws {
        let phone = SyncDevice(.phone, keys: SyncPair.keys)
        let watch = SyncDevice(.watch, keys: [.key(NotesKey())])
        try await phone.set("dark", for: ThemeKey())
        let context = try #require(phone.session.takeUnderWay())
        watch.session.receivedApplicationContext = context
        let snapshot = try SyncSnapshot(context)
        let report = try await watch.run { try await $0.apply(snapshot) }
        #expect(report.unknown == ["theme"])
        #expect(await watch.status().unknownKeys == ["theme"])
        watch.router.sync.ledger.note(ThemeKey())
        try await watch.sync()
        #expect(try await watch.value(ThemeKey()) == "dark")
        #expect(await watch.status().unknownKeys == [])
    }

    @Test func aValueThatDoesNotDecodeIsRefusedAndTheOldOneStays() async throws {
        let pair = SyncPair()
        try await pair.watch.set("dark", for: ThemeKey())
        let snapshot = SyncSnapshot(
            device: "phone", epoch: "e", sequence: 1, content: 1,
            entries: ["theme": SyncEntry(stamp: SyncStamp(counter: 9, device: "phone"), value: Data("[1]".utf8))])
        let report = try await pair.watch.run { try await $0.apply(snapshot) }
        #expect(report.outcomes == ["theme": .failed(.wrongType)])
        #expect(try await pair.watch.value(ThemeKey()) == "dark")
    }

    @Test func aValueFoundWithoutAStampLosesAgainstAnyStampAndIsSentOtherwise() async throws {
        let pair = SyncPair()
        pair.phone.storage.defaults.put(.string("found"), forKey: "theme")
        try await pair.heal()
        #expect(try await pair.watch.value(ThemeKey()) == "found")
        try await pair.watch.set("chosen", for: ThemeKey())
        try await pair.heal()
        #expect(try await pair.phone.value(ThemeKey()) == "chosen")
    }

    @Test func anEditMadeElsewhereIsFoundBySyncing() async throws {
        let pair = SyncPair()
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.heal()
        pair.phone.storage.defaults.put(.string("edited"), forKey: "theme")
        try await pair.heal()
        #expect(try await pair.watch.value(ThemeKey()) == "edited")
        #expect(try pair.phone.record(ThemeKey())?.committed.stamp == SyncStamp(counter: 2, device: pair.phone.replica))
    }

    @Test func aLostValueComesBackAndDeletesNothing() async throws {
        let pair = SyncPair()
        try await pair.phone.set("milk", for: NotesKey())
        try await pair.heal()
        try pair.phone.storage.files.removeFile(at: "/app/Documents/notes")
        pair.phone.relaunch()
        try await pair.heal()
        for device in pair.devices { #expect(try await device.value(NotesKey()) == "milk") }
    }

    @Test func aSealedValueIsSealedAnewByTheReceiver() async throws {
        let pair = SyncPair()
        try await pair.phone.set("s3cret", for: SealedKey())
        try await pair.heal()
        let stored = try pair.devices.map { try #require($0.storage.files.peek("/app/Documents/sealed")) }
        #expect(stored[0] != stored[1])
        for device in pair.devices {
            for path in device.storage.files.paths {
                #expect(device.storage.files.peek(path)?.range(of: Data("s3cret".utf8)) == nil, "\(path)")
            }
        }
        let before = pair.devices.map(\.session.sendCount)
        pair.phone.relaunch()
        pair.watch.relaunch()
        try await pair.heal()
        #expect(pair.devices.map(\.session.sendCount) == before, "reading a sealed value again is no change of it")
    }

    @Test func observersAreToldWhereAChangeCameFrom() async throws {
        let pair = SyncPair()
        let changes = await pair.watch.run { $0.changes(of: ThemeKey()) }
        var iterator = changes.makeAsyncIterator()
        #expect(try await iterator.next()?.value == .some(nil))
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.settle()
        let change = try #require(try await iterator.next())
        #expect(change.value == "dark")
        #expect(change.origin == .sync(SyncStamp(counter: 1, device: try pair.phone.replica)))
    }

    @Test func aKeysSecretIsNeitherInTheLedgerNorDigested() async throws {
        let pair = SyncPair()
        try await pair.phone.set("1234", for: TokenKey())
        let digest = SHA256Digest.digest(of: Data(#""1234""#.utf8)).hexadecimal
        let paths = pair.phone.storage.files.paths.filter { !$0.hasSuffix("installation.json") }
        #expect(!paths.isEmpty)
        for path in paths {
            let text = String(decoding: try #require(pair.phone.storage.files.peek(path)), as: UTF8.self)
            #expect(!text.contains("1234"))
            #expect(!text.contains(digest) && !text.contains(digest.prefix(32)))
        }
        let item = try #require(pair.phone.storage.keychain.peek("token"))
        #expect(KeychainItemMetadata(stored: item.generic ?? Data()).tag?.count == SyncRevision.countedTagLength)
    }
}
