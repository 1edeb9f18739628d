import DeviceSim
import Foundation
import LocalData
import Testing
import WatchConnectivity

@testable import DeviceSimCore

@Suite struct ContextTests {
    @Test("W40 W44 W47 a context replaces the whole of the last one", arguments: bothSides, readyOrders)
    func replaces(from device: DeviceID, order: ReadyOrder) throws {
        let world = TestWorld.activated(order: order)
        let sender = world.host(device).session
        let receiver = world.peer(of: device)
        try sender.updateApplicationContext(["a": 1, "b": 2])
        #expect(text(sender.applicationContext) == "a=1,b=2", "it reads back at once")
        #expect(receiver.log.isEmpty)
        world.settle()
        try sender.updateApplicationContext(["b": 3])
        world.settle()
        #expect(receiver.log == ["context a=1,b=2", "context b=3"])
        #expect(text(receiver.session.receivedApplicationContext) == "b=3")
        #expect(world.events(.contextDelivered).map { $0["sequence"] } == [.number(1), .number(2)])
        #expect(world.events(.contextDelivered).map { $0["keys"] } == [.list(["a", "b"]), .list(["b"])])
    }

    @Test("W41 no app need run at the other end", arguments: bothSides)
    func counterpartNotRunning(from device: DeviceID) throws {
        let world = TestWorld()
        let sender = world.host(device)
        sender.launch()
        world.settle()
        try sender.session.updateApplicationContext(["n": 1])
        world.settle()
        #expect(world.count(.contextArrived, on: world.peer(of: device).id) == 1)
        #expect(world.peer(of: device).wakeCount == (device.isPhone ? 1 : 0), "W110 W111: it launches the watch app only")
    }

    @Test("W42 of several before the transfer only the last is seen", arguments: bothSides, readyOrders)
    func latestWins(from device: DeviceID, order: ReadyOrder) throws {
        let world = TestWorld.activated(order: order)
        let sender = world.host(device).session
        world.network.setLink(up: false)
        for number in 1...3 {
            try sender.updateApplicationContext(["n": number])
            world.settle()
        }
        world.network.setLink(up: true)
        for number in 4...5 { try sender.updateApplicationContext(["n": number]) }
        world.settle()
        let receiver = world.peer(of: device)
        #expect(receiver.log.filter { $0.hasPrefix("context") } == ["context n=5"])
        #expect(world.count(.contextReplaced) == 4)
    }

    @Test("W42 one that was under way is seen, then the last", arguments: readyOrders)
    func duringTransfer(order: ReadyOrder) throws {
        let world = TestWorld.activated(order: order)
        try world.phone.session.updateApplicationContext(["n": 1])
        world.wait(.milliseconds(10))
        try world.phone.session.updateApplicationContext(["n": 2])
        try world.phone.session.updateApplicationContext(["n": 3])
        world.settle()
        #expect(world.watch.log == ["context n=1", "context n=3"])
    }

    @Test("W42 the link breaks during the transfer: it starts again, with the newest", arguments: [false, true])
    func brokenTransfer(isReplaced: Bool) throws {
        let world = TestWorld.activated()
        try world.phone.session.updateApplicationContext(["n": 1])
        world.wait(.milliseconds(10))
        world.network.setLink(up: false)
        world.settle()
        #expect(world.count(.contextArrived) == 0)
        if isReplaced { try world.phone.session.updateApplicationContext(["n": 2]) }
        world.network.setLink(up: true)
        world.settle()
        #expect(world.watch.log.filter { $0.hasPrefix("context") } == ["context n=\(isReplaced ? 2 : 1)"])
        #expect(world.count(.contextSent) == 2)
    }

    @Test("W42 W44 several arrive while the app does not run: one callback, with the last", arguments: bothSides)
    func latestOnWake(to device: DeviceID) throws {
        let world = TestWorld(knobs: .withoutWaking)
        world.peer(of: device).launch()
        world.settle()
        for number in 1...3 {
            try world.peer(of: device).session.updateApplicationContext(["n": number])
            world.settle()
        }
        world.host(device).launch()
        world.settle()
        #expect(world.host(device).log.prefix(2) == ["activated 2 -", "context n=3"])
        #expect(world.count(.contextDelivered) == 1)
    }

    @Test("W43 with the knob, intermediate and repeated ones are seen on wake, the last value last")
    func duplicates() throws {
        var knobs = Knobs.withoutWaking
        knobs.duplicateContexts = true
        let world = TestWorld(knobs: knobs)
        world.phone.launch()
        world.settle()
        for number in 1...3 {
            try world.phone.session.updateApplicationContext(["n": number])
            world.settle()
        }
        world.watch.launch()
        world.settle()
        let contexts = world.watch.log.filter { $0.hasPrefix("context") }
        #expect(contexts.prefix(3) == ["context n=1", "context n=2", "context n=3"])
        #expect(contexts.count > 3 && contexts.dropFirst(3).allSatisfy { $0 == "context n=3" })
    }

