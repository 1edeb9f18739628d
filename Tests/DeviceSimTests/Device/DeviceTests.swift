import DeviceSim
import LocalData
import Testing

@testable import DeviceSimCore

@Suite struct DeviceTests {
    @Test func aRebootWithAPasscodeGoesBackToBeforeFirstUnlock() throws {
        let simulation = Simulation()
        defer { simulation.shutDown() }
        try simulation.phone.launch()
        simulation.phone.reboot()
        #expect(simulation.phone.process == nil)
        #expect(simulation.phone.state.lockState == .beforeFirstUnlock)
        try simulation.phone.unlock()
        #expect(simulation.phone.state.lockState == .unlocked)
    }

    @Test func withoutAPasscodeThereIsNothingToUnlock() throws {
        let simulation = Simulation()
        simulation.phone.removePasscode()
        simulation.phone.reboot()
        #expect(simulation.phone.state.lockState == .unlocked)
        #expect(throws: SimulationError.self) { try simulation.phone.lock() }
    }

    @Test func lockingSendsTheAppToTheBackgroundUntilUnlocked() throws {
        let simulation = Simulation()
        defer { simulation.shutDown() }
        try simulation.watch.launch()
        try simulation.watch.lock()
        #expect(simulation.watch.process?.state == .background)
        try simulation.watch.unlock()
        #expect(simulation.watch.process?.state == .foreground)
    }

    @Test func anAppThatWasInTheBackgroundStaysThereAfterUnlocking() throws {
        let simulation = Simulation()
        defer { simulation.shutDown() }
        try simulation.watch.launch()
        try simulation.watch.background()
        try simulation.watch.lock()
        try simulation.watch.unlock()
        #expect(simulation.watch.process?.state == .background)
    }

    @Test func whatCannotBeDoneIsRefusedWithTheReason() throws {
        let simulation = Simulation()
        #expect(throws: SimulationError.impossible(device: .phone, reason: "the app is not running; launch it first")) {
            try simulation.phone.background()
        }
        simulation.phone.powerOff()
        #expect(throws: SimulationError.impossible(device: .phone, reason: "the device is off")) { try simulation.phone.launch() }
        simulation.watch.uninstall()
        #expect(throws: SimulationError.impossible(device: .watch, reason: "the app is not installed")) { try simulation.watch.launch() }
    }

    @Test func everyProcessHasANumberAndMemoryOfItsOwn() throws {
        let simulation = Simulation()
        defer { simulation.shutDown() }
        try simulation.phone.launch()
        let first = try #require(simulation.phone.process)
        simulation.phone.crash()
        try simulation.phone.launch()
        let second = try #require(simulation.phone.process)
        #expect(first.life.number == 1 && second.life.number == 2)
        #expect(first.router !== second.router)
        #expect(!first.life.isAlive && second.life.isAlive)
    }

    @Test func theWallClockIsTheSimulationsAndItsSkew() throws {
        let simulation = Simulation()
        defer { simulation.shutDown() }
        try simulation.phone.launch()
        simulation.phone.setClockSkew(.seconds(3600))
        try simulation.wait(.seconds(10))
        let now = try simulation.run(on: simulation.phone) { StorageRouter.shared.environment.clock.now }
        #expect(now == simulation.options.startDate.addingTimeInterval(3610))
    }
}
