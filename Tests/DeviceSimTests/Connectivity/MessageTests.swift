import DeviceSim
import Foundation
import Testing
import WatchConnectivity

@testable import DeviceSimCore

@Suite struct MessageTests {
    @Test("W60 without reachability 7007, to the error handler", arguments: bothSides)
    func notReachable(from device: DeviceID) {
        let world = TestWorld.activated()
        world.network.setLink(up: false)
        let outcomes = Outcomes()
        outcomes.send(["n": 1], as: "a", from: world.host(device).session)
        outcomes.sendPlain(["n": 2], as: "b", from: world.host(device).session)
        #expect(outcomes.all.isEmpty)
        world.settle()
        #expect(outcomes.all == ["a error 7007", "b error 7007"])
        #expect(world.count(.messageSent) == 0)
    }

    @Test("W61 messages arrive in the order of sending, whatever the order of ready work", arguments: bothSides, readyOrders)
    func inOrder(from device: DeviceID, order: ReadyOrder) {
        let world = TestWorld.activated(order: order)
        let session = world.host(device).session
        let outcomes = Outcomes()
        for number in 0..<10 {
            if number.isMultiple(of: 2) {
                outcomes.send(["n": number], from: session)
            } else {
                outcomes.sendPlain(["n": number], from: session)
            }
        }
        #expect(world.peer(of: device).log.isEmpty, "a send returns at once")
        world.settle()
        #expect(world.peer(of: device).log == (0..<10).map { "\($0.isMultiple(of: 2) ? "request" : "message") n=\($0)" })
        #expect(outcomes.all == [0, 2, 4, 6, 8].map { "m reply echo=\($0)" })
        #expect(world.events(.messageDelivered).map { $0["sequence"] } == (1...10).map { .number($0) })
    }

    @Test("W61 a link that becomes faster lets nothing overtake")
    func fasterLink() {
        let world = TestWorld.activated()
        world.network.latency = .seconds(2)
        world.phone.session.sendMessage(["n": 1], replyHandler: nil)
        world.network.latency = .milliseconds(1)
        world.phone.session.sendMessage(["n": 2], replyHandler: nil)
        world.settle()
        #expect(world.watch.log == ["message n=1", "message n=2"])
    }

    @Test("W62 a message from the watch starts the phone's app in the background, and waits for its session", arguments: readyOrders)
    func wakesPhone(order: ReadyOrder) {
        let world = TestWorld.activated(order: order)
        world.phone.terminate()
        world.settle()
        let outcomes = Outcomes()
        outcomes.send(["n": 1], from: world.watch.session)
        outcomes.sendPlain(["n": 2], from: world.watch.session)
        world.settle()
        #expect(world.phone.wakeCount == 1)
        #expect(world.phone.appState == .background)
        #expect(world.phone.log == ["activated 2 -", "request n=1", "message n=2"])
        #expect(world.phone.session.isReachable)
        #expect(outcomes.all == ["m reply echo=1"])
    }

    @Test("W62 a suspended phone app is resumed")
    func resumesPhone() {
        let world = TestWorld.activated()
        world.phone.change(to: .suspended)
        let outcomes = Outcomes()
        outcomes.send(["n": 1], from: world.watch.session)
        world.settle()
        #expect(world.phone.appState == .background && world.phone.wakeCount == 0)
        #expect(outcomes.all == ["m reply echo=1"])
    }

    @Test("W62 W9 W140 a woken phone app that never activates its session never gets the message")
    func neverActivates() {
        let world = TestWorld.activated()
        world.phone.terminate()
        world.phone.activatesWhenWoken = false
        let outcomes = Outcomes()
        outcomes.send(["n": 1], from: world.watch.session)
        world.settle()
        #expect(outcomes.all == ["m error 7017"])
        #expect(world.phone.log.isEmpty && world.count(.messageDelivered) == 0)
    }

    @Test("W63 a message from the phone never starts the watch's app", arguments: [nil, AppState.background, .suspended])
    func neverWakesWatch(state: AppState?) {
        let world = TestWorld.activated()
        if let state { world.watch.change(to: state) } else { world.watch.terminate() }
        let outcomes = Outcomes()
        outcomes.send(["n": 1], from: world.phone.session)
        world.settle()
        #expect(outcomes.all == ["m error 7007"])
        #expect(world.watch.wakeCount == 0 && world.watch.appState == state)
    }

