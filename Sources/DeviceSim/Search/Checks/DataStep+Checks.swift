import DeviceSimCore
import DeviceSimLanguage

extension DeviceID {
    /// Where lists of devices have it.
    var place: Int { Int(index) }
}

extension ScenarioStep.Action {
    /// Whether devices that have all told each other of what they have did so still after such a step.
    var leavesExchanges: Bool {
        switch self {
        case .time, .expect, .link(.switchWatch): true
        case .data(let step): step.action.isSync || step.action.isRead
        case .together(let steps): steps.allSatisfy(\.action.leavesExchanges)
        default: false
        }
    }
}

extension DataStep.Action {
    fileprivate var isRead: Bool {
        switch self {
        case .get, .exists, .audit, .planRotation: true
        case .set, .plant, .remove, .observe, .migrate, .reseal, .rotateKeys, .rotateAndRetireKeys, .retireKeys, .retireKeysInQuiet,
            .register,
            .overrideSync, .clearOverrides, .sync, .syncNow, .requestSnapshot, .takeSnapshot, .applySnapshot, .applyPayload:
            false
        }
    }

    /// The key and value that the step writes; `nil` as value is a removal.
    var written: (key: KeyReference, value: ScenarioValue?)? {
        switch self {
        case .set(let key, let value), .plant(let key, let value): (key, value)
        case .remove(let key): (key, nil)
        case .get, .exists, .observe, .migrate, .reseal, .rotateKeys, .rotateAndRetireKeys, .retireKeys, .retireKeysInQuiet, .planRotation,
            .audit, .register, .overrideSync,
            .clearOverrides, .sync, .syncNow, .requestSnapshot, .takeSnapshot, .applySnapshot, .applyPayload:
            nil
        }
    }

    var key: KeyReference? {
        switch self {
        case .set(let key, _), .plant(let key, _), .get(let key), .remove(let key), .exists(let key), .observe(let key),
            .overrideSync(let key, _):
            key
        case .migrate(let key), .reseal(let key): key
        case .rotateKeys, .rotateAndRetireKeys, .retireKeys, .retireKeysInQuiet, .planRotation, .audit, .register, .clearOverrides, .sync,
            .syncNow, .requestSnapshot, .takeSnapshot,
            .applySnapshot, .applyPayload:
            nil
        }
    }

    /// Whether it is the app's own work, and not what an earlier one, or the counterpart, has left.
    var isOfApp: Bool {
        switch self {
        case .plant, .applyPayload: false
        case .set, .get, .remove, .exists, .observe, .migrate, .reseal, .rotateKeys, .rotateAndRetireKeys, .retireKeys, .retireKeysInQuiet,
            .planRotation, .audit, .register, .overrideSync, .clearOverrides, .sync, .syncNow, .requestSnapshot, .takeSnapshot,
            .applySnapshot:
            true
        }
    }

    /// Whether the app brings itself together with its counterpart.
    var isSync: Bool { self == .sync || self == .syncNow }
}
