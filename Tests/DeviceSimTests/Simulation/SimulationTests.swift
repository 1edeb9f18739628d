import DeviceSim
import LocalData
import Testing
import WatchConnectivity

@testable import DeviceSimCore

@Suite struct SimulationTests {
    @Test func sharedRouterAndSessionAreThoseOfTheDeviceWhoseCodeRuns() throws {
        let simulation = Simulation()
        defer { simulation.shutDown() }
        try simulation.phone.launch()
        try simulation.watch.launch()
        for device in simulation.devices {
            let operation = try device.start("identify") {
                (StorageRouter.shared.environment.device.identifier, WCSession.isSupported())
            }
            try simulation.finish(operation)
            let (identifier, isSupported) = try #require(try operation.result?.get())
            #expect(identifier == device.id.description)
            #expect(isSupported)
        }
        #expect(!WCSession.isSupported(), "outside a simulation there is no session")
    }

    @Test func unstructuredTasksStayOnTheirDevice() throws {
        let simulation = Simulation()
        defer { simulation.shutDown() }
        try simulation.phone.launch()
        try simulation.watch.launch()
        let log = Log()
        for device in simulation.devices {
            try simulation.finish(
                device.start("spawn") {
                    Task {
                        async let name = StorageRouter.shared.environment.device.identifier
                        await log.append(name)
                        Task { await log.append(StorageRouter.shared.environment.device.identifier) }
                    }
                    return
                })
        }
        try simulation.runReady()
        let entries = try simulation.phone.start("read") { await log.entries }
        try simulation.finish(entries)
        #expect(try entries.result?.get() == ["phone", "phone", "watch", "watch"])
        #expect(simulation.scheduler.escapes.isEmpty)
    }

    @Test func anOperationThatCanNeverFinishIsADeadlock() throws {
        let simulation = Simulation()
        defer { simulation.shutDown() }
        try simulation.phone.launch()
        try simulation.settle()
        let gate = Gate()
        let operation = try simulation.phone.start("wait for ever") { await gate.wait() }
        #expect(throws: SimulationError.deadlock(at: simulation.now, operation: "wait for ever")) {
            try simulation.finish(operation)
        }
        gate.open()
    }

    @Test func workWithoutAnEndIsALivelock() throws {
        var options = SimulationOptions()
        options.workLimit = 1_000
        let simulation = Simulation(options: options)
        func again() { simulation.scheduler.enqueue { again() } }
        again()
        #expect(throws: SimulationError.livelock(at: .start, limit: 1_000)) { try simulation.runReady() }
    }

    /// As an echo does that goes to and fro for ever: never much at one instant, and always more to come.
    @Test func workThatGoesOnWhileTimePassesEnds() throws {
        var options = SimulationOptions()
        options.waitWorkLimit = 1_000
        func unrest(_ body: (Simulation) throws -> Void) -> SimulationError? {
            let simulation = Simulation(options: options)
            func again() { simulation.scheduler.schedule(at: simulation.now + .milliseconds(10)) { again() } }
            again()
            return #expect(throws: SimulationError.self) { try body(simulation) }
        }
        let expected = SimulationError.unrest(from: .start, to: .start + .milliseconds(10_010), limit: 1_000)
        #expect(unrest { try $0.settle() } == expected)
        #expect(unrest { try $0.wait(.seconds(3600)) } == expected)
        #expect(unrest { _ = try $0.run(until: { false }, deadline: .start + .seconds(3600)) } == expected)
        let simulation = Simulation(options: options)
        for _ in 0..<3 {
            for number in 1...900 { simulation.scheduler.schedule(at: simulation.now + .milliseconds(Int64(number))) {} }
            try simulation.settle()
        }
    }

    @Test func theAppOfADeadProcessChangesNothing() throws {
        let simulation = Simulation()
        defer { simulation.shutDown() }
        try simulation.phone.launch()
        try simulation.settle()
        let gate = Gate()
        let operation = try simulation.phone.start("write late") {
            await gate.wait()
            try await StorageRouter.shared.set("late", for: Note())
        }
        try simulation.runReady()
        simulation.phone.crash()
        gate.open()
        try simulation.runReady()
        #expect(throws: (any Error).self) { try operation.result?.get() }

        try simulation.phone.launch()
        let exists = try simulation.phone.start("look") { try await StorageRouter.shared.exists(Note()) }
        try simulation.finish(exists)
        #expect(try exists.result?.get() == false)
    }

    @Test func aSuspendedProcessRunsNothingUntilItIsResumed() throws {
        let simulation = Simulation()
        defer { simulation.shutDown() }
        try simulation.phone.launch()
        try simulation.settle()
        try simulation.phone.suspend()
        let operation = try simulation.phone.start("wait") { 1 }
        try simulation.wait(.seconds(60))
        #expect(!operation.isFinished)
        simulation.phone.resume()
        try simulation.runReady()
        #expect(try operation.result?.get() == 1)
    }

    @Test func aFinishedSimulationLeavesNothingInMemory() throws {
        weak var simulation: Simulation?
        weak var phone: Device?
        weak var process: AppProcess?
        weak var router: StorageRouter?
        weak var network: ConnectivityNetwork?
        do {
            let world = Simulation()
            try world.phone.launch()
            try world.watch.launch()
            try world.settle()
            let gate = Gate()
            _ = try world.phone.start("never done") {
                await gate.wait()
                try await StorageRouter.shared.set("x", for: Note())
            }
            try world.runReady()
            gate.open()
            simulation = world
            phone = world.phone
            process = world.phone.process
            router = world.phone.process?.router
            network = world.network
            world.shutDown()
        }
        #expect(simulation == nil)
        #expect(phone == nil)
        #expect(process == nil)
        #expect(router == nil)
        #expect(network == nil)
    }
}

private struct Note: StorageKey {
    typealias Value = String
    let name = "note"
    let domain = StorageDomain.fileSystem(directory: .documents)
    let security = SecurityPolicy.none
    let owner = "Tests"
}

private actor Log {
    private(set) var entries: [String] = []

    func append(_ entry: String) {
        entries.append(entry)
    }
}

/// Holds tasks back until it is opened. Used on the simulation's thread only.
final class Gate: @unchecked Sendable {
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isOpen = false

    func wait() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting.removeAll()
    }
}
