import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import Foundation
import LocalData

/// Looks at a device whose app was told that old master keys are retired: those that it was told of are gone, no other is, and nothing that was derived from one
/// stays in memory. None goes where keys use an App Group, whose other processes may have sealed something by it just now.
enum RetirementCheck {
    /// Where LocalData keeps the app's own master keys.
    private static let service = "com.localdata.keys"

    /// What the app was told, and what there is.
    struct Finding {
        /// How many old keys of its own the app was told were kept, and deleted.
        let kept: Int
        let retired: Int
        /// How many old keys its keychain has.
        let old: Int
        /// A key that the app has registered, and that lies where other processes of an App Group find it.
        var keyOfGroup: String?
        /// The master keys that keys in memory were derived from, and all that there are.
        var remembered: [String] = []
        var all: [String] = []

        /// What contradicts what, if something does.
        var contradiction: String? {
            if old != kept { return "was told that \(kept) old master keys of its own were kept, and its keychain has \(old) of them" }
            guard retired > 0 else { return nil }
            if let keyOfGroup {
                return
                    "has deleted \(retired) old master keys, although '\(keyOfGroup)' lies in an App Group, whose other processes may use them"
            }
            return remembered.allSatisfy(all.contains) ? nil : "has a key in memory that was derived from a master key that is gone"
        }
    }

    /// - Parameter observation: A step that retires keys, alone and carried out.
    static func check(_ observation: StepObservation, in run: ScenarioRun, _ keeper: InvariantChecker, step: Int) throws -> Violation? {
        guard case .data(let data) = observation.action, data.action == .retireKeys, case .done = observation.result,
            !observation.conditions.hasFaults, let device = run.simulation.device(data.device),
            let event = run.simulation.trace.events.last(where: { $0.kind == .retire && $0.device == data.device }),
            case .number(let all)? = event["kept"], case .number(let ofGroups)? = event["keptOfGroups"],
            case .number(let retired)? = event["retired"]
        else { return nil }
        // What the app's widget has made for itself the app cannot see.
        let widgets = AppPart.allCases.filter { $0 != .app }.map { $0.bundleIdentifier(ofApp: run.simulation.options.bundleIdentifier) }
        let stored = try device.storage.storedKeychainItems()
        let items = stored.filter { item in item.service == service && !widgets.contains { $0 == item.accessGroup } }
        guard let pointer = items.first(where: { $0.account == "primary" }) else { return nil }
        keeper.recorder?.looked(.rotation)
        let primary = String(decoding: pointer.data, as: UTF8.self)
        // One that was made to follow the primary key, by a rotation that was cut short, is not old.
        let old = items.filter { $0.account != "primary" && $0.account != primary && $0.generic != Data(primary.utf8) }
        let remembered = device.process.flatMap { DeviceLook().ask($0) { await $0.rememberedMasterKeys() } }
        let finding = Finding(
            kept: all - ofGroups, retired: retired, old: old.count, keyOfGroup: keyOfGroup(keeper, on: device, in: run),
            remembered: remembered ?? [], all: stored.map(\.account))
        return finding.contradiction.map {
            Violation(.rotation, device: data.device, step: step, explanation: ["the app on \(data.device) \($0)"])
        }
    }

    private static func keyOfGroup(_ keeper: InvariantChecker, on device: Device, in run: ScenarioRun) -> String? {
        // An app of the catalogue registers no catalog.
        guard let version = AppVersion(device.appVersion), run.scenario.start[device.id].app == nil else { return nil }
        let key = keeper.keys.first { key in
            switch key.domain {
            case .appGroupFileSystem, .appGroupUserDefaults:
                key.isCurrent && key.exists(in: version) && key.isAvailable(on: device.id) && !key.isUnlisted
                    && !keeper.refused.isRefused(key, on: device.id)
            case .userDefaults, .keychain, .fileSystem, .encryptedFileSystem: false
            }
        }
        return key?.reference.identifier
    }
}
