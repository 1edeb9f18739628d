import DeviceSim
import Testing

@testable import DeviceSimSearch

@Suite struct VersionHistoryTests {
    private func write(_ history: inout VersionHistory, _ text: String?, on device: DeviceID, step: Int = 0, acknowledged: Bool = true) {
        let number = history.begin(text.map { .string($0) }, on: device, step: step)
        if acknowledged { history.acknowledge(number) }
    }

    @Test func whatWasAcknowledgedIsNotReplacedByWhatCameBefore() {
        var history = VersionHistory()
        write(&history, "a", on: .phone)
        write(&history, "b", on: .phone)
        #expect(history.read(.string("b"), on: .phone) == nil)
        #expect(history.read(.string("a"), on: .phone) != nil)
        #expect(history.read(nil, on: .phone) != nil)
    }

    @Test func ofTwoThatKnowNothingOfEachOtherEitherMayWin() {
        var history = VersionHistory()
        write(&history, "a", on: .phone)
        write(&history, "b", on: .watch)
        var other = history
        #expect(history.settled(on: .string("a")) == nil)
        #expect(history.settled(on: .string("b")) == nil)
        #expect(history.settled(on: nil) != nil)
        #expect(history.read(.string("b"), on: .phone) == nil)
        #expect(other.read(.string("a"), on: .phone) == nil)
    }

    /// A device that was told of a version, without the value, writes what comes after it. A widget was told nothing, nor whoever is new, and to remove a value
    /// that is not there is no edit.
    @Test(arguments: ["set", "remove", "remove what may be absent", "widget", "forgotten", "not told"])
    func whatWasToldIsReplaced(_ situation: String) {
        var history = VersionHistory()
        let isRemoval = situation.hasPrefix("remove")
        if isRemoval { write(&history, "old", on: .watch) }
        if situation == "remove what may be absent" {
            #expect(history.read(.string("old"), on: .phone) == nil)
            write(&history, nil, on: .phone)
        }
        write(&history, "large", on: .phone)
        if situation != "not told" { history.tellVersions() }
        if situation == "forgotten" { history.forgetVersionsTold(to: .watch) }
        history.acknowledge(history.begin(isRemoval ? nil : .string("small"), on: .watch, step: 3, isOfApp: situation != "widget"))
        #expect((history.settled(on: .string("large")) != nil) == ["set", "remove"].contains(situation))
    }

    @Test func whatWasReadIsKnown() {
        var history = VersionHistory()
        write(&history, "a", on: .phone)
        #expect(history.read(.string("a"), on: .watch) == nil)
        write(&history, "b", on: .watch)
        // The watch had read "a" when it wrote "b": nobody may come to rest with "a".
        #expect(history.settled(on: .string("a")) != nil)
        #expect(history.settled(on: .string("b")) == nil)
    }

    /// A write that failed may have left something that is read for a while, and that no power loss need keep.
    @Test func aPowerLossMayTakeWhatWasReadAndNotAcknowledged() {
        var history = VersionHistory()
        write(&history, "a", on: .phone)
        write(&history, "b", on: .phone, acknowledged: false)
        #expect(history.read(.string("b"), on: .phone) == nil)
        var kept = history
        #expect(kept.read(.string("a"), on: .phone) != nil)
        history.losePower(on: .phone)
        #expect(history.read(.string("a"), on: .phone) == nil)
        #expect(history.read(nil, on: .phone) != nil)
    }

    /// What LocalData said it could not store may lie there, not yet durable. What the device stores itself after that is as safe as ever.
    @Test(arguments: [false, true], [false, true]) func aPowerLossMayTakeWhatWasPutOff(isPutOff: Bool, hasStored: Bool) {
        var history = VersionHistory()
        write(&history, "a", on: .watch)
        #expect(history.read(.string("a"), on: .phone) == nil)
        if isPutOff { history.notePutOff(on: .phone) }
        write(&history, "b", on: .watch)
        #expect(history.read(.string("b"), on: .phone) == nil)
        if hasStored { write(&history, "c", on: .phone) }
        var other = history
        other.losePower(on: .watch)
        #expect(other.read(.string("a"), on: .watch) != nil, "the other device has its own")
        history.losePower(on: .phone)
        #expect((history.read(.string("a"), on: .phone) == nil) == (isPutOff && !hasStored))
    }

    @Test func aPowerLossTakesNothingThatWasAcknowledged() {
        var history = VersionHistory()
        write(&history, "a", on: .phone)
        write(&history, "b", on: .phone)
        #expect(history.read(.string("b"), on: .watch) == nil)
        for device in [DeviceID.phone, .watch] {
            history.losePower(on: device)
            #expect(history.read(.string("a"), on: device) != nil)
        }
    }

