import DeviceSimCatalogue
import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData
import WatchConnectivity

/// One run of one scenario: the simulation, and what the steps have said so far.
///
/// Confined to the thread that runs it.
package final class ScenarioRun: @unchecked Sendable {
    package let scenario: Scenario
    package let simulation: Simulation
    package let keys: ScenarioKeys
    /// The devices whose app is the one that scenarios configure, and not one under test.
    let configurable: Set<DeviceID>
    package var stepCount = 0 {
        didSet { if !armed.isEmpty { disarm() } }
    }
    /// What is to be cut short in the step after the one of that number.
    var armed: [(step: Int, device: Device)] = []
    /// How often each device has lost power, as far as ``takePowerLosses()`` has told.
    var powerLossCounts: [DeviceID: Int] = [:]
    /// The faults that steps have set, in their order.
    var faults: [(fault: UntriggeredFault, isTriggered: Bool)] = []
    /// Shows the watchdog that the run goes on.
    package let watch: RunWatch?
    /// The step that runs, or the one of a `together` block that is looked at.
    private(set) var current: ScenarioStep?
    /// What came of the messages that the file has no label for, each with its step.
    var unlabelledMessages: [(step: ScenarioStep?, log: MessageLog)] = []
    /// What came of the transfers that the file has no label for, each with its step.
    var unlabelledTransfers: [(step: ScenarioStep?, log: TransferLog)] = []
    /// The crash points of this run, for steps that crash at every operation.
    let schedule: CrashSchedule
    /// How many of these steps have begun, and of each that ended whether it came to its end before its point.
    var sweepCount = 0
    var isSweepOver: [Bool] = []
    /// How many storage operations each of those had that ended.
    var sweepOperations: [Int] = []

    /// How the apps behave, by device; the makers of new processes share them.
    let behaviours: [DeviceID: AppBehaviour]
    /// Snapshots that were kept under a name.
    var snapshots: [String: SyncSnapshot] = [:]
    /// The catalogs that steps have registered, and in which process of each device.
    var registrations: [DeviceID: (process: Int, catalogs: Set<String>)] = [:]
    /// Backups of devices, by name.
    var backups: [String: DeviceBackup] = [:]
    /// What came of the messages that have a label.
    var messages: [String: MessageLog] = [:]
    /// What came of the transfers that have a label.
    var transfers: [String: TransferLog] = [:]
    /// What apps were told of the keys that they observe.
    package let observers = KeyObservers()
    package let sessionObservers = SessionPropertyObservers()
    /// Places in the trace.
    var marks: [String: Int] = [:]
    /// The latest of them, from which the expectation `nothing else` counts unless it names another.
    var latestMark: String?
    /// The number of the step that made each mark.
    var markSteps: [String: Int] = [:]
    /// What expectations were about, with the number of the last step that was.
    var accountedFor: [AccountedEvents: Int] = [:]
    /// What expectations of events wanted to come, and the part of the trace that each has looked at.
    var wantedEvents: [(pattern: EventPattern, range: Range<Int>)] = []
    /// The failures that no code was told of, and that an expectation of such has counted.
    var countedFailures: Set<UnobservedFailure> = []
    /// What the places of values are called, which is written down on a device and is no secret: names of keys, of App Groups, suites, services and folders, and
    /// places as LocalData notes them, also of the sources of migrations. Sorted.
    package private(set) lazy var namesOfPlaces: [String] = placeNames()
    /// The same as bytes.
    package private(set) lazy var bytesOfPlaces: [Data] = namesOfPlaces.map { Data($0.utf8) }
    /// What was done with the apps, in that order.
    var appActions: [BegunAction] = []
    /// What the app under test promises of both devices.
    package let appInvariants: [AppInvariant]
    /// Whether what an app shows was as expected, when that was last looked at.
    var looks: [String: Bool] = [:]
    /// The values that steps set or planted for a key, by the key's place in the scenario, the last one last.
    var givenValues: [Int: [ScenarioValue]] = [:]
    /// How many moments of data steps were numbered (``ReadObservation``).
    private var moments = 0
    /// When the first step began.
    private(set) var firstStep = VirtualTime.start
    /// Where the trace stood then.
    private(set) var firstStepEvent = 0
    /// Keeps what the run's story is made of, where somebody asked for that.
    private var storyteller: Storyteller?

    package init(
        _ scenario: Scenario, schedule: CrashSchedule, seed: UInt64, options runOptions: RunOptions, root: URL?,
        catalogs: [String: any StorageKeyCatalog]
    ) {
        self.scenario = scenario
        self.schedule = schedule
        keys = ScenarioKeys(scenario, catalogs: catalogs)
        let ids: [DeviceID] = [.phone, .watch] + (scenario.start.watch2 == nil ? [] : [.watch2])
        let behaviours: [DeviceID: AppBehaviour] = ids.reduce(into: [:]) { $0[$1] = AppBehaviour() }
        self.behaviours = behaviours
        let namedApps: [DeviceID: NamedApp] = ids.reduce(into: [:]) { $0[$1] = scenario.start[$1].app.flatMap(NamedApp.init(named:)) }
        configurable = runOptions.makeApp == nil ? Set(ids.filter { namedApps[$0] == nil }) : []
        let relay = AppRelay()
        var options = SimulationOptions()
        options.seed = seed
        options.order = runOptions.order ?? scenario.order ?? .firstInFirstOut
        options.knobs = scenario.knobs
        options.root = root
        // Whoever knows the path of a group's container belongs to the group.
        options.groupsOfTheApp = Set(scenario.keys.compactMap { $0.declaration?.domain.groupOfPath })
        options.hasSecondWatch = scenario.start.watch2 != nil
        options.phoneCanPair = scenario.start.phoneCanPair
        options.isWatchOnlyApp = scenario.start.isWatchOnlyApp
        options.isDependentWatchApp = scenario.start.isDependentWatchApp
        options.workLimit = runOptions.workLimit
        options.waitWorkLimit = runOptions.waitWorkLimit
        options.makeApp =
            runOptions.makeApp ?? { device in
                ScenarioApp(
                    behaviour: behaviours[device] ?? AppBehaviour(), later: { relay.run(after: $0, on: device, $1) },
                    crash: { relay.crash(device) }, report: { relay.report($0, $1, on: device) })
            }
        if let make = runOptions.makeConfiguredApp { options.makeApp = { make($0, behaviours[$0] ?? AppBehaviour()) } }
        if !namedApps.isEmpty {
            let usual = options.makeApp
            options.makeApp = { namedApps[$0]?.make() ?? usual($0) }
        }
        options.stopwatch = runOptions.stopwatch
        options.watch = runOptions.watch
        if let adapt = runOptions.adaptEnvironment { options.adaptEnvironment = adapt }
        options.tracksCauses = runOptions.story != nil
        simulation = Simulation(options: options)
        appInvariants = runOptions.invariants
        relay.simulation = simulation
        watch = runOptions.watch
        watch?.setLastEvents { [weak simulation] in simulation?.trace.lastEvents() ?? [] }
        if let request = runOptions.story { storyteller = Storyteller(self, request) }
    }

    /// What the run has come to, where somebody asked for its story.
    var story: RunStory? { storyteller?.story(order: simulation.options.order, seed: simulation.options.seed) }

    /// Runs the steps, until one fails.
    func execute() -> ScenarioResult.Outcome {
        defer { simulation.shutDown() }
        do {
            try begin()
            storyteller?.begins()
            for (index, step) in scenario.steps.enumerated() {
                watch?.begins(step: index)
                current = step
                stepCount += 1
                storyteller?.begins(step: index)
                try run(step)
                storyteller?.ends(step: index)
                if let blocked = blockage() { return escapes() ?? blocked }
            }
            try simulation.runReady()
            if let outcome = escapes() ?? blockage() { return outcome }
            if let (step, failure) = lateFailure() { return outcome(of: failure, at: step).marked(of: scenario) }
            return .passed
        } catch {
            let outcome = (escapes() ?? blockage() ?? outcome(of: error, at: current)).marked(of: scenario)
            storyteller?.fails(outcome.failure ?? ScenarioFailure(message: "failed"))
            return outcome
        }
    }

    private func escapes() -> ScenarioResult.Outcome? {
        simulation.scheduler.takeInEscapes()
        guard !simulation.scheduler.escapes.isEmpty else { return nil }
        let places = simulation.scheduler.escapeReport.joined(separator: ", ")
        return .notDeterministic(ScenarioFailure(message: "work came in from outside the simulation's thread: \(places)"))
    }

    /// Code that waits for what can never come: what it did after that says nothing.
    private func blockage() -> ScenarioResult.Outcome? {
        guard !simulation.scheduler.blockages.isEmpty else { return nil }
        return outcome(of: StepFailure(simulation.scheduler.blockageReport.joined(separator: "\n")), at: current).asNotSettled
    }

    private func outcome(of error: any Error, at step: ScenarioStep?) -> ScenarioResult.Outcome {
        let reason: StepFailure
        var settles = true
        var wasTried = false
        switch error {
        case let error as StepFailure:
            reason = error
            wasTried = error.isFinding
        case let error as SimulationError:
            reason = StepFailure(error.description)
            if case .impossible = error {} else { (settles, wasTried) = (false, true) }
        default: reason = StepFailure("failed: \(ErrorText.of(error))")
        }
        let line = reason.blockLine.flatMap { line in step.flatMap { line < $0.block.count ? $0.block[line] : nil } }
        let range = line?.range ?? step?.range
        var failure = ScenarioFailure(
            message: reason.message, pins: pins, path: range?.path, line: range?.line, column: range?.column, length: range?.length,
            source: line?.source ?? step?.source,
            phase: step?.phase, expected: reason.expected, actual: reason.actual, lastEvents: simulation.trace.lastEvents())
        failure.wasTried = wasTried
        failure.error = reason.error
        return settles ? .failed(failure) : .didNotSettle(failure)
    }

    func nextMoment() -> Int {
        defer { moments += 1 }
        return moments
    }

    // MARK: Before the first step

    /// Brings the devices into the start state, from where time and events count.
    package func begin() throws {
        _ = try begin {
            try simulation.settle()
            return true
        }
    }

    /// As ``begin()``, for a caller who looks at how the run comes to rest.
    /// - Parameter settle: Lets the run come to rest, and says whether it did.
    /// - Returns: Whether the devices are in the start state. They are not where the run did not come to rest on the way there.
    package func begin(settle: () throws -> Bool) throws -> Bool {
        guard try prepare(settle) else { return false }
        firstStep = simulation.now
        firstStepEvent = simulation.trace.events.count
        return true
    }

    // MARK: Steps

    private func run(_ step: ScenarioStep) throws {
        // Not what the step says: that may be a value.
        simulation.recorder.attribute(to: -1) {
            simulation.recorder.record(.step, .init("number", .number(stepCount)), .init("line", .number(step.range.line)))
        }
        simulation.recorder.beginsCause()
        switch step.action {
        case .expect(let expectation): try check(expectation)
        case .time(let time): try run(time)
        case .link(let link): try run(link)
        case .fault(let fault): try run(fault)
        case .device, .session, .transfer, .data:
            let begun = try begin(step.action)
            try simulation.runReady()
            try StepFailure.finding { try finish(begun) }
        case .together(let steps):
            let begun = try steps.map { inner in
                current = inner
                return try begin(inner.action)
            }
            try simulation.runReady()
            for (step, inner) in zip(begun, steps) {
                current = inner
                try StepFailure.finding { try finish(step) }
            }
        }
        try simulation.runReady()
    }

    /// Starts a step that app code takes part in, without letting anything run.
    func begin(_ action: ScenarioStep.Action) throws -> BegunStep {
        var begun =
            switch action {
            case .device(let device): try begin(device)
            case .session(let session): try begin(session)
            case .transfer(let transfer): try begin(transfer)
            case .data(let data): try begin(data)
            case .link(let link): try immediately { try run(link) }
            case .fault(let fault): try immediately { try run(fault) }
            case .expect, .time, .together:
                throw StepFailure("'\(action.notation)' cannot stand in a 'together' block")
            }
        arm(&begun)
        return begun
    }

    private func immediately(_ body: () throws -> Void) rethrows -> BegunStep {
        try body()
        return BegunStep(device: nil, outcome: .succeeds, operation: nil)
    }

    func device(_ id: DeviceID) throws -> Device {
        guard let device = simulation.device(id) else { throw StepFailure("there is no device '\(id)'") }
        return device
    }

    func run(_ step: TimeStep) throws {
        switch step {
        case .wait(let span): try simulation.wait(span)
        case .at(let span):
            let time = firstStep + span
            guard time >= simulation.now else {
                throw StepFailure("\(span) has passed: it is \(simulation.now - firstStep) since the first step")
            }
            try simulation.advance(to: time)
        case .settle(let limit): try simulation.settle(limit: limit ?? .seconds(24 * 3600))
        case .mark(let name):
            marks[name] = simulation.trace.events.count
            markSteps[name] = stepCount
            latestMark = name
        }
    }
}

