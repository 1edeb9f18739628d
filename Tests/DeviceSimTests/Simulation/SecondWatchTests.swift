import DeviceSim
import LocalData
import Testing
import WatchConnectivity

@testable import DeviceSimCore

/// Pairs of another kind than a phone and a watch with an app on both.
@Suite struct SecondWatchTests {
    private static func simulation(_ change: (inout SimulationOptions) -> Void) throws -> Simulation {
        var options = SimulationOptions()
        change(&options)
        return Simulation(options: options)
    }

    @Test("W12 W15 a second watch is a device of its own") func secondWatch() throws {
        let simulation = try Self.simulation { $0.hasSecondWatch = true }
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        let watch2 = try #require(simulation.watch2)
        #expect(simulation.devices.map(\.id) == [.phone, .watch, .watch2])
        #expect(simulation.activeWatch === simulation.watch)
        try simulation.switchWatch(to: .watch2)
        try simulation.settle()
        #expect(simulation.activeWatch === watch2)
        let isReachable = try simulation.run(on: simulation.phone) { WCSession.default.isReachable }
        #expect(isReachable)
    }

    @Test func thereIsNoneByItself() throws {
        let simulation = try Self.simulation { _ in }
        defer { simulation.shutDown() }
        #expect(simulation.watch2 == nil && simulation.devices.count == 2)
        for id in [DeviceID.watch2, .phone] {
            #expect(throws: SimulationError.impossible(device: id, reason: "there is no such watch")) { try simulation.switchWatch(to: id) }
        }
    }

    @Test("W20 an unpaired watch cannot be put on") func unpaired() throws {
        let simulation = try Self.simulation { $0.hasSecondWatch = true }
        defer { simulation.shutDown() }
        try simulation.setPaired(false, .watch2)
        #expect(throws: SimulationError.self) { try simulation.switchWatch(to: .watch2) }
    }

    @Test("W16 a watch-only app is not on the phone") func watchOnly() throws {
        let simulation = try Self.simulation { $0.isWatchOnlyApp = true }
        defer { simulation.shutDown() }
        #expect(!simulation.phone.isAppInstalled && simulation.watch.isAppInstalled)
    }

    @Test("W20 nothing can be paired with a phone that cannot have a watch") func cannotPair() throws {
        let simulation = try Self.simulation { $0.phoneCanPair = false }
        defer { simulation.shutDown() }
        #expect(throws: SimulationError.impossible(device: .phone, reason: "it cannot have a watch")) { try simulation.setPaired(true) }
        try simulation.finish(simulation.phone.launch())
        let isSupported = try simulation.run(on: simulation.phone) { WCSession.isSupported() }
        #expect(!isSupported)
    }
}
