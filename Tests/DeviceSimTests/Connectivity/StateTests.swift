import DeviceSim
import Foundation
import Testing
import WatchConnectivity

@testable import DeviceSimCore

@Suite struct StateTests {
    @Test("W20 W21 W22 the phone sees pairing and installation, and is told of changes")
    func watchState() {
        let world = TestWorld.activated()
        let session = world.phone.session
        #expect(session.isPaired && session.isWatchAppInstalled && !session.isCompanionAppInstalled)
        world.watch.uninstall()
        world.settle()
        #expect(session.isPaired && !session.isWatchAppInstalled)
        #expect(world.phone.log == ["reachable false", "watchState true false"])
        world.network.setPaired(false)
        world.settle()
        #expect(!session.isPaired && !session.isWatchAppInstalled)
        world.network.setPaired(true)
        world.watch.install()
        world.settle()
        #expect(world.phone.log.dropFirst(2) == ["watchState false false", "watchState true true", "watchState true true"])
        #expect(world.count(.watchStateChanged, on: .phone) == 4 && world.count(.watchStateChanged, on: .watch) == 0)
    }

    @Test("W23 the watch is told when the phone's app is removed and installed")
    func companion() {
        let world = TestWorld.activated()
        let session = world.watch.session
        #expect(session.isCompanionAppInstalled && !session.isPaired && !session.isWatchAppInstalled)
        world.phone.uninstall()
        world.settle()
        #expect(!session.isCompanionAppInstalled)
        world.phone.install()
        world.settle()
        #expect(world.watch.log == ["companion false", "reachable false", "companion true", "reachable true"])
    }

    @Test("W33 the watch app goes to the background: the phone is told that it is not reachable", arguments: readyOrders)
    func watchToBackground(order: ReadyOrder) {
        let world = TestWorld.activated(order: order)
        #expect(world.phone.session.isReachable && world.watch.session.isReachable)
        world.watch.change(to: .background)
        world.settle()
        #expect(!world.phone.session.isReachable && !world.watch.session.isReachable)
        #expect(world.phone.log == ["reachable false"])
        world.watch.change(to: .foreground)
        world.settle()
        #expect(world.phone.log == ["reachable false", "reachable true"])
        #expect(world.watch.log == ["reachable false", "reachable true"])
    }

    @Test("W32 what the phone's app does changes nothing for either side")
    func phoneApp() {
        let world = TestWorld.activated()
        world.phone.change(to: .background)
        world.settle()
        #expect(world.phone.session.isReachable && world.watch.session.isReachable)
        world.phone.terminate()
        world.settle()
        #expect(world.watch.session.isReachable)
        #expect(world.watch.log.isEmpty)
    }

    @Test("W34 the callback comes on a change only, and the value is to be read")
    func onlyOnChange() {
        let world = TestWorld.activated()
        world.network.conditionsChanged()
        world.network.setLink(up: true)
        world.settle()
        #expect(world.phone.log.isEmpty && world.watch.log.isEmpty)
        world.network.setLink(up: false)
        world.settle()
        world.network.setPaired(false)
        world.settle()
        #expect(world.phone.log == ["reachable false", "watchState false false"])
        #expect(world.watch.log == ["reachable false", "companion false"])
    }

    @Test("W34 a drop and a return before the queue runs: a callback for each, both read what is")
    func dropAndReturn() {
        let world = TestWorld.activated()
        world.network.setLink(up: false)
        world.network.setLink(up: true)
        world.settle()
        #expect(world.phone.log == ["reachable true", "reachable true"])
    }

    @Test("W34 a suspended app is told once of what is different when it wakes")
    func suspended() {
        let world = TestWorld.activated()
        world.phone.change(to: .suspended)
        for isUp in [false, true, false, true] { world.network.setLink(up: isUp) }
        world.settle()
        world.phone.change(to: .background)
        world.settle()
        #expect(world.phone.log.isEmpty)
        world.phone.change(to: .suspended)
        for isUp in [false, true, false] { world.network.setLink(up: isUp) }
        world.phone.change(to: .background)
        world.settle()
        #expect(world.phone.log == ["reachable false"])
    }

    @Test("W31 the phone reaches the watch once the watch's session is activated, and is told")
    func watchActivates() {
        let world = TestWorld()
        world.phone.launch()
        world.settle()
        world.watch.launch(activate: false)
        world.settle()
        #expect(!world.phone.session.isReachable)
        world.watch.session.delegate = world.watch.delegate
        world.watch.session.activate()
        world.settle()
        #expect(world.phone.session.isReachable)
        #expect(world.phone.log == ["activated 2 -", "reachable true"])
        #expect(world.watch.log == ["activated 2 -"], "what is true from the start is no change")
    }

    @Test("W38 after the phone's restart the watch waits for the first unlock")
    func phoneRestart() {
        let world = TestWorld.activated()
        world.phone.reboot()
        world.settle()
        #expect(!world.watch.session.isReachable)
        #expect(world.watch.session.iOSDeviceNeedsUnlockAfterRebootForReachability)
        #expect(world.watch.log.last == "reachable false")
        world.phone.unlock()
        world.settle()
        #expect(world.watch.session.isReachable)
        #expect(!world.watch.session.iOSDeviceNeedsUnlockAfterRebootForReachability)
        #expect(world.watch.log.last == "reachable true")
    }

    @Test("A delegate without the methods: the trace says which, and nothing breaks")
    func unimplemented() {
        let world = TestWorld()
        world.phone.launch(delegate: BareDelegate())
        world.watch.launch(delegate: BareDelegate())
        world.settle()
        world.watch.uninstall()
        world.settle()
        #expect(
            world.events(.unimplemented, on: .phone).map { $0["method"] } == [
                .text("sessionReachabilityDidChange:"), .text("sessionReachabilityDidChange:"), .text("sessionWatchStateDidChange:"),
            ])
    }
}
