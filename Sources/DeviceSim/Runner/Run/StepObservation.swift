import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// What came of a step, without asking what the scenario says must come of it.
package struct StepObservation {
    package enum Result {
        case done
        case failed(any Error)
        /// The process ended before the app code did.
        case ended
        /// The step could not be done at all, and changed nothing.
        case impossible(String)
    }

    /// What the device was like before or after the step, as far as it can be a reason for a failure.
    package struct Conditions {
        package var lockStates: Set<DeviceLockState> = []
        package var startedBeforeFirstUnlock = false
        package var hasFaults = false
        package var lacksRoom = false
        /// Whether the app was installed before the step.
        package var wasInstalled = false
        /// Whether the step's task was cancelled on the way.
        package var wasCancelled = false
    }

    /// A step that is not a block.
    package let action: ScenarioStep.Action
    package let result: Result
    /// What a data step was told, and when.
    package var found = ReadObservation()
    /// Whether it began another process of the app.
    package var hasNewProcess = false
    /// Whether the app, which ran before the step, was told that it came to the foreground or that the device was unlocked.
    package var wasRoused = false
    package var conditions = Conditions()
    /// The devices that lost power since the step before, whatever made them lose it. For steps of one instant with the first of them.
    package private(set) var powerLosses: [DeviceID] = []
    /// When each of them did last: time may have passed since.
    package private(set) var powerLossTimes: [DeviceID: VirtualTime] = [:]

    package init(
        action: ScenarioStep.Action, result: Result, found: ReadObservation = ReadObservation(), hasNewProcess: Bool = false,
        wasRoused: Bool = false,
        conditions: Conditions = Conditions()
    ) {
        self.action = action
        self.result = result
        self.found = found
        self.hasNewProcess = hasNewProcess
        self.wasRoused = wasRoused
        self.conditions = conditions
    }
}

extension StepObservation {
    /// Takes in which devices have lost power since the step before, and when.
    package mutating func notePowerLosses(in run: ScenarioRun) {
        powerLosses = run.takePowerLosses()
        for device in powerLosses {
            powerLossTimes[device] = run.simulation.trace.events.last { $0.kind == .powerLoss && $0.device == device }?.time
        }
    }
}

extension ScenarioRun {
    /// Runs a step and says what came of it. Expectations are passed over.
    /// - Throws: ``SimulationError`` other than ``SimulationError/impossible(device:reason:)``: the run cannot go on.
    package func observe(_ action: ScenarioStep.Action) throws -> [StepObservation] {
        defer { stepCount += 1 }
        var observations = try observed(action)
        if !observations.isEmpty { observations[0].notePowerLosses(in: self) }
        return observations
    }

    /// The devices that have lost power since this was asked last.
    fileprivate func takePowerLosses() -> [DeviceID] {
        simulation.devices.filter { powerLossCounts.updateValue($0.powerLossCount, forKey: $0.id) ?? 0 < $0.powerLossCount }.map(\.id)
    }

    private func observed(_ action: ScenarioStep.Action) throws -> [StepObservation] {
        switch action {
        case .expect: return []
        case .time(let time): return [try attempt(action) { try run(time) }]
        case .link(let link): return [try attempt(action) { try run(link) }]
        case .fault(let fault):
            var conditions = StepObservation.Conditions()
            note(simulation.device(fault.device), in: &conditions)
            var observation = try attempt(action) { try run(fault) }
            observation.conditions = conditions
            return [observation]
        case .device, .session, .data, .transfer: return try observe([action])
        case .together(let steps): return try observe(steps.map(\.action))
        }
    }

    private func attempt(_ action: ScenarioStep.Action, _ body: () throws -> Void) throws -> StepObservation {
        do {
            try body()
            try simulation.runReady()
            return StepObservation(action: action, result: .done)
        } catch SimulationError.impossible(_, let reason) {
            return StepObservation(action: action, result: .impossible(reason))
        } catch let failure as StepFailure {
            return StepObservation(action: action, result: .impossible(failure.message))
        } catch  where !(error is SimulationError) {
            return StepObservation(action: action, result: .failed(error))
        }
    }

