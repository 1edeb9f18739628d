import DeviceSim
import Foundation
import LocalData
import Testing
import WatchConnectivity

@testable import DeviceSimCore
@testable import DeviceSimRunner

/// Code on a thread that no simulation runs on knows no device. It is reported, with its place, to all simulations there are: so each of these tests has
/// a process of the host to itself.
@Suite struct ForeignThreadTests {
    @Test func codeOnAThreadOfItsOwnIsReportedWithItsPlace() async {
        await #expect(processExitsWith: .success) {
            let simulation = try runOnThread(askForItsDevice)
            #expect(
                simulation.scheduler.escapes == ["a thread of no device: WCSession.default", "a thread of no device: StorageRouter.shared"])
            #if os(Linux)
                let report = simulation.scheduler.escapeReport
                #expect(report[1].contains("WCSession.default at ForeignThreadTests.swift:\(lineOfAsking) ("))
                #expect(report[0].contains("StorageRouter.shared at ForeignThreadTests.swift:\(lineOfAsking + 1) ("))
            #endif
        }
    }

    @Test func whatStandsForTheSystemIsReportedThereToo() async {
        await #expect(processExitsWith: .success) {
            let simulation = try runOnThread {
                SystemShims.DispatchQueue.main.async {}
                _ = SystemShims.DispatchTime.now()
                _ = SystemShims.processLocal("x") { 1 }
                _ = SystemShims.FileManager.default.fileExists(atPath: "/tmp")
                SystemShims.DispatchGroup().notify(queue: .global()) {}
            }
            let calls = simulation.scheduler.escapes.map { $0.dropFirst("a thread of no device: ".count) }
            #expect(
                calls == ["DispatchQueue.async", "DispatchTime.now", "a static property", "FileManager.fileExists", "DispatchGroup.notify"])
        }
    }

    @Test func aHostsOwnCodeIsNotTakenForIt() async {
        await #expect(processExitsWith: .success) {
            let simulation = Simulation()
            // A task of the host, the thread that made the simulation, and work after the last simulation has gone.
            await Task.detached { _ = WCSession.isSupported() }.value
            _ = WCSession.isSupported()
            simulation.scheduler.takeInEscapes()
            #expect(simulation.scheduler.escapes.isEmpty)
            simulation.shutDown()
        }
    }

    @Test func theScenarioIsNotDeterministic() async {
        await #expect(processExitsWith: .success) {
            let folder = try ScratchFolder()
            let file = folder.url.appendingPathComponent("x.scenario")
            try Data("# A library calls back on its own thread.\n\nphone app does \"call\"\n".utf8).write(to: file)
            var options = RunOptions()
            options.makeApp = { _ in Threaded { _ = WCSession.default } }
            let scenario = try #require(ScenarioCompiler.compile(path: file.path).scenarios.first)
            let result = ScenarioRunner.run(scenario, options: options)
            guard case .notDeterministic(let failure) = result.outcome else {
                Issue.record("\(result.outcome)")
                return
            }
            #expect(failure.message.contains("a thread of no device: WCSession.default"))
        }
    }
}

private func askForItsDevice() {
    _ = WCSession.default
    _ = StorageRouter.shared
}

private let lineOfAsking = #line - 4

/// Runs `body` on a thread that the app starts, and waits for, as code does that blocks.
private func runOnThread(_ body: @escaping @Sendable () -> Void) throws -> Simulation {
    let simulation = Simulation()
    try simulation.finish(simulation.phone.launch())
    try simulation.run(on: simulation.phone) { Threaded(body).call() }
    simulation.scheduler.takeInEscapes()
    return simulation
}

private final class Threaded: SimulatedApp {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    func didFinishLaunching(inBackground: Bool) async {}

    func perform(_ action: String, with value: ScenarioValue) async { call() }

    func call() {
        let isDone = DispatchSemaphore(value: 0)
        Thread {
            self.body()
            isDone.signal()
        }.start()
        isDone.wait()
    }
}
