import DeviceSim
import Foundation
import Testing
import WatchConnectivity

@testable import DeviceSimCore

@Suite struct LifetimeTests {
    @Test("Calls of an ended process change nothing, leave no trace, and let what waits unwind", arguments: bothSides)
    func endedProcess(on device: DeviceID) throws {
        let world = TestWorld.activated()
        let host = world.host(device)
        try host.session.updateApplicationContext(["n": 1])
        world.settle()
        let process = try #require(host.process)
        let session = process.endpoint.session
        host.terminate()
        world.settle()
        let before = world.recorder.trace.events.count
        let outcomes = Outcomes()

        session.activate()
        #expect(session.activationState == .notActivated)
        #expect(!session.isReachable && !session.isPaired && !session.isCompanionAppInstalled && !session.hasContentPending)
        #expect(session.applicationContext.isEmpty && session.receivedApplicationContext.isEmpty)
        #expect(throws: WCError(.genericError)) { try session.updateApplicationContext(["n": 2]) }
        outcomes.send(["n": 3], as: "a", from: session)
        outcomes.sendPlain(["n": 3], as: "b", from: session)
        session.sendMessage(["n": 3], replyHandler: { outcomes.note("c reply \(text($0))") })
        session.sendMessageData(Data(), replyHandler: { outcomes.note("d reply \($0.count)") })
        session.sendMessage(["n": 3], replyHandler: nil)
        #expect(outcomes.all.isEmpty)
        world.settle()
        #expect(outcomes.all.sorted() == ["a error 7014", "b error 7014", "c reply ", "d reply 0"])
        #expect(world.recorder.trace.events.count == before)
        host.launch()
        world.settle()
        #expect(text(host.session.applicationContext) == "n=1")
    }

