import DeviceSim
import Foundation
import LocalData
import Testing
import WatchConnectivity

@testable import DeviceSimCore

/// Whose code runs: what app code finds in callbacks, tasks, blocks and timers, and when these run.
@Suite struct RunningCodeTests {
    @Test(arguments: [ReadyOrder.firstInFirstOut, .seeded(3), .seeded(11)])
    func theSessionIsThatOfTheDeviceWhoseCodeRuns(order: ReadyOrder) throws {
        let log = Log()
        try run(order: order) { device in Probe(device: device, log: log) }
        for device in ["phone", "watch"] {
            for place in [
                "init", "launch", "Task", "Task.detached", "MainActor", "main queue", "serial queue", "global queue", "timer", "callback",
                "sleep",
            ] {
                #expect(log.entries.contains("\(device) \(place): \(device)"), "\(place): \(log.entries)")
            }
        }
        #expect(log.entries.count == 22)
    }

    @Test func sleepFollowsVirtualTime() throws {
        try #require(SleepCatcher.isInstalled)
        let log = Log()
        let simulation = try run { device in
            Sleeper { now in
                guard device.isPhone else { return }
                try await Task.sleep(for: .seconds(3600))
                log.append("\(now())")
                try await Task.sleep(nanoseconds: 250_000_000)
                log.append("\(now())")
                await Task.detached { try? await Task.sleep(for: .milliseconds(15)) }.value
                log.append("\(now())")
                await Self.sleepOnMain()
                log.append("\(now())")
            }
        }
        #expect(log.entries == ["1h", "3600250ms", "3600265ms", "3602265ms"])
        #expect(simulation.scheduler.escapes.isEmpty)
    }

    @MainActor private static func sleepOnMain() async {
        try? await ContinuousClock().sleep(for: .seconds(2))
    }

    @Test func anEndedProcessSleepsNoMore() throws {
        try #require(SleepCatcher.isInstalled)
        let log = Log()
        var options = SimulationOptions()
        options.makeApp = { _ in
            Sleeper { _ in
                Task {
                    try? await Task.sleep(for: .seconds(60))
                    log.append(WCSession.default.activationState == .activated ? "activated" : "poisoned")
                }
            }
        }
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        simulation.phone.terminate()
        try simulation.settle()
        #expect(log.entries == ["poisoned"])
        #expect(simulation.now < .start + .seconds(60))
    }

    @Test func aSerialQueueKeepsItsOrderAndTimersTheirTime() throws {
        let log = Log()
        try run(order: .seeded(5)) { device in
            Sleeper { now in
                guard device.isPhone else { return }
                let queue = SystemShims.DispatchQueue(label: "serial")
                for number in 0..<20 { queue.async { log.append("\(number)") } }
                queue.sync { log.append("sync") }
                SystemShims.DispatchQueue.main.asyncAfter(deadline: .now().advanced(by: 1.5)) { log.append("after \(now())") }
                let item = SystemShims.DispatchWorkItem { log.append("cancelled") }
                SystemShims.DispatchQueue.main.asyncAfter(deadline: .now().advanced(by: .seconds(1)), execute: item)
                item.cancel()
            }
        }
        #expect(log.entries == (0..<20).map(String.init) + ["sync", "after 1500ms"])
    }

    @Test func aRepeatingTimerDoesNotKeepASimulationFromSettling() throws {
        let log = Log()
        let simulation = try run { device in
            Sleeper { now in
                guard device.isPhone else { return }
                SystemShims.Timer.scheduledTimer(withTimeInterval: 10, repeats: true) { timer in
                    log.append("\(now())")
                    if log.entries.count == 3 { timer.invalidate() }
                }
            }
        } before: {
            try $0.wait(.seconds(60))
        }
        #expect(log.entries == ["10s", "20s", "30s"])
        #expect(simulation.now < .start + .seconds(61))
    }

