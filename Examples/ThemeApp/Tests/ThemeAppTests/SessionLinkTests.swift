import DeviceSim
import Foundation
import SessionLinkPhone
import SessionLinkWatch
import Testing

/// A wrapper library, unchanged, on both devices.
@Suite struct SessionLinkTests {
    static let scenarios = ScenarioSuite("Scenarios/link") {
        LinkedApp { SessionLinkPhone.SessionLink.shared }
    } watch: {
        LinkedApp { SessionLinkWatch.SessionLink.shared }
    }

    @Test(arguments: scenarios.cases) func scenario(_ scenario: ScenarioCase) throws {
        try scenario.check { Attachment.record($0, named: $1) }
    }

    /// The same in Swift: each channel carries a message both ways.
    @Test(arguments: SessionLinkPhone.LinkChannel.allCases.map(\.rawValue)) func aMessageGoesOver(_ channel: String) throws {
        var options = SimulationOptions()
        options.makeApp = { device in
            device.isPhone ? LinkedApp { SessionLinkPhone.SessionLink.shared } : LinkedApp { SessionLinkWatch.SessionLink.shared }
        }
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        for (sender, receiver, count) in [(simulation.phone, simulation.watch, Int64(1)), (simulation.watch, simulation.phone, 2)] {
            let (sending, receiving) = (sender.process?.app, receiver.process?.app)
            try simulation.run(on: sender) { try await sending?.perform("send over \(channel)", with: .integer(count)) }
            try simulation.settle()
            #expect(try simulation.run(on: receiver) { try await receiving?.shown("count") } == .integer(count))
        }
        #expect(simulation.trace.unobservedFailures.isEmpty)
    }
}
