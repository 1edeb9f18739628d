import DeviceSim
import Foundation
import Testing
import WatchConnectivity

@testable import DeviceSimCore

/// A phone with two watches, of which a person wears one at a time.
@Suite struct SwitchingTests {
    @Test("W12 W13 inactive, what the old watch has sent, deactivated; the watches' sessions stay activated", arguments: readyOrders)
    func goesInOrder(order: ReadyOrder) throws {
        let world = TestWorld.withTwoWatches(order: order)
        try world.watch.session.updateApplicationContext(["n": 1])
        world.watch.session.transferUserInfo(["n": 2])
        world.watch.session.transferUserInfo(["n": 3])
        world.network.switchWatch(to: .watch2)
        world.scheduler.runReady()
        #expect(world.phone.session.activationState == .inactive)
        #expect(!world.phone.session.isPaired)
        world.settle()

        let log = world.phone.log
        #expect(log.first == "inactive")
        #expect(log.filter { $0.hasPrefix("userInfo") } == ["userInfo n=2", "userInfo n=3"])
        #expect(Set(log.prefix { $0 != "deactivated" }) == ["inactive", "context n=1", "userInfo n=2", "userInfo n=3"])
        #expect(log.suffix(2) == ["deactivated", "activated 2 -"])
        #expect(world.phone.session.isPaired && world.phone.session.isReachable)
        for watch in [world.watch, world.watch2] { #expect(watch.session.activationState == .activated) }
        #expect(world.watch.log.filter { !$0.hasPrefix("finished") } == ["reachable false"])
        #expect(world.watch2.log == ["reachable true"])
    }

    @Test("W13 while inactive every channel refuses with 7016") func inactiveSendsNothing() {
        let world = TestWorld.withTwoWatches()
        world.network.switchWatch(to: .watch2)
        let outcomes = Outcomes()
        #expect(throws: WCError(.sessionInactive)) { try world.phone.session.updateApplicationContext(["n": 1]) }
        world.phone.session.sendMessage(["n": 1], replyHandler: nil) { outcomes.note(code($0)) }
        world.phone.session.transferUserInfo(["n": 1])
        world.scheduler.runReady()
        #expect(outcomes.all == ["7016"])
        #expect(world.phone.log.contains("finished n=1 7016"))
    }

    @Test("W14 a session that is not activated again is dead; what the new watch says waits") func staysDead() throws {
        let world = TestWorld.withTwoWatches()
        let delegate = try #require(world.phone.delegate as? RecordingDelegate)
        delegate.activatesAgain = false
        world.network.switchWatch(to: .watch2)
        world.settle()
        try world.watch2.session.updateApplicationContext(["n": 2])
        world.settle()
        #expect(delegate.log == ["inactive", "deactivated"])
        #expect(world.phone.session.activationState == .notActivated)
        #expect(!world.phone.session.isPaired && !world.phone.session.isWatchAppInstalled)
        #expect(throws: WCError(.sessionNotActivated)) { try world.phone.session.updateApplicationContext(["n": 1]) }

        world.phone.session.activate()
        world.settle()
        #expect(delegate.log.suffix(2) == ["activated 2 -", "context n=2"])
    }

    @Test("W15 contexts, queues and the directory belong to one watch each") func areOfOneWatch() throws {
        let world = TestWorld.withTwoWatches()
        let session = world.phone.session
        try session.updateApplicationContext(["for": 1])
        world.settle()
        let directory = session.watchDirectoryURL
        world.network.setLink(up: false)
        session.transferUserInfo(["for": 1])
        world.network.switchWatch(to: .watch2)
        world.settle()
        world.network.setLink(up: true)
        world.settle()
        #expect(session.applicationContext.isEmpty && session.outstandingUserInfoTransfers.isEmpty)
        #expect(session.watchDirectoryURL != nil && session.watchDirectoryURL != directory)
        #expect(world.watch2.log == ["reachable true"])

        world.network.switchWatch(to: .watch)
        world.settle()
        #expect(session.applicationContext["for"] as? Int == 1)
        #expect(session.watchDirectoryURL == directory)
        #expect(world.watch.log.contains("userInfo for=1"))
        #expect(world.phone.log.contains("finished for=1 -"))
    }

    /// Both watches number their messages from 1.
    @Test("W15 W65 a late answer to the old watch does not reach the new one") func lateAnswer() throws {
        let world = TestWorld.withTwoWatches()
        let delegate = try #require(world.phone.delegate as? RecordingDelegate)
        var reply: (([String: Any]) -> Void)?
        delegate.onRequest = { _, handler in if reply == nil { reply = handler } }
        let (first, second) = (Outcomes(), Outcomes())
        world.watch.session.sendMessage(["n": 1], replyHandler: { _ in first.note("replied") }) { first.note(code($0)) }
        world.wait(.milliseconds(30))
        world.network.switchWatch(to: .watch2)
        world.wait(.seconds(1))
        world.watch2.session.sendMessage(["n": 1], replyHandler: { _ in second.note("replied") }) { second.note(code($0)) }
        world.wait(.milliseconds(30))
        reply?(["late": true])
        world.settle()
        #expect(first.all == ["7012"])
        #expect(second.all == ["7012"])
        #expect(world.count(.messageLost) == 1)
    }

    @Test("W13 messages under way are cancelled both ways, and what they fail with is a knob", arguments: CancelledMessageError.allCases)
    func cancelsMessages(error: CancelledMessageError) throws {
        var knobs = Knobs()
        knobs.cancelledMessageError = error
        let world = TestWorld.withTwoWatches(knobs: knobs)
        let delegate = try #require(world.watch.delegate as? RecordingDelegate)
        delegate.onRequest = { _, _ in }
        let (waiting, leaving, coming) = (Outcomes(), Outcomes(), Outcomes())
        world.phone.session.sendMessage(["n": 1], replyHandler: { _ in waiting.note("replied") }) { waiting.note(code($0)) }
        world.wait(.milliseconds(30))
        world.phone.session.sendMessage(["n": 2], replyHandler: nil) { leaving.note(code($0)) }
        world.watch.session.sendMessage(["n": 3], replyHandler: { _ in coming.note("replied") }) { coming.note(code($0)) }
        world.network.switchWatch(to: .watch2)
        world.settle()
        #expect(waiting.all == ["\(error.code.rawValue)"] && leaving.all == waiting.all)
        #expect(coming.all == ["7014"])
        #expect(!world.phone.log.contains { $0.hasPrefix("message") } && delegate.log.filter { $0.contains("n=2") }.isEmpty)
    }

    @Test("W13 with the knob off messages of the old watch still arrive, and waits for replies go on") func keepsMessages() throws {
        var knobs = Knobs()
        knobs.switchCancelsMessages = false
        let world = TestWorld.withTwoWatches(knobs: knobs)
        let outcomes = Outcomes()
        world.watch.session.sendMessage(["n": 3], replyHandler: { _ in outcomes.note("replied") }) { outcomes.note(code($0)) }
        world.network.switchWatch(to: .watch2)
        world.settle()
        #expect(outcomes.all == ["replied"])
    }

    @Test("W3 an app that is launched after the change is inactive until it has what the earlier watch sent", arguments: readyOrders)
    func activatesInactive(order: ReadyOrder) throws {
        var knobs = Knobs()
        knobs.wakesPhoneForUserInfos = false
        let world = TestWorld.withTwoWatches(order: order, knobs: knobs)
        world.phone.terminate()
        world.watch.session.transferUserInfo(["n": 1])
        world.watch.session.transferUserInfo(["n": 2])
        world.settle()
        world.network.switchWatch(to: .watch2)
        world.settle()
        world.phone.launch()
        world.settle()
        #expect(world.phone.log == ["activated 1 -", "userInfo n=1", "userInfo n=2", "deactivated", "activated 2 -"])
        #expect(world.phone.session.isReachable)
    }

    @Test("W118 only a delegate without code for several watches has opted out") func optsOut() {
        let world = TestWorld.withTwoWatches()
        world.network.switchWatch(to: .watch2)
        world.settle()
        #expect(!world.phone.hasOptedOut)
        world.phone.terminate()
        world.phone.makeDelegate = { BareDelegate() }
        world.phone.launch()
        world.settle()
        world.network.switchWatch(to: .watch)
        world.settle()
        #expect(world.phone.hasOptedOut)
        #expect(world.phone.session.activationState == .notActivated)
    }

    @Test("W3 with the knob off it is with the watch that is worn, and the rest waits until that one is worn")
    func activatesWithTheNewWatch() {
        var knobs = Knobs()
        knobs.activatesInactiveForOldContent = false
        knobs.wakesPhoneForUserInfos = false
        let world = TestWorld.withTwoWatches(knobs: knobs)
        world.phone.terminate()
        world.watch.session.transferUserInfo(["n": 1])
        world.settle()
        world.network.switchWatch(to: .watch2)
        world.settle()
        world.phone.launch()
        world.settle()
        #expect(world.phone.log == ["activated 2 -"])
    }

    @Test("W15 the directory's URL is valid while the session is inactive, and is that of the watch before") func directoryWhileInactive() {
        let world = TestWorld.withTwoWatches()
        let directory = world.phone.session.watchDirectoryURL
        world.network.switchWatch(to: .watch2)
        world.scheduler.runReady()
        #expect(world.phone.session.activationState == .inactive)
        #expect(directory != nil && world.phone.session.watchDirectoryURL == directory)
        world.settle()
        #expect(world.phone.session.watchDirectoryURL != directory)
    }

    @Test("W24 the directory goes at once, at the next launch, or when the app is told", arguments: WatchDirectoryRemoval.allCases)
    func directoryGoes(_ removal: WatchDirectoryRemoval) throws {
        var knobs = Knobs()
        knobs.watchDirectoryRemoval = removal
        let world = TestWorld.withTwoWatches(knobs: knobs)
        let directory = try #require(world.phone.session.watchDirectoryURL?.path)
        let files = world.phone.storage?.fileSystem(for: ProcessLife(device: .phone, number: 9, startedBeforeFirstUnlock: false))
        try files?.createDirectory(at: directory + "/kept")
        world.watch.uninstall()
        world.network.appWasRemoved(from: .watch)
        let exists = { try files?.attributes(of: directory + "/kept") != nil }
        #expect(try exists() == (removal != .atOnce))
        world.settle()
        #expect(try exists() == (removal == .atNextLaunch))
        world.network.phoneAppStarts()
        #expect(try !exists())
    }

    @Test("W12 a process that starts while another watch takes over ends up with that one", arguments: readyOrders)
    func launchedMeanwhile(order: ReadyOrder) throws {
        var knobs = Knobs()
        knobs.switchHandover = .milliseconds(200)
        let world = TestWorld.withTwoWatches(order: order, knobs: knobs)
        world.phone.terminate()
        world.network.switchWatch(to: .watch2)
        world.phone.launch()
        world.settle()
        #expect(world.phone.log == ["activated 2 -", "inactive", "deactivated", "activated 2 -"])
        try world.phone.session.updateApplicationContext(["n": 1])
        world.settle()
        #expect(world.watch2.log.contains("context n=1") && !world.watch.log.contains("context n=1"))
    }

    @Test("W12 there and back at once") func thereAndBack() throws {
        let world = TestWorld.withTwoWatches()
        world.network.switchWatch(to: .watch2)
        world.network.switchWatch(to: .watch)
        world.settle()
        #expect(world.network.activeWatch == .watch)
        #expect(world.phone.session.activationState == .activated && world.phone.session.isReachable)
        try world.phone.session.updateApplicationContext(["n": 1])
        world.settle()
        #expect(world.watch.log.contains("context n=1"))
    }

    @Test("W12 W20 unpairing the watch that is worn makes the other one the active one") func unpaired() {
        let world = TestWorld.withTwoWatches()
        world.network.setPaired(false, .watch)
        world.settle()
        #expect(world.network.activeWatch == .watch2 && world.phone.session.isPaired)
        world.network.setPaired(false, .watch2)
        world.settle()
        #expect(!world.phone.session.isPaired)
    }

    @Test("W24 what was kept for a watch goes with its app, at the next launch") func directoryIsEmptied() throws {
        let world = TestWorld.withTwoWatches()
        let directory = try #require(world.phone.session.watchDirectoryURL?.path)
        let files = world.phone.storage?.fileSystem(for: ProcessLife(device: .phone, number: 9, startedBeforeFirstUnlock: false))
        try files?.createDirectory(at: directory + "/kept")
        world.network.phoneAppStarts()
        #expect(try files?.attributes(of: directory + "/kept") != nil)
        world.network.appWasRemoved(from: .watch)
        #expect(try files?.attributes(of: directory + "/kept") != nil)
        world.network.phoneAppStarts()
        #expect(try files?.attributes(of: directory + "/kept") == nil)
    }
}