    /// Starts the steps at one instant and waits for all of them.
    private func observe(_ actions: [ScenarioStep.Action]) throws -> [StepObservation] {
        var begun: [(observation: StepObservation, step: BegunStep?)] = []
        for action in actions {
            var observation = StepObservation(action: action, result: .done)
            var started: BegunStep?
            let part = action.part
            let device = action.device.flatMap { simulation.device($0) }
            let process: DeviceProcess? = part == .app ? device?.process : device?.widget
            let wasPrewarmed = part == .app && device?.process?.isAwaitingLaunch == true
            let (state, wasLocked) = (process?.state, device?.state.lockState != .unlocked)
            do {
                if case .device(let step) = action {
                    observation.conditions.wasInstalled = device?.isAppInstalled ?? false
                    note(simulation.device(step.device), in: &observation.conditions)
                    // A person uses what is in front of an unlocked device.
                    if case .perform = step.action, scenario.start[step.device].app == nil, let app = device?.process?.app,
                        !(app is ScenarioApp),
                        process?.state != .foreground || device?.state.lockState != .unlocked
                    {
                        throw StepFailure("the app is not in front, so nobody can use it")
                    }
                } else if process?.state == .suspended {
                    throw StepFailure("the system has suspended the \(part.rawValue)")
                }
                started = try begin(action)
                let wasLaunched = wasPrewarmed && device?.process?.isAwaitingLaunch == false
                observation.hasNewProcess = started?.process.map { $0 !== process || wasLaunched } ?? false
                if let device, let now = device.process, part == .app, now === process {
                    let isUnlocked = wasLocked && device.state.lockState == .unlocked && device.id.isPhone && now.state != .suspended
                    observation.wasRoused = isUnlocked || (state != .foreground && now.state == .foreground)
                }
                let isCancelled = if case .isCancelled? = started?.outcome { true } else { false }
                note(started?.device, part, isCancelled: isCancelled, in: &observation.conditions)
            } catch SimulationError.impossible(_, let reason) {
                observation = StepObservation(action: action, result: .impossible(reason))
            } catch let failure as StepFailure {
                observation = StepObservation(action: action, result: .impossible(failure.message))
            } catch  where !(error is SimulationError) {
                observation = StepObservation(action: action, result: .failed(error))
            }
            begun.append((observation, started))
        }
        try simulation.runReady()
        return try begun.map { observation, step in
            guard let step else { return observation }
            let isSuspended = try awaitEndOrSuspension(of: step)
            step.device?.storage.faults.removeInterruptions()
            var observation = observation
            note(step.device, observation.action.part, in: &observation.conditions)
            let result: StepObservation.Result =
                if isSuspended || step.process?.life.isAlive == false, step.operation != nil {
                    // Whatever its code was told on the way out, or will be when it runs again, nobody was there to see it.
                    .ended
                } else if let error = error(of: step) {
                    .failed(error)
                } else {
                    .done
                }
            var concluded = StepObservation(action: observation.action, result: result)
            concluded.found = step.found
            concluded.hasNewProcess = observation.hasNewProcess
            concluded.wasRoused = observation.wasRoused
            concluded.conditions = observation.conditions
            if case .isCancelled = step.outcome { concluded.conditions.wasCancelled = step.wasBefallen }
            return concluded
        }
    }

    /// Adds what the device is like now.
    private func note(_ device: Device?, _ part: AppPart = .app, isCancelled: Bool = false, in conditions: inout StepObservation.Conditions)
    {
        guard let device else { return }
        conditions.lockStates.insert(device.state.lockState)
        let process: DeviceProcess? = part == .app ? device.process : device.widget
        if process?.life.hasDoubtfulPreferences == true { conditions.startedBeforeFirstUnlock = true }
        // That its task is cancelled is no fault of the storage's.
        if !device.storage.faults.isEmpty, !isCancelled || device.storage.faults.hasFaults { conditions.hasFaults = true }
        if device.storage.freeSpace != nil { conditions.lacksRoom = true }
    }
}

extension ScenarioStep.Action {
    /// The device whose app or hardware a step is about.
    package var device: DeviceID? {
        switch self {
        case .device(let step): step.device
        case .session(let step): step.device
        case .data(let step): step.device
        case .transfer(let step): step.device
        case .fault(let step): step.device
        case .link, .time, .together, .expect: nil
        }
    }

    /// The process that a step is about or runs in.
    var part: AppPart {
        switch self {
        case .data(let step): step.part
        case .device(let step): if case .widget = step.action { .widget } else { .app }
        default: .app
        }
    }
}
