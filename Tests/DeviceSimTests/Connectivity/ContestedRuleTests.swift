import DeviceSim
import Foundation
import Testing
import WatchConnectivity

@testable import DeviceSimCore

/// What is published of a session in more than one way, or by developers only: each way can be chosen (W25, W35, W62, W72, W84, W95, W96, W111, W140–W144).
@Suite struct ContestedRuleTests {
    private func world(_ change: (inout Knobs) -> Void) -> TestWorld {
        var knobs = Knobs()
        change(&knobs)
        return TestWorld.activated(knobs: knobs)
    }

    private func reinstallUnnoticed(_ world: TestWorld) {
        world.watch.uninstall()
        world.watch.install()
        world.network.appWasInstalled(on: .watch)
        world.watch.launch()
        world.network.conditionsChanged()
        world.settle()
    }

    // MARK: An app that looks missing

    @Test("W25 by default what is sent to an app that looks missing arrives all the same") func looksMissing() throws {
        let world = world { $0.installationGoesUnnoticed = true }
        reinstallUnnoticed(world)
        #expect(!world.phone.session.isWatchAppInstalled && world.phone.session.isReachable)
        try world.phone.session.updateApplicationContext(["n": 1])
        world.phone.session.transferUserInfo(["n": 2])
        world.phone.session.sendMessage(["n": 3], replyHandler: nil)
        world.settle()
        #expect(Set(world.watch.log).isSuperset(of: ["context n=1", "userInfo n=2", "message n=3"]))
    }

    @Test("W25 with the knob nothing gets through to it, until the phone restarts") func cutOff() throws {
        let world = world {
            $0.installationGoesUnnoticed = true
            $0.unnoticedAppIsCutOff = true
        }
        reinstallUnnoticed(world)
        #expect(!world.phone.session.isReachable && !world.watch.session.isReachable)
        try world.phone.session.updateApplicationContext(["n": 1])
        world.settle()
        #expect(!world.watch.log.contains("context n=1"))
        world.network.phoneRestarts()
        world.network.conditionsChanged()
        world.settle()
        #expect(world.watch.log.contains("context n=1"))
    }

    // MARK: Messages

    @Test("W140 a message that the counterpart's app is not given in time: 7017", arguments: [VirtualDuration.seconds(30), .zero])
    func transferTimedOut(limit: VirtualDuration) {
        var knobs = Knobs()
        knobs.messageTransferTimeout = limit
        knobs.messageReplyTimeout = .seconds(100)
        let world = TestWorld(knobs: knobs)
        world.phone.launch(in: .background, activate: false)
        world.watch.launch()
        world.settle()
        let outcomes = Outcomes()
        world.watch.session.sendMessage(["n": 1], replyHandler: { _ in outcomes.note("replied") }) { outcomes.note(code($0)) }
        world.watch.session.sendMessage(["n": 2], replyHandler: nil) { outcomes.note(code($0)) }
        world.wait(.seconds(31))
        #expect(outcomes.all == (limit > .zero ? ["7017", "7017"] : []))
        world.settle()
        #expect(outcomes.all == (limit > .zero ? ["7017", "7017"] : ["7012"]), "once each; without a reply handler there is no other wait")
    }

    @Test("W140 W67 a message that was given is past that: only its reply is waited for") func givenInTime() {
        var knobs = Knobs()
        knobs.messageTransferTimeout = .seconds(1)
        knobs.messageReplyTimeout = .seconds(10)
        let world = TestWorld.activated(knobs: knobs)
        let outcomes = Outcomes()
        world.watch.session.sendMessage(["n": 1], replyHandler: { _ in }) { outcomes.note(code($0)) }
        world.wait(.seconds(5))
        #expect(world.count(.messageDelivered, on: .phone) == 1)
        #expect(!outcomes.all.contains("7017"))
    }