    @Test func aRemovalIsAVersion() {
        var history = VersionHistory()
        write(&history, "a", on: .phone)
        write(&history, nil, on: .phone)
        #expect(history.read(nil, on: .phone) == nil)
        #expect(history.read(.string("a"), on: .phone) != nil)
        #expect(history.settled(on: .string("a")) != nil)
    }

    @Test func theRemovalOfWhatWasNeverThereIsNone() {
        var history = VersionHistory()
        write(&history, "a", on: .phone)
        write(&history, nil, on: .watch)
        #expect(history.settled(on: .string("a")) == nil)
    }

    @Test func whatWasNotAcknowledgedMayBeThereOrNot() {
        var history = VersionHistory()
        write(&history, "a", on: .phone)
        write(&history, "b", on: .phone, acknowledged: false)
        var other = history
        #expect(history.read(.string("a"), on: .phone) == nil)
        #expect(other.read(.string("b"), on: .phone) == nil)
        #expect(other.read(.string("a"), on: .phone) != nil)
    }

    @Test func aValueThatNobodyWroteIsNone() {
        var history = VersionHistory()
        write(&history, "a", on: .phone)
        guard case .unknownValue? = history.read(.string("c"), on: .phone) else {
            Issue.record("a value that nobody wrote was believed")
            return
        }
    }

    @Test func whatWasLostIsHeldAgainstNobody() {
        var history = VersionHistory()
        write(&history, "a", on: .phone)
        write(&history, "b", on: .phone)
        history.forget(on: .phone)
        #expect(history.read(.string("a"), on: .phone) == nil)
        #expect(history.settled(on: .string("a")) == nil)
    }

    @Test func whatBothLostIsGone() {
        var history = VersionHistory()
        write(&history, "a", on: .phone)
        #expect(history.read(.string("a"), on: .watch) == nil)
        history.forget(on: .phone)
        #expect(history.settled(on: nil) != nil)
        history.forget(on: .watch)
        #expect(history.settled(on: nil) == nil)
    }

    @Test func writesThatOverlapDoNotComeAfterEachOther() {
        var history = VersionHistory()
        let first = history.begin(.string("a"), on: .phone, step: 0)
        let second = history.begin(.string("b"), on: .phone, step: 0, concurrent: [first])
        history.acknowledge(second)
        history.acknowledge(first)
        var other = history
        #expect(history.read(.string("a"), on: .phone) == nil)
        #expect(other.read(.string("b"), on: .phone) == nil)
    }

    /// What an earlier version of the app left elsewhere comes after what the device has. What the device wrote and has lost, others may give back.
    @Test(arguments: [true, false]) func whatAnEarlierVersionLeftGivesWayToWhatWasLost(isEdit: Bool) {
        var history = VersionHistory()
        write(&history, "lost", on: .phone)
        #expect(history.read(.string("lost"), on: .watch) == nil)
        history.forget(on: .phone)
        history.acknowledge(history.begin(.string("left"), on: .phone, step: 1, isEdit: isEdit))
        #expect(history.read(.string("left"), on: .phone) == nil)
        #expect((history.settled(on: .string("lost")) == nil) == !isEdit)
        #expect(history.settled(on: .string("left")) == nil)
    }

    @Test func whatAnEarlierVersionLeftDoesNotGiveWayToWhatWasRemoved() {
        var history = VersionHistory()
        write(&history, "removed", on: .phone)
        write(&history, nil, on: .phone)
        #expect(history.read(nil, on: .phone) == nil)
        history.acknowledge(history.begin(.string("left"), on: .phone, step: 1, isEdit: false))
        #expect(history.settled(on: .string("removed")) != nil)
        #expect(history.settled(on: .string("left")) == nil)
    }

    /// What failed, and left nothing that the device has not lost since, is no sign of what it counts on from. What its app was told is stored, is.
    @Test(arguments: [true, false]) func whatFailedBeforeALossCountsForNothing(isTold: Bool) {
        var history = VersionHistory()
        write(&history, "watch's", on: .watch)
        #expect(history.read(.string("watch's"), on: .phone) == nil)
        write(&history, nil, on: .phone, acknowledged: isTold)
        history.forget(on: .phone)
        write(&history, "later", on: .phone, step: 2)
        #expect((history.settled(on: .string("watch's")) == nil) == !isTold)
        #expect(history.settled(on: .string("later")) == nil)
    }

    /// Of three devices, what one has lost another may still have.
    @Test(arguments: [true, false]) func whatAnyOfTheOthersHasIsNotLost(isKnown: Bool) {
        var history = VersionHistory(deviceCount: 3)
        write(&history, "kept", on: .phone)
        if isKnown { #expect(history.read(.string("kept"), on: .watch2) == nil) }
        history.forget(on: .phone)
        #expect((history.settled(on: nil) == nil) == !isKnown)
    }
}
