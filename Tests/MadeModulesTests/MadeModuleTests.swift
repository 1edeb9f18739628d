import DeviceSim
import LocalData
import MadePhone
import MadeWatch
import Testing

/// Code that the plugin made a phone and a watch of finds its own device and virtual time wherever it runs.
@Suite struct MadeModuleTests {
    /// What each use notes on a device, in any order; `D` stands for the device and `T+n` for n milliseconds after the use began.
    static let uses: [(name: String, notes: [String])] = [
        ("work items", ["item: D T+30", "told true: D T+30"]),
        ("groups", ["member 1: D T+0", "member 2: D T+0", "member 3: D T+0", "all: D T+250"]),
        (
            "operations",
            ["slow: D T+0", "main true: D T+0", "last: D T+1000", "block: D T+1000", "barrier: D T+1000", "completed: D T+1000"]
        ),
        (
            "selectors",
            [
                "stopped: D T+0", "tick 1 user: D T+500", "struck 1: D T+500", "tick 2 user: D T+1000", "struck 2: D T+1000",
                "gone: D T+1000", "equal true",
            ]
        ),
        ("notifications", ["heard: D T+0", "heard on main true 1: D T+0", "heard on main true 2: D T+0"]),
        ("threads", ["thread false worker: D T+0", "detached: D T+0", "from thread true: D T+0"]),
        ("timers", ["performed: D T+0", "tick 1: D T+500", "added: D T+750", "tick 2: D T+1000"]),
        (
            "sleep",
            [
                "for: D T+1234", "nanoseconds: D T+1241", "until: D T+3601241", "detached: D T+3601300", "main: D T+3601400",
                "CancellationError: D T+3601411",
            ]
        ),
        ("clocks", ["0.123 seconds: D T+123", "2.0 seconds: D T+2000", "0.077 seconds 0.0 seconds: D T+2077"]),
        (
            "store",
            [
                "will change from nothing: D T+0", "will change from nothing: D T+100", "will change from nothing: D T+500",
                "will change from nothing: D T+600", "found AB true: D T+600", "will change from AB: D T+1000",
                "found ABC true: D T+1000", "will change from ABC: D T+1100",
            ]
        ),
        (
            "publishers",
            [
                "heard 1: D T+0", "throttled 1: D T+10", "after 50: D T+60", "after 50: D T+110", "first 3 true: D T+110",
                "throttled 3: D T+210", "tick true: D T+500", "throttled 4: D T+700", "after 590: D T+700", "tick true: D T+1000",
                "collected [1, 2, 3, 4]: D T+1000", "timed out true: D T+2700",
            ]
        ),
        (
            "observation",
            [
                "will change from 0: D T+100", "changed to 1: D T+100", "will change from 1: D T+200", "changed to 2: D T+200",
            ]
        ),
        ("awaited", ["awaited 1: D T+0", "awaited 2: D T+100", "later: D T+300"]),
        ("files", ["names [\"b.txt\"] false", "text two", "other side false", "gone", "exists", "kept"]),
    ]

    @Test(arguments: uses, [ReadyOrder.firstInFirstOut, .seeded(3), .seeded(17)])
    func codeIsItsDevices(_ use: (name: String, notes: [String]), order: ReadyOrder) throws {
        let found = try run(use.name, order: order)
        for device in ["phone", "watch"] {
            let wanted = use.notes.map { $0.replacingOccurrences(of: ": D T", with: ": \(device) T") }
            #expect(found[device]?.sorted() == wanted.sorted())
        }
    }

    #if os(Linux)
        @Test func changesAreObservedAsASequence() throws {
            let notes = try run("observations")["watch"]
            #expect(notes == ["observed 0: watch T+0", "observed 1: watch T+100", "observed 2: watch T+200"])
        }
    #endif

    @Test func operationsGoInOrder() throws {
        let notes = try run("operations")["phone"] ?? []
        let order = notes.filter { !$0.hasPrefix("main") && !$0.hasPrefix("completed") }.map { $0.prefix { $0 != ":" } }
        #expect(order == ["slow", "last", "block", "barrier"])
    }

