import Foundation
import LocalData

extension ScenarioRun {
    func run(_ step: FaultStep) throws {
        let device = try device(step.device)
        switch step.action {
        case .disk(let operation, let trigger, let errno): device.storage.faults.addDiskFault(operation, trigger, errno: errno.number)
        case .keychain(let operation, let trigger, let status): device.storage.faults.addKeychainFault(operation, trigger, status: status)
        case .clearDisk: device.storage.faults.clearDisk()
        case .clearKeychain: device.storage.faults.clearKeychain()
        case .person(let answer): device.storage.authenticationAnswer = answer
        case .damage(let key, let damage): try apply(damage, to: key, on: device)
        }
    }

    /// Changes stored bytes behind LocalData's back.
    private func apply(_ damage: FaultStep.Damage, to key: KeyReference, on device: Device) throws {
        let target = keys[key].key
        let other: AnyStorageKey? = if case .copy(let source) = damage { keys[source].key } else { nil }
        let operation = device.inspect("damage \(key.identifier)") { router in
            let stored = try await router.storedBytes(of: other ?? target)
            guard var bytes = stored else { throw StepFailure("nothing is stored there that could be damaged") }
            switch damage {
            case .flip:
                guard let last = bytes.popLast() else { throw StepFailure("what is stored there is empty") }
                bytes.append(~last)
            case .truncate(let count): bytes = bytes.prefix(count)
            case .copy: break
            case .overwrite(let value):
                bytes =
                    switch value {
                    case .data(let data): data
                    case .string(let text): Data(text.utf8)
                    default: Data(value.notation.utf8)
                    }
            }
            try await router.overwriteStoredBytes(of: target, with: bytes)
        }
        try simulation.finish(operation)
        try operation.result?.get()
    }
}