    @Test("W141 a reply that is lost on the link: 7011 at once, or 7012 in the end", arguments: [true, false])
    func lostReply(fails: Bool) {
        var knobs = Knobs()
        knobs.lostReplyFails = fails
        knobs.linkLatency = .seconds(1)
        let world = TestWorld.activated(knobs: knobs)
        world.wait(.seconds(3))
        let outcomes = Outcomes()
        world.watch.session.sendMessage(["n": 1], replyHandler: { _ in outcomes.note("replied") }) { outcomes.note(code($0)) }
        world.wait(.milliseconds(1500))
        world.network.setLink(up: false)
        world.wait(.seconds(1))
        #expect(outcomes.all == (fails ? ["7011"] : []))
        world.settle()
        #expect(outcomes.all == (fails ? ["7011"] : ["7012"]))
    }

    @Test("W142 a watch app in the background reaches the phone while it holds a refresh task", arguments: [true, false])
    func refreshTask(reaches: Bool) {
        let world = world { $0.refreshReachesPhone = reaches }
        world.watch.change(to: .background)
        world.settle()
        #expect(!world.watch.session.isReachable)
        world.watch.hasRefreshTime = true
        world.network.conditionsChanged()
        world.settle()
        #expect(world.watch.session.isReachable == reaches)
        #expect(!world.phone.session.isReachable, "that is of the watch side alone")
        world.watch.session.sendMessage(["n": 1], replyHandler: nil)
        world.settle()
        #expect(world.phone.log.contains("message n=1") == reaches)
    }

    // MARK: The order of transfers

    @Test("W72 each kind is in a line of its own, or all are in one", arguments: [true, false]) func orderAcrossKinds(keeps: Bool) throws {
        let world = world { $0.keepsOrderAcrossKinds = keeps }
        world.network.setLink(up: false)
        let path = try #require(world.phone.storage).place(received: Data(count: 200_000), name: "photo", folder: "own")
        world.phone.session.transferFile(URL(fileURLWithPath: path), metadata: nil)
        world.phone.session.transferUserInfo(["n": 1])
        try world.phone.session.updateApplicationContext(["n": 2])
        world.phone.session.transferUserInfo(["n": 3])
        world.network.setLink(up: true)
        world.settle()
        let kinds = world.watch.log.map { String($0.prefix { $0 != " " }) }.filter { ["file", "userInfo", "context"].contains($0) }
        #expect(kinds.count == 4)
        #expect((kinds.first == "file") == keeps, "\(kinds)")
        #expect((kinds == ["file", "userInfo", "context", "userInfo"]) == keeps, "\(kinds)")
    }

    @Test("W72 what waited for an app that did not run is handed over in the order of its arrival", arguments: [true, false])
    func orderOfWhatWaited(keeps: Bool) throws {
        var knobs = Knobs.withoutWaking
        knobs.keepsOrderAcrossKinds = keeps
        let world = TestWorld(knobs: knobs)
        world.phone.launch()
        world.settle()
        world.phone.session.transferUserInfo(["n": 1])
        try world.phone.session.updateApplicationContext(["n": 2])
        world.phone.session.transferUserInfo(["n": 3])
        world.settle()
        world.watch.launch()
        world.settle()
        let received = world.watch.log.filter { $0.hasPrefix("userInfo") || $0.hasPrefix("context") }
        #expect(received == (keeps ? ["userInfo n=1", "context n=2", "userInfo n=3"] : ["context n=2", "userInfo n=1", "userInfo n=3"]))
    }

    @Test("W72 what is cancelled, fails or is stuck holds up no other kind", arguments: 0...3) func holdsUpNothing(way: Int) throws {
        var knobs = Knobs()
        knobs.keepsOrderAcrossKinds = true
        knobs.transfersOutliveRemovedApp = way != 1
        knobs.interruptionSticks = way == 2
        knobs.stuckUntilCancelled = way == 2
        knobs.simulatorMode = way == 3
        let world = TestWorld.activated(knobs: knobs)
        let transfer = world.phone.session.transferUserInfo(["n": 1])
        if way == 2 { world.wait(.milliseconds(5)) }
        world.network.setLink(up: false)
        try world.phone.session.updateApplicationContext(["n": 2])
        switch way {
        case 0: transfer.cancel()
        case 1: world.watch.uninstall()
        default: break
        }
        world.network.setLink(up: true)
        world.settle()
        if way == 1 {
            world.watch.install()
            world.watch.launch()
            world.settle()
        }
        #expect(world.watch.log.contains("context n=2"))
        #expect(!world.watch.log.contains("userInfo n=1"))
    }

