import DeviceSim
import Testing
import WatchConnectivity

@testable import DeviceSimCore

/// W110, W96, W71: what the system starts in the background, and for how long.
@Suite struct RefreshTaskTests {
    private final class TaskApp: SimulatedApp, @unchecked Sendable {
        let reference = ReferenceApp()
        let completes: Bool
        var tasks: [ConnectivityRefreshTask] = []
        var expirations = 0

        init(completes: Bool) {
            self.completes = completes
        }

        func didFinishLaunching(inBackground: Bool) async { await reference.start() }

        func handleBackgroundTask(_ task: ConnectivityRefreshTask) async {
            tasks.append(task)
            task.expirationHandler = { [weak self] in self?.expirations += 1 }
            if completes { await reference.handleBackgroundTask(task) }
        }
    }

    private func simulation(completes: Bool, expiredTaskCrashes: Bool = true) -> Simulation {
        var options = SimulationOptions()
        options.knobs.expiredTaskCrashes = expiredTaskCrashes
        options.makeApp = { _ in TaskApp(completes: completes) }
        return Simulation(options: options)
    }

    private func count(_ kind: TraceEvent.Kind, in simulation: Simulation) -> Int {
        simulation.trace.events.count { $0.kind == kind && $0.device == .watch }
    }

    @Test func aTaskIsHeldUntilEverythingHasComeAndThenTheAppIsSuspended() throws {
        let simulation = simulation(completes: true)
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        try simulation.settle()
        try simulation.run(on: simulation.phone) {
            for number in 1...3 { WCSession.default.transferUserInfo(["n": number]) }
        }
        try simulation.settle()
        #expect(simulation.watch.process?.state == .suspended)
        #expect(count(.userInfoDelivered, in: simulation) == 3)
        #expect(count(.launchInBackground, in: simulation) == 1)
        let app = try #require(simulation.watch.process?.app as? TaskApp)
        let isAllCompleted = app.tasks.allSatisfy { $0.isCompleted }
        #expect(isAllCompleted)
        #expect(app.expirations == 0)
    }

    @Test("W110 an app that leaves a task open is ended with a crash report, after its handler was told") func expiredTask() throws {
        let simulation = simulation(completes: false)
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        try simulation.settle()
        try simulation.run(on: simulation.phone) { _ = WCSession.default.transferUserInfo(["n": 1]) }
        try simulation.wait(.seconds(1))
        let app = try #require(simulation.watch.process?.app as? TaskApp)
        try simulation.settle()
        #expect(app.expirations == 1 && app.tasks.count == 1)
        #expect(simulation.watch.process == nil)
        let crash = try #require(simulation.trace.events.first { $0.kind == .crash && $0.device == .watch })
        #expect(crash["code"] == .text("0xc51bad02"))
        #expect(count(.backgroundTaskExpired, in: simulation) == 1)
    }

    @Test("W110 a task that its expiration handler completes ends nothing") func completedAtTheLastMoment() throws {
        let simulation = simulation(completes: false)
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        try simulation.settle()
        try simulation.run(on: simulation.phone) { _ = WCSession.default.transferUserInfo(["n": 1]) }
        try simulation.wait(.seconds(1))
        let app = try #require(simulation.watch.process?.app as? TaskApp)
        let task = try #require(app.tasks.first)
        task.expirationHandler = { [weak task] in task?.setTaskCompletedWithSnapshot(false) }
        try simulation.settle()
        #expect(simulation.watch.process?.state == .suspended)
        #expect(count(.crash, in: simulation) == 0 && count(.backgroundTaskCompleted, in: simulation) == 1)
    }

    @Test func withTheKnobATaskThatRunsOutOnlySuspendsTheApp() throws {
        let simulation = simulation(completes: false, expiredTaskCrashes: false)
        defer { simulation.shutDown() }
        try simulation.finish(simulation.phone.launch())
        try simulation.settle()
        try simulation.run(on: simulation.phone) { _ = WCSession.default.transferUserInfo(["n": 1]) }
        try simulation.settle()
        let app = try #require(simulation.watch.process?.app as? TaskApp)
        #expect(app.expirations == 1 && app.tasks.count == 1)
        #expect(count(.backgroundTaskExpired, in: simulation) == 1)
        #expect(simulation.watch.process?.state == .suspended)
        app.tasks[0].setTaskCompletedWithSnapshot(false)
        app.tasks[0].setTaskCompletedWithSnapshot(false)
        try simulation.settle()
        #expect(count(.backgroundTaskCompleted, in: simulation) == 0)
    }
}