    @Test func valuesAreTheSeeds() throws {
        let first = try run("values", seed: 1)
        #expect(try run("values", seed: 1) == first)
        #expect(try run("values", seed: 2)["phone"] != first["phone"])
        #expect(first["phone"] != first["watch"])
        #expect(first["phone"]?.first == "dates 1 1767258000.0 5.0")
        #expect(first["phone"]?.contains("days [true, false, false] [false, true, false] [false, false, true]") == true)
        // SwiftUI's: b and c come before, then what was moved.
        #expect(first["phone"]?.last == "lists bcade bad")
    }

    @Test func placesAreThoseOfTheSource() throws {
        let found = try run("places")
        // The module's name is its side's; the file and the line are the source's.
        #expect(found["phone"] == ["MadePhone/Probe.swift:46 Probe.swift"])
        #expect(found["watch"] == ["MadeWatch/Probe.swift:46 Probe.swift"])
    }

    @Test func whatBlocksIsReportedWithItsPlaceInTheSource() throws {
        var options = SimulationOptions()
        options.makeApp = { _ in MadeApp(MadePhone.Probe { _ in }.use) }
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        let app = simulation.phone.process?.app
        try simulation.run(on: simulation.phone) { try await app?.perform("blocking", with: .null) }
        #expect(
            simulation.scheduler.blockages.map(\.text) == ["phone app #1: DispatchSemaphore.wait waits for what nothing can end any more"])
        #if os(Linux)
            #expect(simulation.scheduler.blockageReport.first?.contains(" at Probe.swift:47 (") == true)
        #endif
    }

    @Test(arguments: [
        ("NSLock", "NSLock.lock waits for ever: the code that calls it holds the lock itself"),
        ("Mutex", "Mutex.withLock waits for ever: the code that calls it holds the lock itself"),
        ("OSAllocatedUnfairLock", "OSAllocatedUnfairLock.withLock waits for ever: the code that calls it holds the lock itself"),
        ("os_unfair_lock", "os_unfair_lock_lock waits for ever: the code that calls it holds the lock itself"),
        ("NSCondition", "NSCondition.wait waits for what nothing can end any more"),
        ("pthread_mutex", "pthread_mutex_lock waits for what nothing can end any more"),
        ("DispatchQueue.main", "DispatchQueue(com.apple.main-thread).sync on itself waits for ever"),
        ("DispatchGroup", "DispatchGroup.wait waits for what nothing can end any more"),
        ("DispatchSemaphore", "DispatchSemaphore.wait waits for what nothing can end any more"),
    ])
    func whatCanNeverEndIsReportedAtOnce(_ name: String, _ report: String) throws {
        var options = RunOptions()
        options.makeApp = { _ in MadeApp(MadePhone.Probe { _ in }.use) }
        let text = "# It blocks.\n\nphone app does \"blocks in \(name)\"\nlink down\n"
        let compilation = ScenarioCompiler.compile(path: "x.scenario", files: .memory(["x.scenario": text]))
        let result = ScenarioRunner.run(try #require(compilation.scenarios.first), options: options)
        guard case .didNotSettle(let failure) = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
        #expect(failure.message.hasPrefix("phone app #1: \(report)"), "\(failure.message)")
        #expect(failure.line == 3 && result.stepCount == 1)
        #if os(Linux)
            #expect(failure.message.contains(" at Probe+Locks.swift:"), "\(failure.message)")
        #endif
    }

    @Test func namesOfApplesSystemsAreTheDevices() throws {
        #expect(
            try run("keychain")["phone"] == [
                "add 0", "again true", "read 0 secret", "all [\"token\"]", "update 0", "delete 0", "gone true", "random 0 true",
                "control true",
            ])
        #expect(
            try run("names")["watch"] == [
                "com.example.app 1.0", "10 true", "documents true 1", "one two", "one| two", "true", "0 Hallo Key", "1", "true 1", "1 1",
                "log.txt",
            ])
        #expect(try run("feedback")["phone"] == ["felt"])
        #expect(try run("keys")["phone"] == ["keys own main 2 1", "another none"])
        #expect(try run("network")["phone"] == ["offline true", "201 made", "true"])
        #expect(try run("sources")["watch"] == ["once", "fired 1", "fired 3", "cancelled"])
    }

    @Test func propertiesOfTheSessionCanBeObserved() throws {
        let log = Log()
        var options = RunOptions()
        options.makeApp = { device in
            device.isPhone ? MadeApp(MadePhone.Probe { log.add($0, "phone") }.use) : MadeApp(MadeWatch.Probe { _ in }.use)
        }
        let text = "# It looks.\n\nwatch app does \"observing\"\nsettle\nphone app does \"observing\"\nsettle\nwatch background\nsettle\n"
        let compilation = ScenarioCompiler.compile(path: "x.scenario", files: .memory(["x.scenario": text]))
        let result = ScenarioRunner.run(try #require(compilation.scenarios.first), options: options)
        guard case .passed = result.outcome else {
            Issue.record("\(result.outcome)")
            return
        }
        #expect(log.notes["phone"] == ["activated", "observed true", "forwarded [\"n\"]", "observed false", "told false"])
    }

    @Test func locksAreAsOnADevice() throws {
        let notes = try run("locks")["watch"]
        #expect(
            notes == [
                "NSLock is free again: false", "NSRecursiveLock twice", "Mutex 2", "os_unfair_lock is free: false",
                "OSAllocatedUnfairLock 2", "nothing of its own", "pthread_mutex true", "NSConditionLock false false",
                "NSConditionLock 3 false",
            ])
    }

    @Test(arguments: [ReadyOrder.firstInFirstOut, .seeded(1), .seeded(2), .seeded(3)])
    func whatWaitsLetsOthersRun(_ order: ReadyOrder) throws {
        #expect(
            try run("waiting", order: order)["phone"] == [
                "signalled at once: phone T+0", "in vain: true", "signalled in time: phone T+2000", "group: phone T+3000",
                "condition: phone T+3000", "first", "second", "third",
            ])
    }

    private func run(_ use: String, seed: UInt64 = 1, order: ReadyOrder = .firstInFirstOut) throws -> [String: [String]] {
        var options = SimulationOptions()
        options.seed = seed
        options.order = order
        let log = Log()
        options.makeApp = { device in
            device.isPhone
                ? MadeApp(MadePhone.Probe { log.add($0, "phone") }.use) : MadeApp(MadeWatch.Probe { log.add($0, "watch") }.use)
        }
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        try simulation.launchBoth()
        let start = simulation.now
        for device in simulation.devices {
            let app = device.process?.app
            try simulation.runReady()
            _ = try device.start(use) { try await app?.perform(use, with: .null) }
        }
        try simulation.settle()
        // A repeating timer is nothing to wait for.
        try simulation.wait(.seconds(5))
        #expect(simulation.scheduler.escapes.isEmpty)
        #expect(simulation.now < start + .seconds(4_000), "a cancelled sleep is not waited for")
        return log.notes.mapValues { $0.map { Self.relative($0, to: (start - .start).microseconds / 1_000) } }
    }

    /// `item: phone 80` is `item: phone T+30` if the use began at 50 ms.
    private static func relative(_ note: String, to start: Int64) -> String {
        guard let space = note.lastIndex(of: " "), note.contains(": "), let time = Int64(note[space...].dropFirst()) else { return note }
        return "\(note[..<space]) T+\(time - start)"
    }
}

/// Used on the simulation's thread only.
private final class Log: @unchecked Sendable {
    private(set) var notes: [String: [String]] = [:]

    func add(_ note: String, _ device: String) { notes[device, default: []].append(note) }
}

private final class MadeApp: SimulatedApp {
    private let use: @Sendable (String) async throws -> Void

    init(_ use: @escaping @Sendable (String) async throws -> Void) {
        self.use = use
    }

    func didFinishLaunching(inBackground: Bool) async {}

    func perform(_ action: String, with value: ScenarioValue) async throws {
        try await use(action)
    }

    func shown(_ name: String) async throws -> ScenarioValue { .null }
}