    @Test("W72 what the phone queued for one watch keeps its order for the next") func orderOutlivesSwitch() throws {
        var knobs = Knobs()
        knobs.keepsOrderAcrossKinds = true
        knobs.queuesOutliveSwitch = true
        let world = TestWorld.withTwoWatches(knobs: knobs)
        world.network.setLink(up: false)
        let path = try #require(world.phone.storage).place(received: Data(count: 200_000), name: "photo", folder: "own")
        world.phone.session.transferFile(URL(fileURLWithPath: path), metadata: nil)
        world.phone.session.transferUserInfo(["n": 1])
        world.network.switchWatch(to: .watch2)
        world.settle()
        world.network.setLink(up: true)
        world.settle()
        let kinds = world.watch2.log.map { String($0.prefix { $0 != " " }) }.filter { ["file", "userInfo"].contains($0) }
        #expect(kinds == ["file", "userInfo"])
    }

    // MARK: Waking

    @Test("W111 each channel has a knob of its own for the phone", arguments: [nil, WakeReason.context, .userInfo, .file])
    func wakesPhone(reason: WakeReason?) throws {
        var knobs = Knobs()
        knobs.wakesPhoneForContexts = reason == .context
        knobs.wakesPhoneForUserInfos = reason == .userInfo
        knobs.wakesPhoneForFiles = reason == .file
        let world = TestWorld(knobs: knobs)
        world.watch.launch()
        world.settle()
        try world.watch.session.updateApplicationContext(["n": 1])
        world.settle()
        #expect((world.phone.process != nil) == (reason == .context))
        world.phone.terminate()
        world.watch.session.transferUserInfo(["n": 1])
        world.settle()
        #expect((world.phone.process != nil) == (reason == .userInfo))
        world.phone.terminate()
        let path = try #require(world.watch.storage).place(received: Data([1]), name: "photo", folder: "own")
        world.watch.session.transferFile(URL(fileURLWithPath: path), metadata: nil)
        world.settle()
        #expect((world.phone.process != nil) == (reason == .file))
    }

    @Test("W144 content and a watch that was never unlocked", arguments: [true, false]) func beforeFirstUnlock(wakes: Bool) throws {
        var knobs = Knobs()
        knobs.wakesBeforeFirstUnlock = wakes
        let world = TestWorld(knobs: knobs)
        world.phone.launch()
        world.settle()
        world.watch.state.hasPasscode = true
        world.watch.state.isLocked = true
        world.watch.state.wasUnlockedSinceBoot = false
        try world.phone.session.updateApplicationContext(["n": 1])
        world.settle()
        #expect((world.watch.process != nil) == wakes)
        world.watch.state.isLocked = false
        world.watch.state.wasUnlockedSinceBoot = true
        if !wakes { world.watch.launch() }
        world.settle()
        #expect(world.watch.log.contains("context n=1"), "it waits")
    }

    // MARK: Complications

    @Test("W95 without the complication on the face: a user info, or a failure at once", arguments: [true, false])
    func withoutFace(fails: Bool) {
        let world = world { $0.complicationFailsWithoutFace = fails }
        let transfer = world.phone.session.transferCurrentComplicationUserInfo(["n": 1])
        #expect(!transfer.isCurrentComplicationInfo)
        world.settle()
        #expect(world.phone.log == ["finished n=1 \(fails ? "7001" : "-")"])
        #expect(world.watch.log == (fails ? [] : ["userInfo n=1"]))
        world.watch.isComplicationOnFace = true
        world.network.conditionsChanged()
        world.phone.session.transferCurrentComplicationUserInfo(["n": 2])
        world.settle()
        #expect(world.watch.log.contains("userInfo n=2"))
    }

