import Foundation
import Testing

@testable import LocalData

/// Who was heard, and who has an answer, without a session.
@Suite struct SyncConversationTests {
    private static func snapshot(_ epoch: String, of device: String = "watch", _ number: UInt64 = 1) -> SyncSnapshot {
        SyncSnapshot(device: device, epoch: epoch, sequence: number, content: number, entries: [:])
    }

    private static let entry = SyncEntry(stamp: SyncStamp(counter: 1, device: "watch"), value: Data([1]))

    @Test func whatItHasNoRoomForItStillHas() {
        var conversation = SyncConversation()
        var first = Self.snapshot("a")
        first.entries["theme"] = Self.entry
        conversation.heard(first)
        var second = Self.snapshot("a", 2)
        second.omitted = ["theme"]
        conversation.heard(second)
        #expect(conversation.counterpart?.entries["theme"] == Self.entry)
        #expect(conversation.counterpart?.sequence == 2)
    }

    @Test func whatItLeftOutAndIsKnownToHaveIsNoLongerLeftOut() {
        var conversation = SyncConversation()
        conversation.has(Self.entry, of: "theme")
        #expect(conversation.counterpart == nil)
        var snapshot = Self.snapshot("a")
        snapshot.omitted = ["theme", "note"]
        conversation.heard(snapshot)
        conversation.has(Self.entry, of: "theme")
        #expect(conversation.counterpart?.omitted == ["note"])
        #expect(conversation.counterpart?.entries["theme"] == Self.entry)
    }

    /// Contexts of two installations of one device may come in turns: nobody knows which of them is there.
    @Test func anotherInstallationOfTheDeviceDisplacesTheOneBefore() {
        var conversation = SyncConversation()
        conversation.heard(Self.snapshot("a"))
        #expect(conversation.displaced == [])
        conversation.heard(Self.snapshot("b"))
        #expect(conversation.displaced.map(\.epoch) == ["a"])
        conversation.heard(Self.snapshot("b", 2))
        #expect(conversation.displaced == [])
        conversation.heard(Self.snapshot("a", 2))
        #expect(conversation.displaced.map(\.epoch) == ["b"])
    }

    @Test func anotherDeviceBeginsAnew() {
        var conversation = SyncConversation()
        conversation.heard(Self.snapshot("a"))
        conversation.heard(Self.snapshot("c", of: "watch2"))
        #expect(conversation.displaced == [])
        #expect(conversation.counterpart?.epoch == "c")
    }

    @Test func fewInstallationsAreRemembered() {
        var conversation = SyncConversation()
        for epoch in ["a", "b", "c", "d", "e", "f"] { conversation.heard(Self.snapshot(epoch)) }
        #expect(conversation.displaced.map(\.epoch) == ["b", "c", "d", "e"])
    }

    @Test func sendingSettlesWhatWasDue() {
        var conversation = SyncConversation()
        conversation.haveAnswered()
        conversation.heard(Self.snapshot("a"))
        #expect(!conversation.hasAnswered("a"))
        conversation.haveAnswered()
        #expect(conversation.hasAnswered("a"))
        conversation.isBehind()
        conversation.forgetCounterpart()
        #expect(conversation.isCounterpartNew && conversation.isTakenForOutdated)
        #expect(conversation.counterpart == nil && conversation.accepted == nil)
        conversation.wasSent(Self.snapshot("own", of: "phone"))
        #expect(!conversation.isCounterpartNew && !conversation.isTakenForOutdated)
        #expect(conversation.accepted?.epoch == "own")
        #expect(conversation.hasAnswered("a"))
    }
}
