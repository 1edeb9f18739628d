import DeviceSim
import Foundation
import LocalData
import StrictPhone
import StrictWatch
import Testing

/// Code in the newest language mode, with member import visibility, internal imports and default isolation, is made a phone and a watch as it is. What its
/// default arguments and inlinable code name is its device's, also where another module uses them.
@Suite struct StrictModuleTests {
    @Test func defaultArgumentsAndInlinableCodeAreTheDevices() throws {
        let first = try found(seed: 1)
        #expect(try found(seed: 1) == first)
        let other = try found(seed: 2)
        #expect(first.entry.id != other.entry.id && first.entry.date == other.entry.date)
        #expect(first.entry.date.timeIntervalSince1970 == 1_767_258_000.05)
        #expect(first.notes == ["saved 1 in 0", "after T+500", "paused T+800"])
        #expect(first.file.hasSuffix("/Documents/ledger") && !Foundation.FileManager.default.fileExists(atPath: first.file))
        #expect(first.stored == 1)
    }

    private func found(
        seed: UInt64
    ) throws -> (entry: StrictPhone.Ledger.Entry, notes: [String], file: String, stored: Int) {
        var options = SimulationOptions()
        options.seed = seed
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        let start = simulation.now
        let log = Notes()
        func time() -> String { "T+\((simulation.now - start).microseconds / 1_000)" }
        let (entry, file) = try simulation.run(on: simulation.phone) {
            var ledger = StrictPhone.Ledger()
            _ = ledger.add()
            let file = try ledger.save()
            log.lines.append("saved \(ledger.entries.count) in \(StrictPhone.Ledger.count)")
            ledger.later { log.lines.append("after") }
            return (StrictPhone.Ledger.Entry(), file.path)
        }
        try simulation.wait(.milliseconds(500))
        log.lines = log.lines.map { $0 == "after" ? "after \(time())" : $0 }
        try simulation.run(on: simulation.phone) { try await StrictPhone.Ledger.pause() }
        log.lines.append("paused \(time())")
        let stored = try simulation.run(on: simulation.phone) { SystemShims.UserDefaults.standard.integer(forKey: "ledger") }
        #expect(simulation.scheduler.escapes.isEmpty)
        return (entry, log.lines, file, stored)
    }

    @Test func bothSidesMeet() throws {
        let simulation = Simulation(options: SimulationOptions())
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        try simulation.run(on: simulation.watch) { await StrictWatch.LedgerSession.shared.activate() }
        try simulation.run(on: simulation.phone) { await StrictPhone.LedgerSession.shared.activate() }
        try simulation.settle()
        try simulation.run(on: simulation.phone) { try await StrictPhone.LedgerSession.shared.send("hello") }
        try simulation.settle()
        #expect(try simulation.run(on: simulation.watch) { await StrictWatch.LedgerSession.shared.received } == ["hello"])
        #expect(try simulation.run(on: simulation.phone) { await StrictPhone.LedgerSession.shared.received } == [])
    }

    @Test func aFileWithoutImportsHasFoundation() throws {
        let simulation = Simulation(options: SimulationOptions())
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        #expect(try simulation.run(on: simulation.watch) { StrictWatch.describe() } == "1767258000.05 false /a")
    }
}

/// Used on the simulation's thread only.
private final class Notes: @unchecked Sendable {
    var lines: [String] = []
}
