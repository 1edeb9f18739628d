import DeviceSim
import Foundation
import Testing
import WatchConnectivity

@testable import DeviceSimCore

/// What sessions are said to do now and then (W25, W35–W37), and those that never come up (W16).
@Suite struct ReachabilityKnobTests {
    @Test("W35 a return within the span goes unnoticed, and its loss then too") func stalenessIsAPureRule() {
        var staleness = StaleReachability()
        func change(_ isReachable: Bool, at seconds: Int64) -> Bool {
            staleness.change(to: isReachable, at: .start + .seconds(seconds), within: .seconds(2))
        }
        #expect(change(true, at: 1), "the first time is no return")
        #expect(change(false, at: 10))
        #expect(!change(true, at: 11) && staleness.hidesReturn)
        #expect(!change(false, at: 20) && !staleness.hidesReturn, "it counted as lost")
        #expect(change(true, at: 22) && !staleness.hidesReturn, "that was long enough")
    }

    @Test(
        "W35 W60 one callback, and a stale false: messages are delivered all the same, or with the knob fail", arguments: readyOrders,
        [true, false])
    func stale(order: ReadyOrder, refuses: Bool) {
        var knobs = Knobs()
        knobs.staleReachabilityRefuses = refuses
        knobs.reachabilityStaleness = .seconds(2)
        let world = TestWorld.activated(order: order, knobs: knobs)
        world.network.setLink(up: false)
        world.wait(.seconds(1))
        world.network.setLink(up: true)
        world.settle()
        for host in [world.phone, world.watch] {
            #expect(host.log == ["reachable false"])
            #expect(!host.session.isReachable)
        }
        let outcomes = Outcomes()
        world.phone.session.sendMessage(["n": 1], replyHandler: nil) { outcomes.note(code($0)) }
        world.settle()
        #expect(outcomes.all == (refuses ? ["7007"] : []))
        #expect(world.watch.log.contains("message n=1") == !refuses)
    }

    @Test("W36 flaps again and again, and does not keep a simulation from settling") func flaps() {
        var knobs = Knobs()
        knobs.reachabilityFlapAfter = .seconds(10)
        knobs.flapEndsByItself = true
        let world = TestWorld(knobs: knobs)
        world.phone.launch()
        world.watch.launch()
        world.wait(.seconds(45))
        #expect(!world.scheduler.hasPendingTimer)
        let flap = ["reachable false", "reachable true"]
        #expect(world.phone.log.filter { $0.hasPrefix("reachable") } == ["reachable true"] + flap + flap + flap + flap)
        world.phone.change(to: .background)
        world.phone.delegate.log.removeAll()
        world.wait(.seconds(45))
        #expect(world.phone.log == [], "nobody looks")
    }

    @Test("W36 what is lost comes back when a person touches the watch") func comesBack() {
        var knobs = Knobs()
        knobs.reachabilityFlapAfter = .seconds(10)
        let world = TestWorld(knobs: knobs)
        world.phone.launch()
        world.watch.launch()
        world.wait(.seconds(45))
        #expect(world.phone.log.filter { $0.hasPrefix("reachable") } == ["reachable true", "reachable false"])
        world.network.personTouches(.phone)
        world.wait(.seconds(1))
        #expect(!world.phone.session.isReachable, "of the watch it is")
        world.network.personTouches(.watch)
        world.wait(.seconds(1))
        #expect(world.phone.session.isReachable && world.watch.session.isReachable)
    }

    @Test("W37 7007, 7012, 7014 and 7017 all come, once each message, and nothing arrives") func phantom() {
        var knobs = Knobs()
        knobs.phantomReachability = true
        let world = TestWorld.activated(knobs: knobs)
        let (plain, asking) = (Outcomes(), Outcomes())
        for _ in 0..<20 {
            world.phone.session.sendMessage(["n": 1], replyHandler: nil) { plain.note(code($0)) }
            world.phone.session.sendMessage(["n": 1], replyHandler: { _ in asking.note("replied") }) { asking.note(code($0)) }
        }
        world.settle()
        #expect(plain.all.count == 20 && Set(plain.all) == ["7007", "7014", "7017"])
        #expect(asking.all.count == 20 && Set(asking.all) == ["7007", "7012", "7014", "7017"])
        #expect(world.phone.session.isReachable)
        #expect(world.watch.log == [])
    }

    @Test("W25 an installation goes unnoticed until the phone restarts; with the knob what is sent is refused") func unnoticed() {
        var knobs = Knobs()
        knobs.unnoticedAppIsRefused = true
        knobs.installationGoesUnnoticed = true
        let world = TestWorld.activated(knobs: knobs)
        world.watch.uninstall()
        world.watch.install()
        world.network.appWasInstalled(on: .watch)
        world.network.conditionsChanged()
        world.settle()
        #expect(!world.phone.session.isWatchAppInstalled)
        #expect(throws: WCError(.watchAppNotInstalled)) { try world.phone.session.updateApplicationContext(["n": 1]) }
        world.network.phoneRestarts()
        world.network.conditionsChanged()
        world.settle()
        #expect(world.phone.session.isWatchAppInstalled)
    }

    @Test("W16 a watch-only app is never activated: 7019") func watchOnlyApp() {
        let world = TestWorld(isWatchOnlyApp: true)
        world.watch.launch()
        world.settle()
        #expect(world.watch.log == ["activated 0 7019"])
        #expect(world.watch.session.activationState == .notActivated)
        world.watch.session.activate()
        world.settle()
        #expect(world.watch.log == ["activated 0 7019", "activated 0 7019"], "it may be tried again")
    }

    @Test("W3 W51 a phone that cannot pair: 7002, by activation and by every send") func unsupported() {
        let world = TestWorld(phoneCanPair: false)
        world.phone.launch()
        world.settle()
        #expect(world.phone.endpoint?.isSupported == false)
        #expect(world.phone.log == ["activated 0 7002"])
        #expect(throws: WCError(.sessionNotSupported)) { try world.phone.session.updateApplicationContext(["n": 1]) }
    }
}