    @Test func whatWaitsForEverIsReported() throws {
        let simulation = try run { device in
            Sleeper { _ in
                guard device.isPhone else { return }
                let semaphore = SystemShims.DispatchSemaphore(value: 1)
                semaphore.wait()
                semaphore.wait()
                let group = SystemShims.DispatchGroup()
                group.enter()
                #expect(group.wait(timeout: .now()) == .timedOut)
                group.wait()
                let queue = SystemShims.DispatchQueue(label: "own")
                queue.async { queue.sync {} }
            }
        }
        #expect(
            simulation.scheduler.blockages.map(\.text) == [
                "phone app #1: DispatchSemaphore.wait waits for what nothing can end any more",
                "phone app #1: DispatchGroup.wait waits for what nothing can end any more",
                "phone app #1: DispatchQueue(own).sync on itself waits for ever",
            ])
        #if os(Linux)
            let report = simulation.scheduler.blockageReport
            #expect(report.count == 3 && report.allSatisfy { $0.contains(" at RunningCodeTests.swift:") }, "\(report)")
        #endif
    }

    @Test func aStaticIsOfItsProcess() throws {
        let log = Log()
        let simulation = try run { device in
            Sleeper { _ in
                let value = SystemShims.processLocal("x") { Log() }
                value.append("\(device)")
                log.append("\(device) \(value.entries.count)")
            }
        } before: { simulation in
            simulation.phone.terminate()
            try simulation.finish(simulation.phone.launch())
        }
        #expect(log.entries == ["phone 1", "watch 1", "phone 1"])
        #expect(simulation.scheduler.escapes.isEmpty)
    }

    @Test func preferencesAreTheDevices() throws {
        let log = Log()
        try run { device in
            Sleeper { _ in
                let defaults = SystemShims.UserDefaults.standard
                defaults.register(defaults: ["theme": "none", "level": 3])
                log.append("\(device) \(defaults.string(forKey: "theme") ?? "-") \(defaults.integer(forKey: "level"))")
                defaults.set(device.isPhone ? 1 : 2, forKey: "level")
                defaults.set(["a", 1], forKey: "list")
            }
        } before: { simulation in
            simulation.phone.terminate()
            try simulation.finish(simulation.phone.launch())
            let level = try simulation.run(on: simulation.watch) { SystemShims.UserDefaults.standard.object(forKey: "level") as? Int }
            #expect(level == 2)
        }
        #expect(log.entries == ["phone none 3", "watch none 3", "phone none 1"])
    }

    /// Also on Linux, where Foundation itself protects nothing.
    @Test func aFileIsProtectedAsCodeAsksForIt() throws {
        try run { _ in
            Sleeper { _ in }
        } before: { simulation in
            let folder = try simulation.run(on: simulation.phone) {
                let folder = SystemShims.FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
                try SystemShims.write(Data("x".utf8), to: folder.appendingPathComponent("secret"), options: .completeFileProtection)
                try SystemShims.write(Data("x".utf8), to: folder.appendingPathComponent("plain"))
                return folder
            }
            try simulation.phone.lock()
            try simulation.wait(.seconds(60))
            let readable = try simulation.run(on: simulation.phone) {
                ["secret", "plain"].filter { (try? SystemShims.contents(of: folder.appendingPathComponent($0))) != nil }
            }
            #expect(readable == ["plain"])
        }
    }

    /// Code of an ended process still runs, and must not meet what no process meets.
    @Test func anEndedProcessKeepsItsDirectoriesAndItsDefaults() throws {
        let log = Log()
        var options = SimulationOptions()
        options.makeApp = { _ in
            Sleeper { _ in
                let defaults = SystemShims.UserDefaults.standard
                defaults.register(defaults: ["theme": "none"])
                let look: @Sendable () -> String = {
                    let files = SystemShims.FileManager.default
                    let kinds: [SystemShims.FileManager.SearchPathDirectory] = [
                        .documentDirectory, .cachesDirectory, .libraryDirectory, .applicationSupportDirectory, .moviesDirectory,
                    ]
                    let urls =
                        kinds.flatMap { files.urls(for: $0, in: .userDomainMask) } + [files.temporaryDirectory]
                        + [files.containerURL(forSecurityApplicationGroupIdentifier: "group.example")].compactMap(\.self)
                    return (urls.map(\.path) + [SystemShims.UserDefaults.standard.string(forKey: "theme") ?? "-"]).joined(separator: " ")
                }
                log.append(look())
                Task {
                    try? await Task.sleep(for: .seconds(60))
                    log.append(look())
                    let files = SystemShims.FileManager.default
                    let documents = files.urls(for: .documentDirectory, in: .userDomainMask).first?.path ?? ""
                    log.append("\(files.createFile(atPath: documents + "/late", contents: Data("x".utf8)))")
                }
            }
        }
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        simulation.phone.terminate()
        try simulation.settle()
        let container = simulation.phone.storage.containerPath
        let paths = [
            "\(container)/Documents", "\(container)/Library/Caches", "\(container)/Library", "\(container)/Library/Application Support",
            "\(container)/tmp", "/Containers/Shared/AppGroup/group.example",
        ]
        let expected = (paths + ["none"]).joined(separator: " ")
        #expect(log.entries == [expected, expected, "false"])
    }

    @Test func timeOfDayAndIdentifiersAreTheSimulations() throws {
        func values(seed: UInt64) throws -> [String] {
            let log = Log()
            try run(seed: seed) { _ in Sleeper { _ in log.append("\(SystemShims.now.timeIntervalSince1970) \(SystemShims.uuid())") } }
            return log.entries
        }
        #expect(try values(seed: 1) == values(seed: 1))
        #expect(try values(seed: 1) != values(seed: 2))
        #expect(try Set(values(seed: 1)).count == 2)
    }

    @discardableResult
    private func run(
        seed: UInt64 = 1, order: ReadyOrder = .firstInFirstOut, _ makeApp: @escaping @Sendable (DeviceID) -> any SimulatedApp,
        before end: (Simulation) throws -> Void = { _ in }
    ) throws -> Simulation {
        var options = SimulationOptions()
        options.seed = seed
        options.order = order
        options.makeApp = makeApp
        let simulation = Simulation(options: options)
        defer { simulation.shutDown() }
        // One after the other: a Sleeper's launch may let time pass.
        try simulation.finish(simulation.phone.launch())
        try simulation.finish(simulation.watch.launch())
        try simulation.settle()
        try end(simulation)
        return simulation
    }
}

