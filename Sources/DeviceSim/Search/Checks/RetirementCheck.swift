import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import Foundation

/// Looks into the keychain when an app was told that old master keys are retired: those that it was told of are gone, and no other is.
enum RetirementCheck {
    /// Where LocalData keeps the app's own master keys.
    private static let service = "com.localdata.keys"

    /// - Parameter observation: A step that retires keys, alone and carried out.
    static func check(_ observation: StepObservation, in run: ScenarioRun, _ keeper: InvariantChecker, step: Int) throws -> Violation? {
        guard case .data(let data) = observation.action, data.action == .retireKeys, case .done = observation.result,
            !observation.conditions.hasFaults, let device = run.simulation.device(data.device),
            let event = run.simulation.trace.events.last(where: { $0.kind == .retire && $0.device == data.device }),
            case .number(let all)? = event["kept"], case .number(let ofGroups)? = event["keptOfGroups"]
        else { return nil }
        let kept = all - ofGroups
        // What the app's widget has made for itself the app cannot see.
        let widgets = AppPart.allCases.filter { $0 != .app }.map { $0.bundleIdentifier(ofApp: run.simulation.options.bundleIdentifier) }
        let items = try device.storage.storedKeychainItems().filter { item in
            item.service == service && !widgets.contains { $0 == item.accessGroup }
        }
        guard let pointer = items.first(where: { $0.account == "primary" }) else { return nil }
        keeper.recorder?.looked(.rotation)
        let primary = String(decoding: pointer.data, as: UTF8.self)
        // One that was made to follow the primary key, by a rotation that was cut short, is not old.
        let old = items.filter { $0.account != "primary" && $0.account != primary && $0.generic != Data(primary.utf8) }
        guard old.count != kept else { return nil }
        return Violation(
            .rotation, device: data.device, step: step,
            explanation: [
                "the app was told that \(kept) old master keys of its own were kept on \(data.device), and its keychain has \(old.count) of them"
            ])
    }
}