    @Test("What waited for an answer unwinds when its process ends, once, in order", arguments: bothSides, [false, true])
    func unwinding(on device: DeviceID, suspended: Bool) throws {
        let world = TestWorld.activated()
        let host = world.host(device)
        try #require(world.peer(of: device).delegate as? RecordingDelegate).onRequest = { message, reply in
            if message["n"] as? Int == 0 { reply(["x": 1]) }
        }
        let outcomes = Outcomes()
        let session = host.session
        // One has its reply, which the suspended process's queue has not handed over; one waits for it; one is on the link.
        if suspended && device.isPhone {
            outcomes.send(["n": 0], as: "replied", from: session)
            host.change(to: .suspended)
            world.wait(.seconds(1))
            host.terminate()
            world.settle()
            #expect(outcomes.all == ["replied error 7014"])
            return
        }
        outcomes.send(["n": 1], as: "waiting", from: session)
        world.wait(.seconds(1))
        outcomes.send(["n": 2], as: "on the link", from: session)
        session.sendMessage(["n": 3], replyHandler: { outcomes.note("no error handler: \(text($0))") })
        host.terminate()
        #expect(outcomes.all.isEmpty, "nothing runs inside the call that ends the process")
        world.settle()
        #expect(Set(outcomes.all) == ["waiting error 7014", "on the link error 7014", "no error handler: "])
        #expect(outcomes.all.count == 3)
    }

    @Test("A task that waits for a reply unwinds when its process ends")
    func suspendedTask() throws {
        let world = TestWorld.activated()
        try #require(world.watch.delegate as? RecordingDelegate).onRequest = { _, _ in }
        let process = try #require(world.phone.process)
        let endpoint = process.endpoint
        let outcomes = TaskOutcome()
        _ = Task(executorPreference: process.executor) {
            do {
                try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                    endpoint.session.sendMessage(
                        ["n": 1], replyHandler: { _ in continuation.resume() }, errorHandler: { continuation.resume(throwing: $0) })
                }
                outcomes.text = "replied"
            } catch {
                outcomes.text = "error \(code(error))"
            }
        }
        world.wait(.seconds(1))
        #expect(outcomes.text == "waits")
        world.phone.terminate()
        world.scheduler.runReady()
        #expect(outcomes.text == "error 7014")
    }

    final class TaskOutcome: @unchecked Sendable {
        var text = "waits"
    }

    @Test("A finished world leaves nothing in memory", arguments: [false, true])
    func memory(endsProcesses: Bool) throws {
        weak var scheduler: Scheduler?
        weak var recorder: Recorder?
        weak var network: ConnectivityNetwork?
        weak var daemon: ConnectivityDaemon?
        weak var endpoint: SessionEndpoint?
        weak var session: WCSession?
        weak var delegate: RecordingDelegate?
        weak var token: Journal?
        do {
            let world = TestWorld.activated()
            let journal = Journal()
            scheduler = world.scheduler
            recorder = world.recorder
            network = world.network
            daemon = world.network.daemon(of: .phone)
            endpoint = world.phone.endpoint
            session = world.phone.session
            delegate = world.watch.delegate as? RecordingDelegate
            token = journal
            // Something of each kind is left hanging: a message waiting for its reply, one on the link, a context on its way, callbacks
            // that have not run.
            let kept = Journal()
            try #require(delegate).onRequest = { _, reply in kept.inCallback = { _ in reply([:]) } }
            world.phone.session.sendMessage(["n": 1], replyHandler: { _ in journal.entries.append("reply") })
            world.wait(.seconds(1))
            try world.watch.session.updateApplicationContext(["n": 1])
            world.watch.session.sendMessage(["n": 1], replyHandler: { _ in journal.entries.append("reply") })
            world.wait(.milliseconds(5))
            world.network.setPaired(false)
            world.network.setPaired(true)
            if endsProcesses {
                world.phone.terminate()
                world.watch.terminate()
                world.scheduler.runReady()
            }
        }
        #expect(scheduler == nil)
        #expect(recorder == nil)
        #expect(network == nil)
        #expect(daemon == nil)
        #expect(endpoint == nil)
        #expect(session == nil)
        #expect(delegate == nil)
        #expect(token == nil)
    }

    @Test("A call from a foreign thread is refused, and reported as an escape")
    func escape() throws {
        let world = TestWorld.activated()
        let session = Unchecked(world.phone.session)
        let outcomes = Unchecked(Outcomes())
        world.scheduler.enqueue {
            let thread = Thread {
                #expect(!session.value.isReachable)
                #expect(session.value.activationState == .notActivated)
                #expect(throws: WCError(.genericError)) { try session.value.updateApplicationContext(["n": 1]) }
                outcomes.value.send(["n": 1], from: session.value)
                session.value.activate()
                session.done.signal()
            }
            thread.start()
            session.done.wait()
        }
        world.settle()
        #expect(outcomes.value.all == ["m error 7001"])
        #expect(
            Set(world.scheduler.escapes) == [
                "phone app #1: WCSession.isReachable", "phone app #1: WCSession.activationState",
                "phone app #1: WCSession.updateApplicationContext", "phone app #1: WCSession.sendMessage",
                "phone app #1: WCSession.activate",
            ])
        #expect(world.count(.messageFailed) == 0 && world.count(.contextRefused) == 0)
    }

    struct Unchecked<Value>: @unchecked Sendable {
        let value: Value
        let done = DispatchSemaphore(value: 0)

        init(_ value: Value) { self.value = value }
    }

    @Test("Outside a simulation there is no session, and nothing is kept in the one that stands in")
    func unsupported() {
        #expect(!WCSession.isSupported())
        let delegate = BareDelegate()
        WCSession.default.delegate = delegate
        #expect(WCSession.default.delegate == nil)
        #expect(throws: WCError(.sessionNotSupported)) { try WCSession.default.updateApplicationContext([:]) }
        let outcomes = Outcomes()
        outcomes.send([:], from: .default)
        #expect(outcomes.all == ["m error 7002"])
    }

    @Test("Callbacks run in the context of their process: the default session is its own", arguments: readyOrders)
    func context(order: ReadyOrder) {
        let world = TestWorld.activated(order: order)
        var wrong = 0
        var count = 0
        for host in [world.phone, world.watch] {
            host.delegate.inCallback = { session in
                count += 1
                if WCSession.default !== session { wrong += 1 }
            }
            host.session.sendMessage(
                ["n": 1],
                replyHandler: { _ in
                    count += 1
                    if WCSession.default !== host.session { wrong += 1 }
                })
        }
        world.settle()
        #expect(count == 4 && wrong == 0)
        #expect(!WCSession.isSupported())
    }
}