    @Test("W64 with a reply handler the reply variant, without the plain one; of data as well", arguments: bothSides)
    func variants(from device: DeviceID) {
        let world = TestWorld.activated()
        let session = world.host(device).session
        let outcomes = Outcomes()
        outcomes.send(["n": 1], from: session)
        outcomes.sendPlain(["n": 2], from: session)
        session.sendMessageData(Data(count: 3), replyHandler: { outcomes.note("data reply \($0.count)") })
        session.sendMessageData(Data(count: 4), replyHandler: nil)
        world.settle()
        #expect(world.peer(of: device).log == ["request n=1", "message n=2", "data request 3", "data 4"])
        #expect(outcomes.all == ["m reply echo=1", "data reply 3"])
    }

    @Test("W64 W66 no fallback: a delegate that lacks the wanted variant gives the sender 7014", arguments: bothSides, readyOrders)
    func missingVariant(from device: DeviceID, order: ReadyOrder) {
        for isPlainImplemented in [true, false] {
            let world = TestWorld(order: order)
            let receiver = world.peer(of: device)
            world.host(device).launch()
            receiver.launch(delegate: isPlainImplemented ? PlainMessageDelegate() : ReplyMessageDelegate())
            world.settle()
            let session = world.host(device).session
            let before = world.count(.unimplemented)
            let outcomes = Outcomes()
            outcomes.send(["n": 1], as: "request", from: session)
            outcomes.sendPlain(["n": 2], as: "plain", from: session)
            session.sendMessageData(
                Data(count: 3), replyHandler: { _ in outcomes.note("data replied") },
                errorHandler: { outcomes.note("data request error \(code($0))") })
            session.sendMessageData(Data(count: 4), replyHandler: nil, errorHandler: { outcomes.note("data error \(code($0))") })
            world.settle()
            if isPlainImplemented {
                #expect(receiver.log.dropFirst() == ["message n=2", "data 4"])
                #expect(outcomes.all == ["request error 7014", "data request error 7014"])
            } else {
                #expect(receiver.log.dropFirst() == ["request n=1", "data request 3"])
                #expect(outcomes.all.sorted() == ["data error 7014", "data replied", "plain error 7014", "request reply "])
            }
            #expect(world.count(.unimplemented) - before == 2)
            #expect(world.count(.messageDelivered) == 2, "what the delegate lacks was not delivered")
        }
    }

    @Test("W65 a reply handler called twice, and one called too late, do nothing but show", arguments: bothSides)
    func onceOnly(from device: DeviceID) throws {
        var knobs = Knobs()
        knobs.messageReplyTimeout = .seconds(10)
        let world = TestWorld.activated(knobs: knobs)
        let receiver = try #require(world.peer(of: device).delegate as? RecordingDelegate)
        var kept: [([String: Any]) -> Void] = []
        receiver.onRequest = { _, reply in kept.append(reply) }
        let outcomes = Outcomes()
        outcomes.send(["n": 1], as: "a", from: world.host(device).session)
        outcomes.send(["n": 2], as: "b", from: world.host(device).session)
        world.wait(.seconds(1))
        #expect(kept.count == 2)
        kept.first?(["x": 1])
        kept.first?(["x": 2])
        world.settle()
        kept.last?(["x": 3])
        world.settle()
        #expect(outcomes.all == ["a reply x=1", "b error 7012"])
        #expect(world.count(.messageReplyIgnored, on: receiver === world.phone.delegate ? .phone : .watch) == 1)
        #expect(world.count(.messageReplyIgnored, on: device) == 1)
    }

    @Test("W67 no reply in time is 7012, after the knob's time", arguments: bothSides)
    func timeout(from device: DeviceID) throws {
        let world = TestWorld.activated()
        try #require(world.peer(of: device).delegate as? RecordingDelegate).onRequest = { _, _ in }
        let outcomes = Outcomes()
        let start = world.scheduler.now
        outcomes.send(["n": 1], from: world.host(device).session)
        world.wait(.seconds(299))
        #expect(outcomes.all.isEmpty)
        world.settle()
        #expect(outcomes.all == ["m error 7012"])
        #expect(world.scheduler.now - start == .seconds(300))
    }

