import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import LocalData

/// An operation that was refused has done nothing.
extension InvariantChecker {
    /// Takes back what a step was taken to have written, where its app was told beforehand that it cannot: of what fails on the way nobody knows how far it came.
    /// - Parameters:
    ///   - version: What the step began to write, alone.
    ///   - conditions: What the device was like. Where a lock came or went, or anything could fail on the way, the error says nothing.
    mutating func withdraw(_ version: Int, of data: DataStep, _ error: any Error, _ conditions: StepObservation.Conditions) {
        guard !conditions.hasFaults, !conditions.wasCancelled, !conditions.lacksRoom, conditions.lockStates.count == 1,
            let reference = data.action.written?.key, case .storage(let code)? = ScenarioErrorName(error), code.isRefusal
        else { return }
        if case .plant = data.action { return }
        histories[place(of: keys[reference.index], on: data.device)].withdraw(version)
    }
}

extension StorageError.Code {
    /// Whether it is told before anything is done.
    fileprivate var isRefusal: Bool {
        switch self {
        case .locked, .lockedBeforeFirstUnlock, .unsupported, .superseded, .notRegistered, .invalidKey, .encodingFailed, .phoneOnly,
            .watchOnly:
            true
        default: false
        }
    }
}
