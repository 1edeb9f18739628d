import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// A step whose app code has been started, and what must come of it.
struct BegunStep {
    /// The process it runs in; `nil` where no app code runs.
    var device: Device?
    var process: DeviceProcess?
    var outcome: StepOutcome
    /// Of a step that crashes at every operation: what the file says, and this run's number.
    var sweep: Sweep?
    /// Of a step that something is to befall.
    var point: Point?
    let operation: AppOperation<Void>?
    /// Looked at when the operation has ended, for errors that arrive by another way than a throw.
    var lateError: () -> (any Error)? = { nil }
    /// What a `get` gave.
    let found: ReadObservation
    /// How many storage operations its device had seen before.
    var operationsBefore = 0

    /// How many storage operations its device has seen since it began.
    var operationCount: Int { (device?.storage.operationCount ?? operationsBefore) - operationsBefore }

    /// Whether the step came to the operation at which something was to befall it.
    var wasBefallen: Bool { point?.wasReached ?? false }

    struct Sweep {
        let outcome: StepOutcome
        let number: Int
    }

    /// The storage operation at which something befalls the step.
    final class Point {
        var wasReached = false
    }

    init(
        device: Device?, part: AppPart = .app, outcome: StepOutcome, operation: AppOperation<Void>?,
        found: ReadObservation = ReadObservation()
    ) {
        self.found = found
        self.device = device
        process = part == .app ? device?.process : device?.widget
        self.outcome = outcome
        self.operation = operation
    }
}

/// What a data step leaves of what it was told, and when. Confined to the simulation's thread.
package final class ReadObservation: @unchecked Sendable {
    /// What a `get` gave.
    package var value: ScenarioValue?
    /// What an `exists` gave.
    package var exists: Bool?
    /// When app code began with it, and when it had the answer: numbers that only their order matters of, each used once in a run.
    package var began: Int?
    package var ended: Int?
}

extension ScenarioRun {
    /// Waits for the step's app code, or for the end of its process.
    func awaitEnd(of step: BegunStep) throws {
        if let operation = step.operation, step.process?.life.isAlive != false {
            try finish(operation, of: step)
        }
    }

    /// Waits for the step's app code and holds what came of it against what the step says.
    func finish(_ step: BegunStep) throws {
        try awaitEnd(of: step)
        if let sweep = step.sweep { return try end(step, in: sweep) }
        let hasCrashed = step.process.map { !$0.life.isAlive } ?? false
        switch step.outcome {
        case .crashes(let number), .losesPower(let number):
            guard step.wasBefallen else {
                step.device?.storage.faults.removeInterruptions()
                let isLoss = if case .losesPower = step.outcome { true } else { false }
                guard !hasCrashed else {
                    throw StepFailure.untried(
                        "something else ended the process before storage operation \(number), at which the step \(isLoss ? "loses power" : "crashes")"
                    )
                }
                let count = step.operationCount
                throw StepFailure(
                    "the step ended before storage operation \(number), so nothing crashed; it has \(count) of them")
            }
        case .isCancelled(let number):
            guard step.wasBefallen else {
                step.device?.storage.faults.removeInterruptions()
                throw StepFailure(
                    "the step ended before storage operation \(number), so nothing was cancelled; it has \(step.operationCount) of them")
            }
            try requireOrderlyEnd(ofCancelled: step)
        case .crashesAtEveryOperation, .losesPowerAtEveryOperation, .isCancelledAtEveryOperation: break
        case .succeeds:
            if let error = error(of: step) { throw StepFailure.unexpected(error) }
        case .fails(let expected):
            let error = error(of: step)
            guard let error, ScenarioErrorName(error) == expected else {
                throw StepFailure(
                    error.map { "failed with another error: \(ErrorText.of($0))" } ?? "succeeded, and should have failed",
                    expected: "fails \(expected.name)", actual: error.map { "fails \(ErrorText.name(of: $0))" } ?? "succeeds")
            }
        }
    }

    func error(of step: BegunStep) -> (any Error)? {
        if case .failure(let error) = step.operation?.result { return error }
        return step.lateError()
    }

    /// As ``awaitEnd(of:)``, and stops waiting for a process that the system suspends.
    /// - Returns: Whether it was suspended with the step unfinished.
    func awaitEndOrSuspension(of step: BegunStep) throws -> Bool {
        guard let operation = step.operation, let process = step.process, process.life.isAlive else { return false }
        _ = try simulation.run(
            until: { operation.isFinished || !process.life.isAlive || process.state == .suspended },
            deadline: simulation.now + .seconds(24 * 3600))
        guard !operation.isFinished, process.life.isAlive else { return false }
        if process.state == .suspended { return true }
        throw SimulationError.deadlock(at: simulation.now, operation: operation.name)
    }

    private func finish(_ operation: AppOperation<Void>, of step: BegunStep) throws {
        _ = try simulation.run(
            until: { operation.isFinished || step.process?.life.isAlive == false },
            deadline: simulation.now + .seconds(24 * 3600))
        guard operation.isFinished || step.process?.life.isAlive == false else {
            if let device = step.device, step.process?.state == .suspended {
                let isWidget = step.process === device.widget
                let name = isWidget ? "\(device.id) widget" : "\(device.id)"
                throw StepFailure(
                    "the system has suspended the \(isWidget ? "widget" : "app"): it goes on when it runs again, after `\(name) resume`")
            }
            throw SimulationError.deadlock(at: simulation.now, operation: operation.name)
        }
        if case .fails = step.outcome, step.operation?.result.isSuccess == true, step.lateError() == nil {
            _ = try simulation.run(until: { step.lateError() != nil }, deadline: simulation.now + .seconds(24 * 3600))
        }
    }
}

extension Optional where Wrapped == Result<Void, any Error> {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
