import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// Steps that crash at a storage operation.
extension ScenarioRun {
    /// Sets the point at which a step that was started is to crash, if it is. A step that crashes at every operation gets this run's number.
    func arm(_ step: inout BegunStep) {
        if step.outcome.isSweeping {
            let index = sweepCount
            sweepCount += 1
            let sweep = BegunStep.Sweep(outcome: step.outcome, number: index < schedule.numbers.count ? schedule.numbers[index] : 1)
            step.sweep = sweep
            step.outcome = sweep.outcome.pinned(to: sweep.number)
        }
        guard let device = step.device else { return }
        let process = step.process
        let count = device.storage.operationCount
        step.operationsBefore = count
        guard step.outcome.isFault else { return }
        let point = BegunStep.Point()
        step.point = point
        switch step.outcome {
        case .crashes(let number):
            device.storage.faults.interrupt(beforeOperation: count + number) { [weak device, weak process] in
                point.wasReached = true
                device?.crash(process)
            }
        case .losesPower(let number):
            device.storage.faults.interrupt(beforeOperation: count + number) { [weak device] in
                point.wasReached = true
                device?.losePower()
            }
        case .isCancelled(let number):
            device.storage.faults.interrupt(beforeOperation: count + number) { [weak operation = step.operation] in
                point.wasReached = true
                operation?.cancel()
            }
        case .succeeds, .fails, .crashesAtEveryOperation, .losesPowerAtEveryOperation, .isCancelledAtEveryOperation: break
        }
    }

    /// Sets the point at which the step after this one is cut short. Nothing happens between the two.
    func arm(_ kind: FaultStep.Interruption, on device: Device, atOperation number: Int) {
        let onTrigger = noteFault()
        device.storage.faults.interrupt(beforeOperation: device.storage.operationCount + number) { [weak device] in
            onTrigger()
            switch kind {
            case .crash: device?.crash()
            case .powerLoss: device?.losePower()
            }
        }
        armed.append((stepCount, device))
    }

    /// Takes back what was to cut a step short that is over.
    func disarm() {
        for (step, device) in armed where stepCount > step + 1 { device.storage.faults.removeInterruptions() }
        armed.removeAll { stepCount > $0.step + 1 }
    }

    /// Ends a step that crashes at every operation: where it has fewer than this run's number, the crash comes now.
    func end(_ step: BegunStep, in sweep: BegunStep.Sweep) throws {
        isSweepOver.append(!step.wasBefallen)
        guard sweep.number < CrashSchedule.limit else {
            throw StepFailure("the step has \(sweep.number) storage operations or more; a crash at each of them would never end")
        }
        guard !step.wasBefallen else {
            if sweep.outcome == .isCancelledAtEveryOperation { try requireOrderlyEnd(ofCancelled: step) }
            return
        }
        sweepOperations.append(step.operationCount)
        step.device?.storage.faults.removeInterruptions()
        if let error = error(of: step) { throw StepFailure.unexpected(error) }
        if sweep.outcome == .isCancelledAtEveryOperation { return }
        if sweep.outcome == .losesPowerAtEveryOperation { step.device?.losePower() } else { step.device?.crash(step.process) }
    }

    /// A step whose task was cancelled succeeds, or says that it was cancelled, and nothing else.
    func requireOrderlyEnd(ofCancelled step: BegunStep) throws {
        if let error = error(of: step), !(error is CancellationError) { throw StepFailure.unexpected(error) }
    }

    /// What the steps that crash at every operation were in this run, as one writes them to run it alone.
    var pins: [String] {
        zip(scenario.sweepingSteps, schedule.numbers).enumerated().map { index, pair in
            let (step, number) = pair
            guard index < isSweepOver.count, isSweepOver[index] else {
                return step.outcome.map { step.notation(with: $0.pinned(to: number)) } ?? step.source
            }
            switch step.outcome {
            case .isCancelledAtEveryOperation: return "\(step.notation(with: .succeeds)), not cancelled"
            case .losesPowerAtEveryOperation: return "\(step.notation(with: .succeeds)), then power loss"
            default: return "\(step.notation(with: .succeeds)), then crash"
            }
        }
    }
}

extension ScenarioStep {
    /// The step with another outcome, as a scenario file writes it.
    fileprivate func notation(with outcome: StepOutcome) -> String { action.with(outcome: outcome).notation }
}

extension ScenarioStep.Action {
    /// The step with another outcome, if it is one that has any.
    package func with(outcome: StepOutcome) -> Self {
        switch self {
        case .device(let step): .device(DeviceStep(step.device, step.action, outcome: outcome))
        case .session(let step): .session(SessionStep(step.device, step.action, outcome: outcome))
        case .transfer(let step): .transfer(TransferStep(step.device, step.action, outcome: outcome))
        case .data(let step): .data(step.with(outcome: outcome))
        case .link, .fault, .expect, .time, .together: self
        }
    }
}

extension Device {
    /// The process that a step runs in crashes.
    fileprivate func crash(_ process: DeviceProcess?) {
        if let process, process === widget { crashWidget() } else { crash() }
    }
}