    @Test("W96 a complication info launches the watch app, or does not with complications of WidgetKit", arguments: [true, false])
    func complicationWakes(wakes: Bool) {
        var knobs = Knobs()
        knobs.wakesWatchForComplications = wakes
        let world = TestWorld(knobs: knobs)
        world.watch.isComplicationOnFace = true
        world.phone.launch()
        world.settle()
        world.phone.session.transferCurrentComplicationUserInfo(["n": 1])
        world.settle()
        #expect((world.watch.process != nil) == wakes)
        world.watch.launch()
        world.settle()
        #expect(world.watch.log.contains("userInfo n=1"), "it has arrived")
    }

    // MARK: The end of a transfer

    @Test("W84 W83 a transfer ends when it has reached the device, or when the app was given it", arguments: [true, false])
    func receipt(ends: Bool) {
        var knobs = Knobs.withoutWaking
        knobs.transferEndsWithReceipt = ends
        let world = TestWorld(knobs: knobs)
        world.phone.launch()
        world.settle()
        for number in 1...2 { world.phone.session.transferUserInfo(["n": number]) }
        world.settle()
        #expect(world.phone.log.filter { $0.hasPrefix("finished") }.isEmpty == ends)
        #expect(world.phone.session.outstandingUserInfoTransfers.map { text($0.userInfo) } == (ends ? ["n=1", "n=2"] : []))
        world.watch.launch()
        world.settle()
        #expect(world.phone.log.filter { $0.hasPrefix("finished") } == ["finished n=1 -", "finished n=2 -"])
        #expect(world.phone.session.outstandingUserInfoTransfers.isEmpty)
    }

    @Test("W84 what the app was given while the link was down ends when it is up again") func receiptWaits() {
        var knobs = Knobs.withoutWaking
        knobs.transferEndsWithReceipt = true
        let world = TestWorld(knobs: knobs)
        world.phone.launch()
        world.settle()
        world.phone.session.transferUserInfo(["n": 1])
        world.settle()
        world.network.setLink(up: false)
        world.watch.launch()
        world.settle()
        #expect(world.watch.log.contains("userInfo n=1"))
        #expect(world.phone.session.outstandingUserInfoTransfers.count == 1)
        world.network.setLink(up: true)
        world.settle()
        #expect(world.phone.log.filter { $0.hasPrefix("finished") } == ["finished n=1 -"])
    }

    @Test("W84 what its app was never given fails when that is removed") func receiverRemoved() {
        var knobs = Knobs.withoutWaking
        knobs.transferEndsWithReceipt = true
        let world = TestWorld(knobs: knobs)
        world.phone.launch()
        world.settle()
        world.phone.session.transferUserInfo(["n": 1])
        world.settle()
        world.watch.uninstall()
        world.settle()
        #expect(world.phone.log.filter { $0.hasPrefix("finished") } == ["finished n=1 7014"])
    }

    // MARK: Stuck transfers

    /// P20: radar 25767669.
    @Test(
        "W84 what gets stuck without a loss of the link is freed by the next transfer, the end of the watch app, or a restart",
        arguments: 0...3)
    func freed(way: Int) {
        var knobs = Knobs()
        knobs.transferSticksAfter = 1
        knobs.stuckUntilCancelled = way == 3
        let world = TestWorld.activated(knobs: knobs)
        for number in 1...2 { world.phone.session.transferUserInfo(["n": number]) }
        world.settle()
        #expect(world.phone.session.outstandingUserInfoTransfers.map { text($0.userInfo) } == ["n=2"])
        switch way {
        case 0: world.phone.session.transferUserInfo(["n": 3])
        case 1:
            world.watch.terminate()
            world.watch.launch()
        case 2: world.network.deviceRestarts(.phone)
        default:
            world.phone.session.transferUserInfo(["n": 3])
            world.network.deviceRestarts(.watch)
        }
        world.settle()
        let left = world.phone.session.outstandingUserInfoTransfers.map { text($0.userInfo) }
        #expect(left == (way == 3 ? ["n=2", "n=3"] : []))
    }
}