    @Test("W44 a suspended app gets the last one when it runs again", arguments: bothSides)
    func suspended(to device: DeviceID) throws {
        let world = TestWorld.activated(knobs: .withoutWaking)
        let receiver = world.host(device)
        receiver.change(to: .suspended)
        for number in 1...2 {
            try world.peer(of: device).session.updateApplicationContext(["n": number])
            world.settle()
        }
        #expect(receiver.log.isEmpty)
        receiver.change(to: .foreground)
        world.settle()
        #expect(receiver.log.filter { $0.hasPrefix("context") } == ["context n=2"])
    }

    @Test("W45 what was sent and what was received are two values on each device")
    func independent() throws {
        let world = TestWorld.activated()
        try world.phone.session.updateApplicationContext(["from": "phone"])
        try world.watch.session.updateApplicationContext(["from": "watch"])
        world.settle()
        #expect(text(world.phone.session.applicationContext) == "from=phone")
        #expect(text(world.phone.session.receivedApplicationContext) == "from=watch")
        #expect(text(world.watch.session.applicationContext) == "from=watch")
        #expect(text(world.watch.session.receivedApplicationContext) == "from=phone")
    }

    @Test("W46 both survive relaunch and restart, and are read once activated", arguments: bothSides, [false, true])
    func survive(on device: DeviceID, restarts: Bool) throws {
        let world = TestWorld.activated()
        let host = world.host(device)
        try host.session.updateApplicationContext(["mine": 1])
        try world.peer(of: device).session.updateApplicationContext(["theirs": 2])
        world.settle()
        if restarts {
            host.reboot()
            host.unlock()
        } else {
            host.terminate()
        }
        host.launch()
        #expect(host.session.applicationContext.isEmpty && host.session.receivedApplicationContext.isEmpty)
        world.settle()
        #expect(text(host.session.applicationContext) == "mine=1")
        #expect(text(host.session.receivedApplicationContext) == "theirs=2")
        #expect(host.log.filter { $0.hasPrefix("context") }.isEmpty, "it was delivered before")
    }

    @Test("W46 what was accepted goes on although the sending app ended", arguments: bothSides)
    func senderEnds(device: DeviceID) throws {
        let world = TestWorld.activated()
        world.network.setLink(up: false)
        try world.host(device).session.updateApplicationContext(["n": 1])
        world.host(device).terminate()
        world.settle()
        world.network.setLink(up: true)
        world.settle()
        #expect(world.peer(of: device).log.contains("context n=1"))
    }

    @Test("W47 a refused update changes nothing")
    func refused() throws {
        let world = TestWorld.activated()
        let session = world.phone.session
        try session.updateApplicationContext(["n": 1])
        #expect(throws: WCError(.payloadUnsupportedTypes)) { try session.updateApplicationContext(["n": NSNull()]) }
        #expect(throws: WCError(.payloadTooLarge)) { try session.updateApplicationContext(["n": Data(count: 262_144)]) }
        world.settle()
        #expect(text(session.applicationContext) == "n=1")
        #expect(world.watch.log == ["context n=1"])
        let refusals = world.events(.contextRefused)
        #expect(refusals.map { $0["code"] } == [.number(7010), .number(7009)])
        #expect(refusals.first?["keyPath"] == .text("n"))
        #expect(refusals.last?["limit"] == .number(262_144))
    }

    @Test("W48 an equal one succeeds and sends nothing", arguments: bothSides, readyOrders)
    func equal(from device: DeviceID, order: ReadyOrder) throws {
        let world = TestWorld.activated(order: order)
        let session = world.host(device).session
        let first: [String: Any] = ["n": 1, "nested": ["a": [1, 2]], "d": Data([1])]
        try session.updateApplicationContext(first)
        world.settle()
        // The same once more, of other types and made in another order.
        try session.updateApplicationContext([
            "d": NSData(data: Data([1])), "nested": NSDictionary(dictionary: ["a": [1, 2]]), "n": Int8(1),
        ])
        world.settle()
        #expect(world.count(.contextDelivered) == 1 && world.count(.contextUnchanged) == 1 && world.count(.contextSent) == 1)
        try session.updateApplicationContext(["n": 1.0])
        world.settle()
        try session.updateApplicationContext(["n": 1])
        world.settle()
        try session.updateApplicationContext(["n": true])
        world.settle()
        #expect(world.count(.contextDelivered) == 4, "a number is not equal to one of another kind")
    }

    @Test("W48 the comparison is with what was accepted last, delivered or not")
    func equalWhileWaiting() throws {
        let world = TestWorld.activated()
        world.network.setLink(up: false)
        try world.phone.session.updateApplicationContext(["n": 1])
        try world.phone.session.updateApplicationContext(["n": 2])
        try world.phone.session.updateApplicationContext(["n": 1])
        try world.phone.session.updateApplicationContext(["n": 1])
        world.network.setLink(up: true)
        world.settle()
        #expect(world.count(.contextUpdated) == 3 && world.count(.contextUnchanged) == 1)
        #expect(world.watch.log.filter { $0.hasPrefix("context") } == ["context n=1"])
    }

