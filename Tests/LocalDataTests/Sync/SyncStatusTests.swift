import Foundation
import Testing
import WatchConnectivity

@testable import LocalData

@Suite struct SyncStatusTests {
    struct Obstruction: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let role: DeviceRole
        let prepare: @Sendable (PairedSession) -> Void
        let obstacle: SyncObstacle
    }

    static let obstructions: [Obstruction] = [
        .init(testDescription: "not supported", role: .phone, prepare: { $0.isSupported = false }, obstacle: .sessionNotSupported),
        .init(testDescription: "a host", role: .host, prepare: { _ in }, obstacle: .sessionNotSupported),
        .init(
            testDescription: "not activated", role: .watch, prepare: { $0.activationState = .notActivated }, obstacle: .sessionNotActivated),
        .init(testDescription: "inactive", role: .phone, prepare: { $0.activationState = .inactive }, obstacle: .sessionInactive),
        .init(testDescription: "not paired", role: .phone, prepare: { $0.isPaired = false }, obstacle: .counterpartNotPaired),
        .init(
            testDescription: "no watch app", role: .phone, prepare: { $0.isWatchAppInstalled = false },
            obstacle: .counterpartAppNotInstalled),
        .init(
            testDescription: "no phone app", role: .watch, prepare: { $0.isCompanionAppInstalled = false },
            obstacle: .counterpartAppNotInstalled),
        .init(testDescription: "refused", role: .phone, prepare: { $0.maximumByteCount = 0 }, obstacle: .refused(code: 7009)),
    ]

    @Test(arguments: obstructions) func aSetNeverFailsForTheSessionsSake(_ obstruction: Obstruction) async throws {
        let device = SyncDevice(obstruction.role, keys: SyncPair.keys)
        obstruction.prepare(device.session)
        try await device.set("dark", for: ThemeKey())
        #expect(try await device.value(ThemeKey()) == "dark")
        #expect(await device.status().pending == [.init(key: "theme", obstacle: obstruction.obstacle)])
    }

    /// W25: `isWatchAppInstalled` may be false for an app that is there, and `isCompanionAppInstalled` means something to independent watch apps only.
    @Test(arguments: [DeviceRole.phone, .watch]) func anAppThatOnlyLooksMissingIsSentTo(_ role: DeviceRole) async throws {
        let device = SyncDevice(role, keys: SyncPair.keys)
        device.session.isWatchAppInstalled = role == .watch
        device.session.isCompanionAppInstalled = role == .phone
        device.session.takesSendsUnnoticed = true
        try await device.set("dark", for: ThemeKey())
        #expect(device.session.sendCount == 1)
        #expect(await device.status().pending == [])
        device.session.takesSendsUnnoticed = false
        try await device.set("light", for: ThemeKey())
        try await device.sync()
        #expect(await device.status().pending == [.init(key: "theme", obstacle: .counterpartAppNotInstalled)])
        #expect(await device.status().lastError == nil, "what is known is no error")
    }

    /// A sync that is cancelled while it waits for a key's turn says nothing of the key.
    @Test func aCancelledSyncFindsNothingWrongWithAKey() async throws {
        let device = SyncDevice(.phone, keys: SyncPair.keys)
        try await device.set("dark", for: ThemeKey())
        device.relaunch()
        let location = try StorageLocation(of: ThemeKey())
        try await device.run { router in
            try await router.engines.turns.run(at: location) {
                let syncing = Task.detached { try await device.sync() }
                syncing.cancel()
                _ = await syncing.result
            }
        }
        #expect(await device.status().pending == [])
        try await device.sync()
        #expect(await device.status().pending == [])
        #expect(try await device.value(ThemeKey()) == "dark")
    }

    /// To a watch it looks as if the phone had no app, and the session refuses for another reason.
    @Test func aWatchWithoutAPhoneWaits() async throws {
        let device = SyncDevice(.watch, keys: SyncPair.keys)
        device.session.isPaired = false
        device.session.isCompanionAppInstalled = false
        try await device.set("dark", for: ThemeKey())
        try await device.sync()
        #expect(await device.status().pending == [.init(key: "theme", obstacle: .counterpartAppNotInstalled)])
        #expect(await device.status().lastError == nil)
    }

    @Test func whatWaitedIsSentByTheNextSync() async throws {
        let pair = SyncPair()
        pair.phone.session.activationState = .notActivated
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.phone.sync()
        pair.phone.session.activationState = .activated
        try await pair.phone.sync()
        #expect(await pair.phone.status().pending == [])
        try await pair.settle()
        #expect(try await pair.watch.value(ThemeKey()) == "dark")
        #expect(await pair.watch.status().pending == [], "what came from the counterpart does not wait to go there")
    }

    @Test func aRefusalIsThrownWhereASyncWasAskedFor() async throws {
        let device = SyncDevice(.phone, keys: SyncPair.keys)
        device.session.maximumByteCount = 0
        try await device.set("dark", for: ThemeKey())
        let error = await #expect(throws: StorageError.self) { try await device.sync() }
        #expect(error?.facts.first?.hasPrefix("WCError 7009") == true)
        #expect(await device.status().lastError != nil)
        device.session.maximumByteCount = 262_144
        try await device.sync()
        #expect(await device.status().lastError == nil)
    }

    @Test func aSessionWithASmallerLimitGetsWhatFits() async throws {
        let device = SyncDevice(.phone, keys: SyncPair.keys)
        device.session.maximumByteCount = 40_000
        try await device.set(String(repeating: "x", count: 60_000), for: NotesKey())
        try await device.set("dark", for: ThemeKey())
        let status = await device.status()
        #expect(status.didNotFit == ["notes"])
        #expect(status.pending == [.init(key: "notes", obstacle: .didNotFit)])
        #expect(try SyncSnapshot(device.session.applicationContext).entries.keys.sorted() == ["theme"])
    }

    @Test func largeValuesAreNamedAndStayHere() async throws {
        let pair = SyncPair()
        try await pair.phone.set(String(repeating: "x", count: 100_001), for: NotesKey())
        #expect(await pair.phone.status().pending == [.init(key: "notes", obstacle: .tooLarge)])
        try await pair.heal()
        #expect(try await pair.watch.value(NotesKey()) == nil)
    }

    @Test func aLockedKeyWaitsAndIsNotTakenForDeleted() async throws {
        let pair = SyncPair()
        try await pair.phone.set("t0ken", for: TokenKey())
        try await pair.heal()
        pair.phone.relaunch()
        pair.phone.storage.lockState = .locked
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.heal()
        #expect(await pair.phone.status().lockedKeys == ["token"])
        #expect(try await pair.watch.value(TokenKey()) == "t0ken")
        try await pair.watch.set("newer", for: TokenKey())
        let report = try await pair.deliver(to: pair.phone)
        #expect(report?.deferred == ["token"])
        pair.phone.storage.lockState = .unlocked
        try await pair.heal()
        #expect(try await pair.phone.value(TokenKey()) == "newer")
        #expect(await pair.phone.status().lockedKeys == [])
    }

    @Test func aDamagedRecordIsVisibleAndTheValueCountsAsUnversioned() async throws {
        let pair = SyncPair()
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.heal()
        pair.phone.relaunch()
        pair.phone.storage.defaults.put(.string(#"{"committed":{"con"#), forKey: "com.localdata.sync.theme")
        #expect(await pair.phone.status().problems["theme"]?.code == .corrupt)
        try await pair.watch.set("newer", for: ThemeKey())
        try await pair.heal()
        for device in pair.devices { #expect(try await device.value(ThemeKey()) == "newer") }
        #expect(await pair.phone.status().problems["theme"] == nil)
    }

    @Test func aDamagedRecordDoesNotMakeALaterChangeLose() async throws {
        let pair = SyncPair()
        for number in 0..<5 { try await pair.phone.set("\(number)", for: ThemeKey()) }
        try await pair.heal()
        pair.phone.relaunch()
        pair.phone.storage.defaults.put(.integer(5), forKey: "com.localdata.sync.theme")
        try await pair.phone.set("mine", for: ThemeKey())
        try await pair.heal()
        for device in pair.devices { #expect(try await device.value(ThemeKey()) == "mine") }
    }

    @Test func aNewerRecordIsLeftAloneAndItsKeyDoesNotSync() async throws {
        let pair = SyncPair()
        let newer = PropertyListValue.string(#"{"version":2}"#)
        pair.phone.storage.defaults.put(newer, forKey: "com.localdata.sync.theme")
        try await pair.phone.set("dark", for: ThemeKey())
        #expect(try await pair.phone.value(ThemeKey()) == "dark")
        #expect(pair.phone.storage.defaults.peek("com.localdata.sync.theme") == newer)
        #expect(await pair.phone.status().pending == [.init(key: "theme", obstacle: .unreadable(.superseded))])
        let error = await #expect(throws: StorageError.self) { try await pair.phone.remove(ThemeKey()) }
        #expect(error?.code == .superseded, "a deletion that cannot be remembered would be undone by the counterpart")
    }

    /// An item that is readable before the first unlock, when the ledger is not.
    @Test func beforeTheFirstUnlockALocalChangeIsStoredAndStampedLater() async throws {
        let pair = SyncPair(keys: [.key(AlwaysKey())])
        try await pair.phone.set("old", for: AlwaysKey())
        try await pair.heal()
        pair.phone.relaunch()
        pair.phone.storage.lockState = .beforeFirstUnlock
        try await pair.phone.set("new", for: AlwaysKey())
        #expect(try await pair.phone.value(AlwaysKey()) == "new")
        #expect(await pair.phone.status().pending == [.init(key: "always", obstacle: .unreadable(.lockedBeforeFirstUnlock))])
        pair.phone.storage.lockState = .unlocked
        try await pair.heal()
        #expect(try await pair.watch.value(AlwaysKey()) == "new")
        // Nobody could look up what it follows, so its counter is one that nothing earlier has.
        let stamp = try #require(try pair.phone.record(AlwaysKey())?.committed.stamp)
        let replica = try pair.phone.replica
        #expect(stamp.counter > 1 && stamp.device == replica)
    }

    struct AlwaysKey: StorageKey {
        typealias Value = String
        let name = "always"
        let domain: StorageDomain = .keychain(service: nil)
        let security: SecurityPolicy = .keychain(accessibility: .always, accessControl: nil)
        let owner = "Tests"
        let syncPolicy: SyncPolicy = .automaticSmall
    }

    @Test func twoKeysOfOneNameDoNotMix() async throws {
        struct OtherThemeKey: StorageKey {
            typealias Value = String
            let name = "theme"
            let domain: StorageDomain = .fileSystem(directory: .documents)
            let security: SecurityPolicy = .none
            let owner = "Tests"
            let syncPolicy: SyncPolicy = .automaticSmall
        }
        let pair = SyncPair()
        try await pair.phone.set("first", for: ThemeKey())
        try await pair.phone.set("second", for: OtherThemeKey())
        try await pair.heal()
        #expect(try await pair.watch.value(ThemeKey()) == "first")
        #expect(await pair.phone.status().problems["theme"]?.code == .invalidKey)
    }
}