extension ScenarioResult.Outcome {
    fileprivate var asNotSettled: Self { failure.map { .didNotSettle($0) } ?? self }
}

/// Connects the apps of a run to its simulation, which is made after the maker of apps.
private final class AppRelay: @unchecked Sendable {
    weak var simulation: Simulation?

    /// Runs `action` in the process that asked, if that still exists then.
    func run(after delay: VirtualDuration, on device: DeviceID, _ action: @escaping () -> Void) {
        guard let simulation, let process = simulation.device(device)?.process else { return }
        guard delay > .zero else { return action() }
        let work = ScheduledWork("what the app does later", of: process.executor.name)
        simulation.scheduler.schedule(at: simulation.now + delay, as: work) { [weak process] in
            guard let process, process.life.isAlive else { return }
            simulation.scheduler.enqueue(for: process.executor) { process.enter(action) }
        }
    }

    /// The app crashes in what it does at this moment.
    func crash(_ device: DeviceID) {
        simulation?.device(device)?.crash()
    }

    /// What app code reports that no caller is told of: into the trace, without values.
    func report(_ activity: String, _ error: any Error, on device: DeviceID) {
        guard let device = simulation?.device(device), device.process != nil else { return }
        device.record(.log, .init("while", .text(activity)), .init("error", .text(ErrorText.name(of: error))))
    }
}

extension StorageDomain {
    /// The App Group whose container a folder that is given by its path lies in.
    fileprivate var groupOfPath: String? {
        guard case .fileSystem(.custom(let url)) = self else { return nil }
        let names = Array(url.pathComponents.dropFirst())
        let components = names.first == "private" ? Array(names.dropFirst()) : names
        guard components.starts(with: DeviceStorage.groupsPath) else { return nil }
        return components.count > DeviceStorage.groupsPath.count ? components[DeviceStorage.groupsPath.count] : nil
    }
}
