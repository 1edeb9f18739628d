import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import Foundation
import LocalData

/// Looks at a device whose app was told that its master keys are rotated: the rotation is over, and what is registered is sealed by the new key.
enum RotationCheck {
    /// Where LocalData keeps master keys: those of the app itself, and behind a full stop those of an access group.
    private static let service = "com.localdata.keys"

    /// - Parameter observation: A step that rotates keys, alone and carried out.
    static func check(_ observation: StepObservation, in run: ScenarioRun, _ keeper: InvariantChecker, step: Int) throws -> Violation? {
        guard case .data(let data) = observation.action, [.rotateKeys, .rotateAndRetireKeys].contains(data.action),
            case .done = observation.result,
            let device = run.simulation.device(data.device), let version = AppVersion(device.appVersion)
        else { return nil }
        // An app of the catalogue registers no catalog: what is not registered is not sealed anew.
        guard run.scenario.start[data.device].app == nil else { return nil }
        func violation(_ key: CheckedKey?, _ fact: String) -> Violation {
            Violation(
                .rotation, key: key?.reference.identifier, device: device.id, step: step,
                explanation: ["the app was told that the master keys of \(device.id) are rotated, and \(fact)"])
        }
        // What the app's widget has made for itself the app cannot see.
        let widgets = AppPart.allCases.filter { $0 != .app }.map { $0.bundleIdentifier(ofApp: run.simulation.options.bundleIdentifier) }
        let isUnderWay = try device.storage.storedKeychainItems().contains { item in
            item.service == service && item.account == "primary" && item.generic?.isEmpty == false
                && !widgets.contains { $0 == item.accessGroup }
        }
        keeper.recorder?.looked(.rotation)
        if isUnderWay { return violation(nil, "its keychain says that the rotation is under way") }
        // The app was told as well that some of it can never be opened.
        let rotation = run.simulation.trace.events.last { $0.kind == .rotate && $0.device == device.id }
        if case .number(let failed)? = rotation?["failed"], failed > 0 { return nil }
        // What a key has sealed that stayed on other hardware nobody can seal anew.
        guard !keeper.isNewHardware.contains(data.device.place) else { return nil }
        for key in keeper.keys where key.isCurrent && key.exists(in: version) && key.isAvailable(on: device.id) {
            // What no catalog lists a rotation does not look for.
            guard !key.isUnlisted, !keeper.refused.isRefused(key, on: device.id), key.security.isSealed, !key.isSealedByEachProcess,
                !key.mayMeetOtherPolicy,
                !keeper.damaged.contains(key.reference.index)
            else { continue }
            let binding = run.binding(of: key.reference, on: device)
            let operation = device.inspect("look at \(key.reference.identifier)") { router in
                guard case .master(let id)? = try await router.sealingKey(of: binding.key) else { return true }
                return id == (try router.primaryMasterKey(of: binding.key))
            }
            try run.simulation.finish(operation)
            guard case .success(false)? = operation.result else { continue }
            return violation(key, "'\(key.reference.identifier)' is sealed by an older one")
        }
        return nil
    }
}