    @Test("W67 a reply ends the wait: nothing is left to happen")
    func noTimerLeft() {
        let world = TestWorld.activated()
        Outcomes().send(["n": 1], from: world.phone.session)
        world.settle()
        #expect(world.scheduler.now < .start + .seconds(1))
    }

    @Test("W67 a receiver that ends after it got the message never replies", arguments: bothSides)
    func receiverEnds(from device: DeviceID) throws {
        let world = TestWorld.activated()
        let receiver = world.peer(of: device)
        receiver.delegate.inCallback = { _ in receiver.terminate() }
        let outcomes = Outcomes()
        outcomes.send(["n": 1], from: world.host(device).session)
        world.settle()
        #expect(outcomes.all == ["m error 7012"])
        #expect(world.count(.messageDelivered) == 1 && world.count(.messageReplied) == 0)
    }

    @Test("W66 W68 a receiver that ends before it got the message: 7014, or silence without a reply handler")
    func receiverEndsBefore() {
        let world = TestWorld.activated()
        world.phone.terminate()
        world.phone.activatesWhenWoken = false
        let outcomes = Outcomes()
        outcomes.send(["n": 1], as: "request", from: world.watch.session)
        outcomes.sendPlain(["n": 2], as: "plain", from: world.watch.session)
        world.wait(.seconds(1))
        world.phone.terminate()
        world.settle()
        #expect(outcomes.all == ["request error 7014"])
        #expect(world.count(.messageLost, on: .phone) == 2)
        #expect(world.watch.endpoint?.pending.isEmpty == true, "nothing is kept for what will never come")
    }

    @Test("W68 W69 lost reachability fails what has not left, with 7007", arguments: bothSides, readyOrders)
    func lostReachability(from device: DeviceID, order: ReadyOrder) {
        let world = TestWorld.activated(order: order)
        let outcomes = Outcomes()
        outcomes.send(["n": 1], as: "a", from: world.host(device).session)
        outcomes.sendPlain(["n": 2], as: "b", from: world.host(device).session)
        world.wait(.milliseconds(5))
        world.watch.change(to: .background)
        world.settle()
        #expect(outcomes.all == ["a error 7007", "b error 7007"])
        #expect(world.count(.messageArrived) == 0)
    }

    @Test("W68 W69 the link breaks after a message left: its reply is lost, and the wait runs out", arguments: bothSides)
    func lostReply(from device: DeviceID) {
        let world = TestWorld.activated()
        let outcomes = Outcomes()
        outcomes.send(["n": 1], as: "a", from: world.host(device).session)
        outcomes.sendPlain(["n": 2], as: "b", from: world.host(device).session)
        world.wait(.milliseconds(25))
        #expect(world.count(.messageReplied) == 1)
        world.network.setLink(up: false)
        world.wait(.seconds(1))
        world.network.setLink(up: true)
        world.settle()
        #expect(outcomes.all == ["a error 7012"])
        #expect(world.count(.messageLost) == 1 && world.count(.messageDelivered) == 2)
    }

    @Test("W69 a reply that is given while the link is down is lost")
    func replyWithoutLink() throws {
        let world = TestWorld.activated()
        var kept: [([String: Any]) -> Void] = []
        try #require(world.watch.delegate as? RecordingDelegate).onRequest = { _, reply in kept.append(reply) }
        let outcomes = Outcomes()
        outcomes.send(["n": 1], from: world.phone.session)
        world.wait(.seconds(1))
        world.network.setLink(up: false)
        kept.first?(["x": 1])
        world.network.setLink(up: true)
        world.settle()
        #expect(outcomes.all == ["m error 7012"])
    }

