import Foundation
import Testing

@testable import LocalData

@Suite struct SyncPolicyOverrideTests {
    let pair = SyncPair()

    @Test func neverStopsSendingAndSurvivesARelaunch() async throws {
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.heal()
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.never, for: ThemeKey()) }
        pair.phone.relaunch()
        #expect(pair.phone.router.syncPolicy(of: ThemeKey()) == .never)
        try await pair.phone.set("private", for: ThemeKey())
        try await pair.heal()
        #expect(try await pair.watch.value(ThemeKey()) == "dark")
        try await pair.watch.set("theirs", for: ThemeKey())
        try await pair.heal()
        #expect(try await pair.phone.value(ThemeKey()) == "private")
    }

    @Test func theDeclarationHoldsAgainAfterwards() async throws {
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.heal()
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.never, for: ThemeKey()) }
        try await pair.phone.set("edited meanwhile", for: ThemeKey())
        try await pair.phone.run { try await $0.setSyncPolicyOverride(nil, for: ThemeKey()) }
        try await pair.heal()
        #expect(try await pair.watch.value(ThemeKey()) == "edited meanwhile")
    }

    /// What is removed while the key does not sync is not brought back by the counterpart when it syncs again.
    @Test(arguments: [false, true]) func aRemovalMeanwhileStays(relaunches: Bool) async throws {
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.heal()
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.never, for: ThemeKey()) }
        try await pair.phone.remove(ThemeKey())
        try await pair.heal()
        #expect(try await pair.watch.value(ThemeKey()) == "dark")
        if relaunches { pair.phone.relaunch() }
        try await pair.phone.run { try await $0.setSyncPolicyOverride(nil, for: ThemeKey()) }
        try await pair.heal()
        for device in pair.devices { #expect(try await device.value(ThemeKey()) == nil) }
    }

    /// An edit meanwhile keeps its place: what the counterpart set after it knew of it goes before, and a later edit here goes before that.
    @Test func editsMeanwhileKeepTheirOrder() async throws {
        try await pair.phone.set("dark", for: ThemeKey())
        try await pair.heal()
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.never, for: ThemeKey()) }
        try await pair.phone.set("private", for: ThemeKey())
        for value in ["first", "second", "third"] { try await pair.watch.set(value, for: ThemeKey()) }
        try await pair.heal()
        #expect(try await pair.phone.value(ThemeKey()) == "private")
        try await pair.phone.run { try await $0.setSyncPolicyOverride(nil, for: ThemeKey()) }
        try await pair.heal()
        for device in pair.devices { #expect(try await device.value(ThemeKey()) == "third") }
    }

    @Test func automaticBecomesManual() async throws {
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.manual, for: ThemeKey()) }
        try await pair.phone.set("dark", for: ThemeKey())
        #expect(pair.phone.session.sendCount == 0)
        #expect(await pair.phone.status().pending == [.init(key: "theme", obstacle: .notRequested)])
        try await pair.heal()
        #expect(try await pair.watch.value(ThemeKey()) == "dark")
    }

    @Test func itDoesNotReachBeyondTheAvailability() async throws {
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.automaticSmall, for: PhoneKey()) }
        try await pair.phone.set("private", for: PhoneKey())
        try await pair.heal()
        #expect(try pair.watch.storage.defaults.keys(in: .standard) == [])
    }

    private func key(_ name: String, _ policy: SyncPolicy, from sources: [ValueKey<String>] = []) -> ValueKey<String> {
        var key = ValueKey(name, of: String.self) { key -> AnyStorageMigration? in
            guard !sources.isEmpty else { return nil }
            return AnyStorageMigration(AggregatingMigration(destinationKey: key, sourceKeys: sources.map { .key($0) }) { _ in "" })
        }
        key.syncPolicy = policy
        return key
    }

    /// The choice is the person's, for the value: it holds under the name that an update gives to that.
    @Test func aChoiceGoesAlongWithItsValue() {
        let (old, other) = (key("old", .automaticSmall), key("other", .automaticSmall))
        let new = key("new", .automaticSmall, from: [old])
        let newest = key("newest", .automaticSmall, from: [new])
        let both = key("both", .automaticSmall, from: [old, other])
        let shut = key("shut", .never, from: [old])
        func policies(_ choices: SyncPolicyChoices) -> [SyncPolicy?] { [new, newest, both, shut].map { choices.chosen(for: $0) } }

        var choices = SyncPolicyChoices()
        #expect(policies(choices) == [nil, nil, nil, nil])
        choices.choose(.never, for: old)
        #expect(policies(choices) == [.never, .never, .never, nil])
        choices.choose(.manual, for: new)
        #expect(policies(choices) == [.manual, .manual, .never, nil])
        choices.choose(nil, for: new)
        #expect(policies(choices) == [nil, nil, .never, nil])
        #expect(choices.encoded == #"{"policies":{"new":"declared","old":"never"},"version":1}"#)
        choices.choose(nil, for: old)
        choices.choose(nil, for: new)
        #expect(choices == SyncPolicyChoices())
        // What let one value travel lets no other.
        choices.choose(.automaticSmall, for: old)
        #expect(policies(choices) == [.automaticSmall, .automaticSmall, nil, nil])
        choices = SyncPolicyChoices(isIncomplete: true)
        choices.choose(.automaticSmall, for: old)
        #expect(policies(choices) == [.automaticSmall, .automaticSmall, .never, .never])
    }

    /// A version of the app that does not sync the value, or only by request, makes nobody's choice forgotten, and no choice of its own of it.
    @Test func aChoicePassesAVersionThatIsAsStrict() {
        let old = key("old", .automaticSmall)
        for between in [SyncPolicy.never, .manual] {
            let shut = key("shut", between, from: [old])
            let still = key("still", between, from: [shut])
            let open = key("open", .automaticSmall, from: [still])
            for choice in [SyncPolicy.never, .manual] {
                let isStricter = choice == .never && between == .manual
                var choices = SyncPolicyChoices()
                choices.choose(choice, for: old)
                #expect([shut, still].map { choices.chosen(for: $0) } == (isStricter ? [choice, choice] : [nil, nil]))
                #expect(choices.chosen(for: open) == choice)
                // Also where the next version knows no more than a name of it.
                choices.keepForLaterKeys(at: still)
                #expect(choices.names["still"] == (isStricter ? nil : "within \(choice.rawValue)"))
                #expect(choices.chosen(for: still) == (isStricter ? choice : nil))
                #expect(choices.chosen(for: open) == choice)
                guard !isStricter else { continue }
                let (bare, wide) = (key("still", between), key("still", .automaticSmall))
                #expect(choices.chosen(for: key("open", .automaticSmall, from: [bare])) == choice)
                #expect(choices.chosen(for: wide) == choice)
                #expect(choices.chosen(for: bare) == nil)
                #expect((try? SyncPolicyChoices(encoded: Data(choices.encoded.utf8))) == choices)
                choices.choose(.automaticSmall, for: open)
                #expect(choices.chosen(for: open) == .automaticSmall)
            }
        }
        // What keeps nothing back is not kept.
        var choices = SyncPolicyChoices()
        choices.choose(.automaticSmall, for: old)
        let shut = key("shut", .never, from: [old])
        choices.keepForLaterKeys(at: shut)
        #expect(choices.names == ["old": "automaticSmall"])
    }

    @Test func theListsFormatIsPinned() async throws {
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.manual, for: ThemeKey()) }
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.never, for: NotesKey()) }
        let path = try #require(pair.phone.storage.files.paths.first { $0.hasSuffix("Sync/policies.json") })
        #expect(
            pair.phone.storage.files.peek(path)
                == Data(#"{"policies":{"notes":"never","theme":"manual"},"version":1}"#.utf8))
    }

    /// Nobody knows what a person switched off: nothing leaves the device, and everybody is told.
    @Test(arguments: [("{", .corrupt), (#"{"policies":{"theme":"never"},"version":2}"#, .superseded)] as [(String, StorageError.Code)])
    func aListThatCannotBeReadMeansNeverAndIsVisible(text: String, code: StorageError.Code) async throws {
        let path = try await unreadableList(text)
        #expect(pair.phone.router.syncPolicy(of: ThemeKey()) == .never)
        #expect(await pair.phone.status().problems["Sync/policies.json"]?.code == code)
        try await pair.phone.set("private", for: ThemeKey())
        try await pair.phone.set("mine", for: NotesKey())
        try await pair.watch.set("theirs", for: SealedKey())
        try await pair.heal()
        #expect(try await pair.watch.value(ThemeKey()) == nil)
        #expect(try await pair.watch.value(NotesKey()) == nil)
        #expect(try await pair.phone.value(SealedKey()) == nil)
        guard code == .superseded else { return }
        await #expect(throws: StorageError.self) { try await pair.phone.run { try await $0.setSyncPolicyOverride(nil, for: ThemeKey()) } }
        #expect(pair.phone.storage.files.peek(path) == Data(text.utf8))
    }

    /// What replaces a damaged list says nothing of the keys that nobody decided on since.
    @Test func afterADamagedListEachKeyIsDecidedOn() async throws {
        let path = try await unreadableList("{")
        try await pair.phone.run { try await $0.setSyncPolicyOverride(nil, for: NotesKey()) }
        #expect(await pair.phone.status().problems.isEmpty)
        #expect(
            pair.phone.storage.files.peek(path)
                == Data(#"{"others":"never","policies":{"notes":"declared"},"version":1}"#.utf8))
        pair.phone.relaunch()
        try await pair.phone.set("private", for: ThemeKey())
        try await pair.phone.set("mine", for: NotesKey())
        try await pair.heal()
        #expect(try await pair.watch.value(ThemeKey()) == nil)
        #expect(try await pair.watch.value(NotesKey()) == "mine")
        try await pair.phone.run { try await $0.removeSyncPolicyOverrides() }
        try await pair.heal()
        #expect(try await pair.watch.value(ThemeKey()) == "private")
        #expect(pair.phone.storage.files.peek(path) == Data(#"{"policies":{},"version":1}"#.utf8))
    }

    /// A policy that this version does not know was chosen for a reason, and is kept.
    @Test func aPolicyOfAnUnknownNameMeansNever() async throws {
        let path = try await unreadableList(#"{"policies":{"theme":"onlyAtNight"},"version":1}"#)
        #expect(pair.phone.router.syncPolicy(of: ThemeKey()) == .never)
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.manual, for: NotesKey()) }
        #expect(
            pair.phone.storage.files.peek(path)
                == Data(#"{"policies":{"notes":"manual","theme":"onlyAtNight"},"version":1}"#.utf8))
    }

    /// What the system holds and has not delivered is taken back.
    @Test(arguments: [false, true]) func whatWasNotDeliveredIsTakenBack(relaunches: Bool) async throws {
        try await pair.phone.set("private", for: ThemeKey())
        #expect(try SyncSnapshot(pair.phone.session.applicationContext).entries["theme"] != nil)
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.never, for: ThemeKey()) }
        if relaunches { pair.phone.relaunch() }
        #expect(try SyncSnapshot(pair.phone.session.applicationContext).entries["theme"] == nil)
        try await pair.phone.set("mine", for: NotesKey())
        try await pair.heal()
        #expect(try await pair.watch.value(ThemeKey()) == nil)
        #expect(try await pair.watch.value(NotesKey()) == "mine")
    }

    /// A process that began before the first unlock, on a watch that was set up from its backup: no file, and preferences that are empty for it.
    @Test func whereNobodyCanTellWhatWasChosenNothingLeavesAndNothingIsChosen() async throws {
        let defaults = pair.watch.storage.defaults
        defaults.put(.string(#"{"policies":{"notes":"never"},"version":1}"#), forKey: "com.localdata.choices")
        defaults.isReadable = false
        try await pair.watch.set("private", for: NotesKey())
        try await pair.watch.set("mine", for: SealedKey())
        try await pair.phone.set("theirs", for: TokenKey())
        await #expect(throws: StorageError.self) { try await pair.watch.sync() }
        try await pair.settle()
        for key in [NotesKey().name, SealedKey().name] {
            #expect(try SyncSnapshot(in: pair.watch.session.applicationContext)?.entries[key] == nil)
        }
        #expect(try await pair.watch.value(TokenKey()) == nil)
        #expect(await pair.watch.status().problems["Sync/policies.json"]?.code == .lockedBeforeFirstUnlock)
        for policy in [.never, nil] as [SyncPolicy?] {
            await #expect { try await pair.watch.run { try await $0.setSyncPolicyOverride(policy, for: SealedKey()) } } throws: {
                ($0 as? StorageError)?.code == .lockedBeforeFirstUnlock
            }
        }
        await #expect(throws: StorageError.self) { try await pair.watch.run { try await $0.removeSyncPolicyOverrides() } }

        defaults.isReadable = true
        pair.watch.relaunch()
        try await pair.heal()
        #expect(try await pair.phone.value(NotesKey()) == nil)
        #expect(try await pair.phone.value(SealedKey()) == "mine")
        #expect(try await pair.watch.value(TokenKey()) == "theirs")
    }

    /// The file is there for processes that see no preferences, and the preferences for a backup that holds no files. Where both are, the file counts.
    @Test func theFileAndThePreferencesComeToAgree() async throws {
        let storage = pair.phone.storage
        func file() throws -> Data? { storage.files.paths.first { $0.hasSuffix("Sync/policies.json") }.flatMap(storage.files.peek) }
        try await pair.phone.sync()
        let none = #"{"policies":{},"version":1}"#
        #expect(try file() == Data(none.utf8))
        #expect(storage.defaults.peek("com.localdata.choices") == nil)
        // A process without preferences syncs, and is told of a choice.
        pair.phone.relaunch()
        storage.defaults.isReadable = false
        try await pair.phone.set("mine", for: NotesKey())
        try await pair.heal()
        #expect(try await pair.watch.value(NotesKey()) == "mine")
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.never, for: NotesKey()) }
        let chosen = #"{"policies":{"notes":"never"},"version":1}"#
        #expect(try file() == Data(chosen.utf8))
        #expect(storage.defaults.peek("com.localdata.choices") == nil)
        storage.defaults.isReadable = true
        pair.phone.relaunch()
        try await pair.phone.sync()
        #expect(storage.defaults.peek("com.localdata.choices") == .string(chosen))
        // A backup without files.
        let path = try #require(storage.files.paths.first { $0.hasSuffix("Sync/policies.json") })
        try storage.files.removeFile(at: path)
        pair.phone.relaunch()
        try await pair.phone.sync()
        #expect(try file() == Data(chosen.utf8))
    }

    @Test func anAppWithoutSyncHasNoList() async throws {
        let alone = SyncPair(keys: [])
        try await alone.phone.sync()
        #expect(!alone.phone.storage.files.paths.contains { $0.hasSuffix("Sync/policies.json") })
    }

    /// While the list cannot be read, what has a version keeps it, though it declares none; what has none needs none. On a watch that
    /// was set up from its backup; elsewhere the file says it all.
    @Test func whatHasAVersionIsNotRemovedWhileTheChoicesCannotBeRead() async throws {
        let (own, chosen) = (ValueKey("own", of: String.self, in: .documents), ValueKey("chosen", of: String.self, in: .documents))
        let alone = SyncPair(keys: [.key(own), .key(chosen)])
        let watch = alone.watch
        try await watch.run { try await $0.setSyncPolicyOverride(.manual, for: chosen) }
        for key in [own, chosen] { try await watch.set("x", for: key) }
        watch.relaunch()
        let path = try #require(watch.storage.files.paths.first { $0.hasSuffix("Sync/policies.json") })
        let list = try #require(watch.storage.files.peek(path))
        try watch.storage.files.removeFile(at: path)
        watch.storage.defaults.isReadable = false
        for key in [own, chosen] { try await watch.remove(key) }
        func content(_ key: ValueKey<String>) throws -> SyncVersion.Content? {
            try watch.router.sync.ledger.record(of: key.name, in: key.domain)?.committed.content
        }
        #expect(try content(own) == nil)
        #expect(try content(chosen) == .deleted)
        watch.storage.files.put(list, at: path)
        #expect(watch.router.syncPolicy(of: chosen) == .manual)
    }

    private func unreadableList(_ text: String) async throws -> String {
        try await pair.phone.run { try await $0.setSyncPolicyOverride(.never, for: ThemeKey()) }
        let path = try #require(pair.phone.storage.files.paths.first { $0.hasSuffix("Sync/policies.json") })
        pair.phone.storage.files.put(Data(text.utf8), at: path)
        pair.phone.relaunch()
        return path
    }
}
