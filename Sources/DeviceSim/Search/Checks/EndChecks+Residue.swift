import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import Foundation
import LocalData

/// What is left of plain values that were removed.
extension EndChecks {
    /// A value that was removed lies nowhere any more, nor does a digest of it that tells it: where nothing went wrong in the whole run, and one version of the app
    /// alone has the key, at one place. What may stay otherwise is written down as open (GUARANTEES.md).
    func residue(_ keeper: InvariantChecker, _ stored: [StoredOnDevice]) throws -> Violation? {
        guard keeper.isUneventful, run.isInWorkingOrder else { return nil }
        for key in keeper.keys where keeper.mayLeaveNothing(key) {
            for device in keeper.devices {
                for value in keeper.removedValues(of: key, on: device) {
                    for needle in try needles(value, of: key) {
                        keeper.recorder?.looked(.removal)
                        // What syncs is removed on all devices, what does not on its own.
                        for one in stored where key.syncs || one.device.id == device {
                            guard let place = one.contents.places(containing: needle).first else { continue }
                            return Violation(
                                .removal, key: key.reference.identifier, device: one.device.id, step: stepCount,
                                explanation: [
                                    "\(value.notation) was removed from '\(key.reference.identifier)', and lies in \(place) of \(one.device.id)",
                                    "be it itself or a digest of it",
                                ], expectation: Expectation(.noPlaintext(one.device.id, key.reference)))
                        }
                    }
                }
            }
        }
        return nil
    }
}

extension InvariantChecker {
    /// Whether nothing of a plain value may be left once it is removed.
    fileprivate func mayLeaveNothing(_ key: CheckedKey) -> Bool {
        !key.isSecret && key.isCurrent && key.sources.isEmpty && key.otherNames.isEmpty && key.watchForm == nil && !key.isUnlisted
            && !key.isSharedWithWidget && !key.mayMeetNewerForm && !damaged.contains(key.reference.index)
            && !setByApp.contains(key.reference.index) && !oversized.contains(key.first)
            && !keys.contains { $0.sources.contains(key.reference) || $0.first == key.first && $0.reference != key.reference }
            && (!key.syncs || mayHaveConverged(key))
    }

    /// The values that a removal came after, which nobody wrote anything after or beside.
    fileprivate func removedValues(of key: CheckedKey, on device: DeviceID) -> [ScenarioValue] {
        let versions = histories[place(of: key, on: device)].versions
        guard let last = versions.last, last.value == nil, last.device != nil, versions.allSatisfy(\.isAcknowledged),
            versions.indices.dropLast().allSatisfy(last.past.contains)
        else { return [] }
        let others = writtenValues.filter { $0.key != key.reference.index }.flatMap(\.value).map(\.value)
        let elsewhere = devices.filter { $0 != device && !key.syncs }.flatMap {
            histories[place(of: key, on: $0)].versions.compactMap(\.value)
        }
        return versions.compactMap(\.value).filter { value in !(others + elsewhere).contains { $0.tells(value) } }
    }
}

extension StepObservation {
    /// Whether the step is one of those that apps and people make when nothing goes wrong, and went well.
    var isOrdinary: Bool {
        guard powerLosses.isEmpty, !conditions.hasFaults, !conditions.lacksRoom, !conditions.wasCancelled else { return false }
        switch result {
        case .done, .failed, .impossible: break
        case .ended: return false
        }
        switch action {
        case .time, .expect, .link(.up), .link(.down): return true
        case .data(let step):
            guard step.part == .app, !step.outcome.endsProcess else { return false }
            switch step.action {
            case .plant, .takeSnapshot, .applySnapshot, .applyPayload, .overrideSync, .clearOverrides: return false
            default: return true
            }
        case .device(let step):
            guard !step.outcome.endsProcess else { return false }
            switch step.action {
            case .launch, .launchInBackground, .relaunch, .foreground, .background, .lock, .unlock: return true
            case .install: return conditions.wasInstalled
            default: return false
            }
        case .fault(let step):
            switch step.action {
            case .clearDisk, .clearKeychain, .clearPreferences: return true
            default: return false
            }
        case .transfer(let step):
            guard case .writeFile(let path, _) = step.action else { return false }
            return !path.contains("/LocalData/")
        case .link, .session, .together: return false
        }
    }
}
