import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import LocalData

/// Which failures of an operation have a reason, from what is known of the device while it ran.
enum FailureReasons {
    static func explain(_ error: any Error, of step: DataStep, key: CheckedKey?, _ conditions: StepObservation.Conditions) -> Bool {
        if conditions.wasCancelled, error is CancellationError { return true }
        // A fault may show as anything.
        guard !conditions.hasFaults, let name = ScenarioErrorName(error) else { return conditions.hasFaults || error is ProcessEnded }
        switch name {
        case .storage(let code): return explain(code, of: step, key: key, conditions)
        // Also what is to be bound to a person waits for that one.
        case .migration(.deferred): return conditions.isLocked || key?.mayNeedPerson ?? true
        case .migration(.conflictingSources):
            if case .combined(_, .agreeing, _)? = key?.migration?.source { return true }
            return false
        case .migration(.transformFailed):
            // A sweep of all keys tells the first failure.
            guard let key else { return true }
            if case .transformed(_, .number)? = key.migration?.source { return true }
            return false
        case .migration: return false
        // The session's own errors are its rules; what LocalData must never be told is looked for in the trace.
        case .session: return true
        }
    }

    private static func explain(_ code: StorageError.Code, of step: DataStep, key: CheckedKey?, _ conditions: StepObservation.Conditions)
        -> Bool
    {
        switch code {
        case .notFound, .outOfRange, .notRegistered, .invalidKey, .invalidCatalog, .undecided, .encodingFailed, .unsupported: true
        case .superseded: key?.mayMeetNewerForm ?? true
        case .locked, .lockedBeforeFirstUnlock: conditions.isLocked
        case .authenticationRequired, .authenticationCancelled, .authenticationFailed, .invalidated:
            key?.mayNeedPerson ?? true
        case .phoneOnly: !step.device.isPhone
        case .watchOnly: step.device.isPhone
        // A suite of preferences is full long before the disk is.
        case .noSpace: conditions.lacksRoom || key?.isInPreferences == true
        case .providerMissing: key?.mayNeedProvider ?? true
        case .invalidSnapshot:
            if case .applyPayload = step.action { true } else { false }
        case .keyMissing: key.map { $0.isSealedByEachProcess || $0.isMadeOfSealedByEachProcess } == true
        case .wrongType: key?.mayMeetOtherType == true
        // A folder that the app gives by its path may be out of its reach, or none.
        case .accessDenied, .inputOutput: key?.mayBeOutOfReach == true
        case .unsupportedFormat, .corrupt: key?.mayLookSealed == true
        case .decryptionFailed, .undeclaredPolicy: false
        }
    }
}

extension CheckedKey {
    fileprivate var mayNeedPerson: Bool { dependsOnPerson || mayMeetPerson || mayAskForSource }
}

extension StepObservation.Conditions {
    /// Whether the device was locked at either end of the step, or its process began before the first unlock and still sees nothing (preferences).
    var isLocked: Bool { startedBeforeFirstUnlock || lockStates.contains { $0 != .unlocked } }
}