    @Test("W49 W53 a reinstalled counterpart gets nothing from an equal one, unless the knob says so", arguments: [true, false])
    func reinstalled(suppresses: Bool) throws {
        var knobs = Knobs()
        knobs.suppressEqualContexts = suppresses
        let world = TestWorld.activated(knobs: knobs)
        try world.phone.session.updateApplicationContext(["n": 1])
        world.settle()
        world.watch.uninstall()
        #expect(throws: WCError(.watchAppNotInstalled)) { try world.phone.session.updateApplicationContext(["n": 2]) }
        world.watch.install()
        world.watch.launch()
        world.settle()
        #expect(world.watch.session.receivedApplicationContext.isEmpty)
        #expect(text(world.phone.session.applicationContext) == "n=1")
        try world.phone.session.updateApplicationContext(["n": 1])
        world.settle()
        #expect(world.watch.session.receivedApplicationContext.isEmpty == suppresses)
    }

    @Test("W53 an uninstalled app's own contexts are gone, those on their way too", arguments: bothSides, [true, false])
    func uninstalled(device: DeviceID, clears: Bool) throws {
        var knobs = Knobs()
        knobs.uninstallClearsContexts = clears
        let world = TestWorld.activated(knobs: knobs)
        let host = world.host(device)
        try world.peer(of: device).session.updateApplicationContext(["theirs": 1])
        world.settle()
        try host.session.updateApplicationContext(["mine": 1])
        host.uninstall()
        host.install()
        host.launch()
        world.settle()
        #expect(host.session.applicationContext.isEmpty == clears)
        #expect(host.session.receivedApplicationContext.isEmpty == clears)
        #expect(world.peer(of: device).session.receivedApplicationContext.isEmpty == clears)
    }

    @Test("W50 an empty dictionary clears")
    func clear() throws {
        let world = TestWorld.activated()
        try world.phone.session.updateApplicationContext([:])
        world.settle()
        #expect(world.watch.log.isEmpty, "nothing was there to clear")
        try world.phone.session.updateApplicationContext(["n": 1])
        world.settle()
        try world.phone.session.updateApplicationContext([:])
        world.settle()
        #expect(world.watch.log == ["context n=1", "context "])
        #expect(world.watch.session.receivedApplicationContext.isEmpty)
    }

    @Test("W51 every refusal is thrown at once", arguments: bothSides)
    func thrown(on device: DeviceID) throws {
        let world = TestWorld.activated()
        let session = world.host(device).session
        world.network.setPaired(false)
        #expect(throws: WCError(.deviceNotPaired)) { try session.updateApplicationContext(["n": 1]) }
        world.network.setPaired(true)
        world.peer(of: device).uninstall()
        #expect(throws: WCError(device.isPhone ? .watchAppNotInstalled : .companionAppNotInstalled)) {
            try session.updateApplicationContext(["n": 1])
        }
        world.peer(of: device).install()
        world.network.setLink(up: false)
        try session.updateApplicationContext(["n": 1])
    }

    @Test("A context for an app that is not installed waits until it is")
    func waitsForInstallation() throws {
        let world = TestWorld.activated()
        world.network.setLink(up: false)
        try world.phone.session.updateApplicationContext(["n": 1])
        world.watch.uninstall()
        world.network.setLink(up: true)
        world.settle()
        #expect(world.count(.contextArrived) == 0)
        world.watch.install()
        world.watch.launch()
        world.settle()
        #expect(world.watch.log.contains("context n=1"))
    }

    @Test("An app that crashes in the callback was given the context, and reads it after its next launch", arguments: bothSides)
    func crashInCallback(on device: DeviceID) throws {
        let world = TestWorld.activated()
        let host = world.host(device)
        host.delegate.inCallback = { _ in host.terminate() }
        try world.peer(of: device).session.updateApplicationContext(["n": 1])
        world.settle()
        #expect(host.process == nil)
        host.launch()
        world.settle()
        #expect(host.log == ["activated 2 -"])
        #expect(text(host.session.receivedApplicationContext) == "n=1")
    }

    @Test("A process that ends before its queue came to the context did not get it", arguments: bothSides)
    func endBeforeCallback(on device: DeviceID) throws {
        let world = TestWorld.activated(knobs: .withoutWaking)
        let host = world.host(device)
        host.change(to: .suspended)
        try world.peer(of: device).session.updateApplicationContext(["n": 1])
        world.settle()
        host.relaunch()
        world.settle()
        #expect(host.log.prefix(2) == ["activated 2 -", "context n=1"])
    }

    @Test("A delegate without the method: nothing counts as delivered")
    func unimplemented() throws {
        let world = TestWorld()
        world.phone.launch()
        world.watch.launch(delegate: BareDelegate())
        world.settle()
        try world.phone.session.updateApplicationContext(["n": 1])
        world.settle()
        #expect(world.count(.contextDelivered) == 0)
        #expect(world.events(.unimplemented, on: .watch).map { $0["method"] } == [.text("session:didReceiveApplicationContext:")])
        #expect(text(world.watch.session.receivedApplicationContext) == "n=1")
        #expect(!world.watch.session.hasContentPending)
    }
}
