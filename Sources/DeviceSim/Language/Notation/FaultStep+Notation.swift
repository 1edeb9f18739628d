import DeviceSimCore
import LocalData

extension FaultStep.Action {
    /// Without the device.
    var notation: String {
        switch self {
        case .disk(let operation, let trigger, let number): "disk fails \(trigger.notation(operation.rawValue)) with \(number.rawValue)"
        case .keychain(let operation, let trigger, let status):
            "keychain fails \(trigger.notation(operation.rawValue)) with \(KeychainStatusName(status)?.rawValue ?? "errSecIO")"
        case .clearDisk: "disk works"
        case .clearKeychain: "keychain works"
        case .preferences(let operation, let trigger, let number):
            "preferences fail \(trigger.notation(operation.rawValue)) with \(number.rawValue)"
        case .clearPreferences: "preferences work"
        case .powerLossLeaves(let remainder): "power loss leaves \(remainder.rawValue)"
        case .lie(let lie, .context): "is lied to about \(lie.rawValue)"
        case .lie(let lie, let carrier): "is lied to about \(lie.rawValue) by \(carrier.rawValue)"
        case .person(.away): "person is away"
        case .person(let answer): "person \(answer.rawValue)"
        case .link(let path, let destination): "disk links \(ScenarioValue.quoted(path)) to \(ScenarioValue.quoted(destination))"
        case .damage(let key, .flip): "damage \(key.identifier)"
        case .damage(let key, .truncate(let count)): "truncate \(key.identifier) to \(count.bytesNotation)"
        case .damage(let key, .copy(let source)): "copy \(source.identifier) over \(key.identifier)"
        case .damage(let key, .attribute(let text)): "overwrite attribute of \(key.identifier) with \(ScenarioValue.quoted(text))"
        case .damage(let key, .overwrite(let value)): "overwrite \(key.identifier) with \(value.notation)"
        }
    }
}

extension FaultTrigger {
    fileprivate func notation(_ operation: String) -> String {
        switch self {
        case .once(1): "next \(operation)"
        case .once(let number): "\(operation) \(number)"
        case .always(1): "every \(operation)"
        case .always(let number): "every \(operation) from \(number)"
        }
    }
}
