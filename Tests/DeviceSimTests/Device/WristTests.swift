import DeviceSim
import Testing
import WatchConnectivity

@testable import DeviceSimCore

/// What a person does with a watch, and what its app does meanwhile.
@Suite struct WristTests {
    private func simulation(_ change: (inout SimulationOptions) -> Void = { _ in }) throws -> Simulation {
        var options = SimulationOptions()
        change(&options)
        let simulation = Simulation(options: options)
        try simulation.finish(simulation.phone.launch())
        try simulation.finish(simulation.watch.launch())
        try simulation.settle()
        return simulation
    }

    @Test("W113 the end of the frontmost time comes, and nothing that settles waits for it") func frontmostTime() throws {
        let simulation = try simulation()
        defer { simulation.shutDown() }
        try simulation.watch.lowerWrist()
        let before = simulation.now
        try simulation.settle()
        #expect(simulation.now - before < .seconds(1))
        try simulation.wait(.seconds(121))
        #expect(simulation.trace.events.contains { $0.kind == .frontmostEnded })
        try simulation.watch.raiseWrist()
        try simulation.settle()
        #expect(simulation.watch.process?.state == .background)
    }

    @Test("W114 both versions of a lowered wrist", arguments: LoweredWrist.allCases) func lowered(version: LoweredWrist) throws {
        let simulation = try simulation { $0.knobs.loweredWrist = version }
        defer { simulation.shutDown() }
        try simulation.watch.lowerWrist()
        try simulation.settle()
        #expect(simulation.watch.process?.state == (version == .background ? .background : .foreground))
        #expect(simulation.phone.endpoint?.isReachable == (version == .foreground))
        try simulation.watch.raiseWrist()
        try simulation.settle()
        #expect(simulation.watch.process?.state == .foreground)
    }

    @Test("W115 W113 a locked or suspended app is not in front by mistake") func noGhosts() throws {
        let simulation = try simulation()
        defer { simulation.shutDown() }
        try simulation.watch.lowerWrist()
        try simulation.watch.lock()
        try simulation.watch.unlock()
        try simulation.watch.raiseWrist()
        try simulation.settle()
        #expect(simulation.watch.process?.state == .background)
        // A process that ended takes its time in front along
        _ = try simulation.watch.foreground()
        try simulation.watch.lowerWrist()
        simulation.watch.terminate()
        _ = try simulation.watch.launchInBackground()
        try simulation.wait(.seconds(200))
        try simulation.watch.raiseWrist()
        #expect(simulation.watch.process?.state == .background)
    }

    @Test("W117 an app in a session is not suspended, by a step or after its refresh task") func keepsRunning() throws {
        let simulation = try simulation()
        defer { simulation.shutDown() }
        try simulation.watch.begin(.workout)
        _ = try simulation.watch.background()
        #expect(throws: SimulationError.self) { try simulation.watch.suspend() }
        try simulation.watch.refreshInBackground()
        try simulation.settle()
        #expect(simulation.watch.process?.state == .background)
        #expect(simulation.trace.events.contains { $0.kind == .backgroundTaskCompleted })
        try simulation.watch.end(.workout)
        try simulation.watch.suspend()
        #expect(simulation.watch.process?.state == .suspended)
        #expect(throws: SimulationError.self) { try simulation.watch.begin(.audio) }
    }

    @Test("W126 only with a passcode and wrist detection", arguments: [(true, true), (true, false), (false, true)])
    func takenOff(hasPasscode: Bool, hasDetection: Bool) throws {
        let simulation = try simulation()
        defer { simulation.shutDown() }
        simulation.watch.wear.hasWristDetection = hasDetection
        if !hasPasscode { simulation.watch.removePasscode() }
        try simulation.watch.takeOff()
        #expect((simulation.watch.state.lockState == .locked) == (hasPasscode && hasDetection))
        #expect(throws: SimulationError.self) { try simulation.watch.lowerWrist() }
    }

    @Test("W113 a phone has no wrist") func phone() throws {
        let simulation = try simulation()
        defer { simulation.shutDown() }
        #expect(throws: SimulationError.self) { try simulation.phone.lowerWrist() }
        #expect(throws: SimulationError.self) { try simulation.phone.begin(.workout) }
        #expect(throws: SimulationError.self) { try simulation.phone.pressCrown() }
    }
}
