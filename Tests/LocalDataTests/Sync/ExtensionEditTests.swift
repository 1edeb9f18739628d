import Foundation
import Testing

@testable import LocalData

/// What an extension leaves with its edit of a preference, and the version that the app gives it.
@Suite struct ExtensionEditTests {
    struct ChoiceKey: StorageKey {
        typealias Value = String
        let name = "choice"
        let domain: StorageDomain = .appGroupUserDefaults(identifier: "group.x")
        let security: SecurityPolicy = .none
        let owner = "Tests"
        let syncPolicy: SyncPolicy = .automaticSmall
    }

    private static let suite = DefaultsSuite.appGroup("group.x")
    private static let note = "com.localdata.edit.choice"

    private static func edit(to text: String, seed: UInt64) throws -> ExtensionEdit {
        try ExtensionEdit(of: SyncRevision.digest(of: .propertyList(.string(text))), entropy: SeededEntropy(seed: seed))
    }

    /// What a widget does, step by step.
    private static func widgetSets(_ text: String, seed: UInt64 = 5, on device: SyncDevice) throws {
        device.storage.defaults.put(.string(try edit(to: text, seed: seed).encoded), forKey: note, in: suite)
        device.storage.defaults.put(.string(text), forKey: "choice", in: suite)
    }

    @Test func formatIsPinned() throws {
        let text = #"{"content":"b001","edit":"0123456789abcdef","version":1}"#
        let edit = try #require(ExtensionEdit(encoded: text))
        #expect(edit.revision == Data([0xb0, 0x01]))
        #expect(edit.encoded == text)
    }

    @Test(arguments: [
        "", "{}", #"{"content":"b001","edit":"0123","version":1}"#, #"{"content":"b","edit":"0123456789abcdef","version":1}"#,
        #"{"content":"b001","edit":"0123456789abcdef","version":2}"#,
    ])
    func whatElseLiesThereIsNone(_ text: String) {
        #expect(ExtensionEdit(encoded: text) == nil)
    }

    @Test func installationFormatIsPinned() throws {
        var installation = SyncInstallation(epoch: "0011aa")
        for counter in UInt64(1)...5 { installation.note("e\(counter)", of: "theme", as: counter) }
        installation.note("f", of: "a", as: 9)
        let text =
            #"{"counterparts":[],"edits":{"a":{"f":9},"theme":{"e1":1,"e2":2,"e3":3,"e4":4,"e5":5}},"epoch":"0011aa","floor":0,"reserved":1,"#
            + #""version":1}"#
        #expect(installation.encoded == text)
        #expect(try SyncInstallation(encoded: Data(text.utf8)) == installation)
        var many = SyncInstallation(epoch: "0011aa")
        for counter in UInt64(1)...40 { many.note("e\(counter)", of: "theme", as: counter) }
        #expect(many.edits["theme"]?.count == 16 && many.edits["theme"]?["e24"] == nil && many.edits["theme"]?["e25"] == 25, "the last few")
        let spaced = text.replacingOccurrences(of: "\"f\":9", with: " \"f\": 9, \"x\": \(SyncStamp.maximumCounter)")
        #expect(try SyncInstallation(encoded: Data(spaced.utf8)) == installation)
    }

    @Test func theTagOfASecretTellsAnEdit() throws {
        let random = Data(0..<16)
        let tag = SyncRevision.tagOfExtension(random)
        #expect(tag == random + Data("e".utf8))
        #expect(SyncRevision.counter(of: tag) == 0)
        let edit = try #require(ExtensionEdit(tag: tag))
        #expect(edit.identifier == "0001020304050607")
        #expect(edit.edit(finding: tag) == edit)
        for own in [SyncRevision.tag(random, counter: 0), SyncRevision.tag(random, counter: 0x65), Data(), random + [0], Data(0..<17)] {
            #expect(ExtensionEdit(tag: own) == nil)
        }
        // What other code has put beside its item is none of an extension's.
        let foreign = try #require(KeychainItemMetadata(stored: tag).tag)
        #expect(foreign.count == 16)
        #expect(KeychainItemMetadata(stored: try #require(KeychainItemMetadata(tag: tag).stored)).tag == tag)
    }

    @Test func anEditWithoutARecordIsAnEdit() async throws {
        let pair = SyncPair(keys: [.key(ChoiceKey())])
        try await pair.watch.set("theirs", for: ChoiceKey())
        try Self.widgetSets("widget's", on: pair.phone)
        try await pair.phone.sync()
        let stamp = try #require(try pair.phone.record(ChoiceKey())).committed.stamp
        #expect(stamp.counter > 0)
        #expect(pair.phone.storage.defaults.peek(Self.note, in: Self.suite) == nil)
    }

