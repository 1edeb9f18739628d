import DeviceSim
import Foundation
import Testing
import WatchConnectivity

@testable import DeviceSimCore

@Suite struct ActivationTests {
    @Test("W1 W6 a new process knows nothing", arguments: bothSides)
    func newProcess(on device: DeviceID) {
        let world = TestWorld()
        world.phone.launch(activate: false)
        world.watch.launch(activate: false)
        world.phone.state.isLocked = true
        world.settle()
        let session = world.host(device).session
        #expect(session.activationState == .notActivated)
        #expect(!session.isReachable && !session.isPaired && !session.isWatchAppInstalled && !session.isCompanionAppInstalled)
        #expect(!session.hasContentPending && !session.iOSDeviceNeedsUnlockAfterRebootForReachability)
        #expect(session.applicationContext.isEmpty && session.receivedApplicationContext.isEmpty)
    }

    @Test("W2 W3 activate returns at once, and the state has changed when the callback runs", arguments: readyOrders)
    func activation(order: ReadyOrder) {
        let world = TestWorld(order: order)
        let phone = world.phone
        phone.launch()
        var stateInCallback: WCSessionActivationState?
        phone.delegate.inCallback = { stateInCallback = $0.activationState }
        world.scheduler.runReady()
        #expect(phone.session.activationState == .notActivated)
        #expect(phone.log.isEmpty)
        world.settle()
        #expect(phone.log == ["activated 2 -"])
        #expect(stateInCallback == .activated)
        #expect(phone.session.activationState == .activated)
        #expect(world.count(.activate) == 1 && world.count(.activated) == 1)
        #expect(world.scheduler.now == .start + Knobs().activationLatency)
    }

    @Test("W4 without a delegate activation does nothing but log an error")
    func noDelegate() {
        let world = TestWorld()
        world.phone.launch(activate: false)
        world.phone.session.activate()
        world.settle()
        #expect(world.phone.session.activationState == .notActivated)
        #expect(world.count(.sessionError) == 1 && world.count(.activate) == 0)
        world.phone.session.delegate = world.phone.delegate
        world.phone.session.activate()
        world.settle()
        #expect(world.phone.log == ["activated 2 -"])
    }

    @Test("W5 activating again does nothing, while activating and when activated")
    func again() {
        let world = TestWorld()
        world.phone.launch()
        world.phone.session.activate()
        world.settle()
        world.phone.session.activate()
        world.settle()
        #expect(world.phone.log == ["activated 2 -"])
        #expect(world.count(.activate) == 1)
    }

    @Test("W7 what is sent before activation fails on its own path, with 7004", arguments: bothSides)
    func sendingTooEarly(from device: DeviceID) {
        let world = TestWorld()
        world.phone.launch()
        world.watch.launch()
        let session = world.host(device).session
        let outcomes = Outcomes()
        outcomes.send(["n": 1], from: session)
        #expect(throws: WCError(.sessionNotActivated)) { try session.updateApplicationContext(["n": 1]) }
        #expect(outcomes.all.isEmpty, "handlers are not called before the call returned")
        world.settle()
        #expect(outcomes.all == ["m error 7004"])
        #expect(world.count(.contextRefused) == 1 && world.count(.messageFailed) == 1)
    }

    @Test("W8 a released delegate: sends fail with 7003, and what comes goes nowhere", arguments: bothSides)
    func releasedDelegate(of device: DeviceID) throws {
        let world = TestWorld.activated()
        let host = world.host(device)
        let peer = world.peer(of: device)
        let session = host.session
        weak let released: (any LoggingDelegate)? = host.process?.delegate
        host.process?.delegate = BareDelegate()
        #expect(released == nil)
        let outcomes = Outcomes()
        outcomes.send(["n": 1], from: session)
        #expect(throws: WCError(.sessionMissingDelegate)) { try session.updateApplicationContext(["n": 1]) }
        try peer.session.updateApplicationContext(["n": 2])
        outcomes.send(["n": 3], as: "to released", from: peer.session)
        world.settle()
        #expect(outcomes.all == ["m error 7003", "to released error 7012"])
        #expect(world.count(.contextDelivered) == 0 && world.count(.messageDelivered) == 0)
        #expect(world.count(.messageLost) == 1)
    }

    @Test("W9 W10 W44 what arrived while the app did not run comes after the activation", arguments: bothSides, readyOrders)
    func backlog(to device: DeviceID, order: ReadyOrder) throws {
        let world = TestWorld(order: order, knobs: .withoutWaking)
        let sender = world.peer(of: device)
        let receiver = world.host(device)
        sender.launch()
        world.settle()
        try sender.session.updateApplicationContext(["n": 1])
        world.settle()
        receiver.launch()
        var pending: [Bool] = []
        receiver.delegate.inCallback = { pending.append($0.hasContentPending) }
        world.settle()
        #expect(receiver.log.prefix(2) == ["activated 2 -", "context n=1"])
        #expect(pending.prefix(2) == [true, false])
        #expect(!receiver.session.hasContentPending)
    }

    @Test("W9 a context that arrives while the session is being activated waits for that", arguments: readyOrders)
    func arrivalDuringActivation(order: ReadyOrder) throws {
        var knobs = Knobs()
        knobs.activationLatency = knobs.linkLatency
        let world = TestWorld(order: order, knobs: knobs)
        world.phone.launch()
        world.settle()
        try world.phone.session.updateApplicationContext(["n": 1])
        world.watch.launch()
        world.settle()
        #expect(world.watch.log == ["activated 2 -", "context n=1"])
    }

    @Test("W11 callbacks do not overlap, and come in order", arguments: bothSides, readyOrders)
    func serial(to device: DeviceID, order: ReadyOrder) {
        let world = TestWorld.activated(order: order)
        let receiver = world.host(device)
        var depth = 0
        var deepest = 0
        receiver.delegate.inCallback = { _ in
            depth += 1
            deepest = max(deepest, depth)
            // Work that a callback adds runs later, not inside it.
            world.scheduler.enqueue { deepest = max(deepest, depth) }
            depth -= 1
        }
        for number in 0..<20 { world.peer(of: device).session.sendMessage(["n": number], replyHandler: nil) }
        world.settle()
        #expect(receiver.log == (0..<20).map { "message n=\($0)" })
        #expect(deepest == 1)
    }

    @Test("A suspended process is activated when it runs again")
    func suspendedMeanwhile() {
        let world = TestWorld()
        world.phone.launch()
        world.phone.change(to: .suspended)
        world.wait(.seconds(10))
        #expect(world.phone.session.activationState == .notActivated)
        world.phone.change(to: .foreground)
        world.settle()
        #expect(world.phone.session.activationState == .activated)
    }

    @Test("A process that ends while activating leaves nothing behind")
    func endedMeanwhile() {
        let world = TestWorld()
        world.phone.launch()
        let session = world.phone.session
        world.phone.terminate()
        world.settle()
        #expect(world.count(.activated) == 0)
        #expect(session.activationState == .notActivated)
        world.phone.launch()
        world.settle()
        #expect(world.phone.log == ["activated 2 -"])
    }
}