    @Test("W70 the sending app ends: what has not left is dropped, and never sent again", arguments: bothSides, readyOrders)
    func senderEnds(device: DeviceID, order: ReadyOrder) {
        let world = TestWorld.activated(order: order)
        let host = world.host(device)
        let outcomes = Outcomes()
        outcomes.send(["n": 1], from: host.session)
        world.wait(.milliseconds(5))
        host.relaunch()
        world.settle()
        #expect(world.count(.messageArrived) == 0 && world.count(.messageLost, on: device) == 1)
        #expect(!world.peer(of: device).log.contains("request n=1"))
        #expect(outcomes.all == ["m error 7014"], "what waited in the ended process unwinds")
        #expect(world.count(.messageFailed) == 0, "and leaves no trace")
    }

    @Test("W70 a reply for a process that ended is ignored, also by the next process", arguments: bothSides)
    func replyToEndedSender(device: DeviceID) throws {
        let world = TestWorld.activated()
        try #require(world.peer(of: device).delegate as? RecordingDelegate).onRequest = { _, reply in
            world.host(device).relaunch()
            reply(["x": 1])
        }
        let outcomes = Outcomes()
        outcomes.send(["n": 1], from: world.host(device).session)
        world.settle()
        #expect(outcomes.all == ["m error 7014"])
        #expect(world.count(.messageReplyIgnored, on: device) == 1)
    }

    @Test("W73 a reply that cannot be sent gives the sender 7010 or 7009", arguments: bothSides)
    func badReply(from device: DeviceID) throws {
        let world = TestWorld.activated()
        let receiver = try #require(world.peer(of: device).delegate as? RecordingDelegate)
        receiver.onRequest = { message, reply in
            reply(message["n"] as? Int == 1 ? ["x": NSNull()] : ["x": Data(count: 70_000)])
        }
        receiver.onDataRequest = { _, reply in reply(Data(count: 65_537)) }
        let outcomes = Outcomes()
        let session = world.host(device).session
        outcomes.send(["n": 1], as: "types", from: session)
        outcomes.send(["n": 2], as: "size", from: session)
        session.sendMessageData(
            Data(), replyHandler: { _ in outcomes.note("data replied") }, errorHandler: { outcomes.note("data error \(code($0))") })
        world.settle()
        #expect(outcomes.all == ["types error 7010", "size error 7009", "data error 7009"])
    }

    @Test("W100 W101 W102 W103 a payload that cannot be sent is refused before it leaves", arguments: bothSides)
    func badPayload(from device: DeviceID) {
        let world = TestWorld.activated()
        let session = world.host(device).session
        let outcomes = Outcomes()
        outcomes.sendPlain(["x": ["y": NSNull()]], as: "types", from: session)
        outcomes.sendPlain(["x": Data(count: 65_482)], as: "size", from: session)
        outcomes.sendPlain(["x": Data(count: 65_481)], as: "fits", from: session)
        session.sendMessageData(Data(count: 65_537), replyHandler: nil, errorHandler: { outcomes.note("data error \(code($0))") })
        session.sendMessageData(Data(count: 65_536), replyHandler: nil, errorHandler: { outcomes.note("fits error \(code($0))") })
        world.settle()
        #expect(outcomes.all == ["types error 7010", "size error 7009", "data error 7009"])
        #expect(world.count(.messageDelivered) == 2)
        #expect(world.events(.messageFailed).first?["keyPath"] == .text("x.y"))
        #expect(world.events(.messageFailed).last?["limit"] == .number(65_536))
    }

    @Test("W103 the session's state comes before types and size", arguments: bothSides)
    func stateFirst(from device: DeviceID) {
        let world = TestWorld.activated()
        world.network.setLink(up: false)
        let outcomes = Outcomes()
        outcomes.sendPlain(["x": NSNull()], from: world.host(device).session)
        world.settle()
        #expect(outcomes.all == ["m error 7007"])
    }

    @Test("W9 W11 a message may be sent from a callback, and is answered")
    func fromCallback() {
        let world = TestWorld()
        let outcomes = Outcomes()
        world.phone.launch()
        world.watch.launch()
        world.watch.delegate.inCallback = { session in
            guard outcomes.all.isEmpty else { return }
            outcomes.note("sent")
            outcomes.send(["n": 1], from: session)
        }
        world.settle()
        #expect(outcomes.all == ["sent", "m reply echo=1"])
    }
}