    /// The extension's process died between the two sets of its second edit: the first one is still an edit.
    @Test func anEditOutlivesTheNoteOfALaterOneThatNeverCame() async throws {
        let pair = SyncPair(keys: [.key(ChoiceKey())])
        try await pair.watch.set("theirs", for: ChoiceKey())
        let first = try Self.edit(to: "widget's", seed: 5)
        let second = try ExtensionEdit(
            of: SyncRevision.digest(of: .propertyList(.string("never"))),
            after: .init(identifier: first.identifier, revision: first.revision), entropy: SeededEntropy(seed: 6))
        #expect(ExtensionEdit(encoded: second.encoded) == second)
        pair.phone.storage.defaults.put(.string("widget's"), forKey: "choice", in: Self.suite)
        pair.phone.storage.defaults.put(.string(second.encoded), forKey: Self.note, in: Self.suite)
        try await pair.phone.sync()
        #expect(try #require(try pair.phone.record(ChoiceKey())).committed.stamp.counter > 0)
        // The later edit's note stays until its value is there, or another.
        #expect(pair.phone.storage.defaults.peek(Self.note, in: Self.suite) == .string(second.encoded))
    }

    /// What it says is the digest of a value: it stays no longer than anybody needs it. The edit is a version of its own, though its value is the recorded one:
    /// that may be back since a power loss took a removal.
    @Test func aNoteOfWhatIsRecordedGoes() async throws {
        let pair = SyncPair(keys: [.key(ChoiceKey())])
        try await pair.phone.set("first", for: ChoiceKey())
        try await pair.heal()
        let stamp = try #require(try pair.phone.record(ChoiceKey())).committed.stamp
        try Self.widgetSets("first", on: pair.phone)
        try await pair.phone.sync()
        #expect(pair.phone.storage.defaults.peek(Self.note, in: Self.suite) == nil)
        let edited = try #require(try pair.phone.record(ChoiceKey())).committed.stamp
        #expect(stamp < edited)
        try await pair.phone.sync()
        #expect(try #require(try pair.phone.record(ChoiceKey())).committed.stamp == edited)
    }

    /// The extension's process died between its two sets.
    @Test func aNoteOfAValueThatNeverCameSaysNothing() async throws {
        let pair = SyncPair(keys: [.key(ChoiceKey())])
        pair.phone.storage.defaults.put(.string("found"), forKey: "choice", in: Self.suite)
        pair.phone.storage.defaults.put(.string(try Self.edit(to: "other", seed: 5).encoded), forKey: Self.note, in: Self.suite)
        try await pair.phone.sync()
        #expect(try #require(try pair.phone.record(ChoiceKey())).committed.stamp.counter == 0)
    }

    /// A power loss takes the last sets of the suite: the app's version of the edit, and what the app set after it, which the watch has.
    @Test(arguments: [false, true])
    func anEditThatComesBackKeepsItsVersion(hasEarlierRecord: Bool) async throws {
        let pair = SyncPair(keys: [.key(ChoiceKey())])
        if hasEarlierRecord {
            try await pair.phone.set("first", for: ChoiceKey())
            try await pair.heal()
        }
        let record = pair.phone.storage.defaults.peek("com.localdata.sync.choice", in: Self.suite)
        try Self.widgetSets("widget's", on: pair.phone)
        pair.phone.relaunch()
        try await pair.heal()
        #expect(try await pair.watch.value(ChoiceKey()) == "widget's")
        try await pair.phone.set("later", for: ChoiceKey())
        try await pair.heal()
        pair.phone.storage.defaults.put(record, forKey: "com.localdata.sync.choice", in: Self.suite)
        try Self.widgetSets("widget's", on: pair.phone)
        pair.phone.relaunch()
        try await pair.heal()
        for device in pair.devices { #expect(try await device.value(ChoiceKey()) == "later") }
        // Another edit to the same value is a later one.
        try Self.widgetSets("widget's", seed: 6, on: pair.phone)
        try await pair.heal()
        for device in pair.devices { #expect(try await device.value(ChoiceKey()) == "widget's") }
    }

    /// The app sets the key before it has looked at what the extension set.
    @Test func anEditThatTheAppReplacesUnseenHasAVersionBeforeThat() async throws {
        let pair = SyncPair(keys: [.key(ChoiceKey())])
        try await pair.phone.set("first", for: ChoiceKey())
        try await pair.heal()
        let record = pair.phone.storage.defaults.peek("com.localdata.sync.choice", in: Self.suite)
        try Self.widgetSets("widget's", on: pair.phone)
        try await pair.phone.set("later", for: ChoiceKey())
        #expect(pair.phone.storage.defaults.peek(Self.note, in: Self.suite) == nil)
        try await pair.heal()
        pair.phone.storage.defaults.put(record, forKey: "com.localdata.sync.choice", in: Self.suite)
        try Self.widgetSets("widget's", on: pair.phone)
        pair.phone.relaunch()
        try await pair.heal()
        for device in pair.devices { #expect(try await device.value(ChoiceKey()) == "later") }
    }
}