/// Does something at launch. It is told how to read the virtual time.
private final class Sleeper: SimulatedApp {
    private let body: @Sendable (_ now: @escaping @Sendable () -> VirtualDuration) async throws -> Void

    init(_ body: @escaping @Sendable (_ now: @escaping @Sendable () -> VirtualDuration) async throws -> Void) {
        self.body = body
    }

    func didFinishLaunching(inBackground: Bool) async {
        try? await body { (CurrentScheduler.value?.now ?? .start) - .start }
    }
}

/// Notes in which places its session is its own device's.
private final class Probe: NSObject, SimulatedApp, WCSessionDelegate {
    private let device: DeviceID
    private let log: Log

    init(device: DeviceID, log: Log) {
        self.device = device
        self.log = log
        super.init()
        note("init")
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func didFinishLaunching(inBackground: Bool) async {
        note("launch")
        Task { note("Task") }
        Task.detached { self.note("Task.detached") }
        await noteOnMainActor()
        SystemShims.DispatchQueue.main.async {
            MainActor.assumeIsolated { self.note("main queue") }
        }
        SystemShims.DispatchQueue(label: "serial").async { self.note("serial queue") }
        SystemShims.DispatchQueue.global().async { self.note("global queue") }
        SystemShims.Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in self.note("timer") }
        Task.detached {
            try? await Task.sleep(for: .seconds(1))
            self.note("sleep")
        }
    }

    @MainActor private func noteOnMainActor() {
        note("MainActor")
    }

    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?) {
        Task.detached { self.note("callback") }
    }

    private func note(_ place: String) {
        let endpoint = WCSession.default.backend as? SessionEndpoint
        log.append("\(device) \(place): \(endpoint.map { "\($0.life.device)" } ?? "nobody's")")
    }
}

/// Used on the simulation's thread only.
private final class Log: @unchecked Sendable {
    private(set) var entries: [String] = []

    func append(_ entry: String) {
        entries.append(entry)
    }
}
