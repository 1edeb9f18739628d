import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData

extension ScenarioRun {
    func run(_ step: FaultStep) throws {
        let device = try device(step.device)
        switch step.action {
        case .disk(let operation, let trigger, let errno):
            add(StorageFault(operation.operations, trigger, failure: .errno(errno.number)), to: device)
        case .keychain(let operation, let trigger, let status):
            add(StorageFault(operation.operations, trigger, failure: .status(status)), to: device)
        case .preferences(let operation, let trigger, let errno):
            add(StorageFault(operation.operations, trigger, failure: .errno(errno.number)), to: device)
        case .clearPreferences: device.storage.faults.remove(of: StorageOperation.defaults)
        case .interruption(let kind, let number): arm(kind, on: device, atOperation: number)
        case .powerLossLeaves(let remainder): device.setPowerLossRemainder(remainder)
        case .link(let path, let destination):
            do {
                try device.storage.plantLink(at: path, to: destination)
            } catch let error as FileSystemError where error.errno == EEXIST {
                throw StepFailure("something lies at '\(path)' already, and a link is put only where nothing is")
            } catch let error as FileSystemError where error.errno == ENOENT || error.errno == ENOTDIR {
                throw StepFailure("there is no folder that '\(path)' could lie in")
            }
        case .clearDisk: device.storage.faults.remove(of: StorageOperation.files)
        case .clearKeychain: device.storage.faults.remove(of: StorageOperation.keychain)
        case .person(let answer): device.storage.authenticationAnswer = answer.answer
        case .lie(let lie, let carrier):
            let onReply = carrier == .nextReply ? noteFault() : {}
            guard device.daemon.receiveLie(lie, by: carrier, onReply: onReply) else {
                throw StepFailure("the counterpart has not said anything yet that could be falsified")
            }
        case .damage(let key, let damage): try apply(damage, to: key, on: device)
        }
    }

    private func add(_ fault: StorageFault, to device: Device) {
        device.storage.faults.add(fault, onTrigger: noteFault())
    }

    /// Notes that the current step sets a fault.
    /// - Returns: What to call when that is triggered.
    func noteFault() -> () -> Void {
        guard let current else { return {} }
        let number = faults.count
        faults.append((UntriggeredFault(current), false))
        return { [weak self] in self?.faults[number].isTriggered = true }
    }

    /// Changes stored bytes behind LocalData's back.
    private func apply(_ damage: FaultStep.Damage, to key: KeyReference, on device: Device) throws {
        let target = keys[key].key
        if case .attribute(let text) = damage {
            let operation = device.inspect("damage \(key.identifier)") { router in
                guard try await router.overwriteStoredAttribute(of: target, with: Data(text.utf8)) else {
                    throw StepFailure("no keychain item is stored there that could have an attribute")
                }
            }
            try simulation.finish(operation)
            return try operation.result?.get() ?? ()
        }
        let other: AnyStorageKey? = if case .copy(let source) = damage { keys[source].key } else { nil }
        let operation = device.inspect("damage \(key.identifier)") { router in
            let stored = try await router.storedBytes(of: other ?? target)
            guard var bytes = stored else { throw StepFailure("nothing is stored there that could be damaged") }
            switch damage {
            case .flip:
                guard let last = bytes.popLast() else { throw StepFailure("what is stored there is empty") }
                bytes.append(~last)
            case .truncate(let count): bytes = bytes.prefix(count)
            case .copy, .attribute: break
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

extension StorageFault {
    /// The fault that a scenario's words describe.
    fileprivate init(_ operations: Set<StorageOperation>, _ trigger: FaultTrigger, failure: Failure) {
        switch trigger {
        case .once(let number): self.init(operations, occurrence: number, failure: failure)
        case .always(let number): self.init(operations, occurrence: number, isPermanent: true, failure: failure)
        }
    }
}

extension FaultStep.DiskOperation {
    fileprivate var operations: Set<StorageOperation> {
        switch self {
        case .create: [.create]
        case .write: [.write]
        case .close: [.close]
        case .attributes: [.attributes]
        case .exclude: [.exclude]
        case .setAttribute: [.setAttribute]
        case .readAttribute: [.readAttribute]
        case .createDirectory: [.createDirectory]
        case .syncFile: [.synchronize]
        case .syncDirectory: [.synchronizeDirectory]
        case .sync: [.synchronize, .synchronizeDirectory]
        case .rename: [.rename]
        case .read: [.read]
        case .remove: [.remove]
        case .list: [.list]
        case .operation: StorageOperation.files
        }
    }
}

extension FaultStep.PreferencesOperation {
    fileprivate var operations: Set<StorageOperation> {
        switch self {
        case .read: [.defaultsRead]
        case .set: [.defaultsSet]
        case .list: [.defaultsKeys]
        case .sync: [.defaultsSynchronize]
        case .operation: StorageOperation.defaults
        }
    }
}

extension FaultStep.KeychainOperation {
    fileprivate var operations: Set<StorageOperation> {
        switch self {
        case .add: [.keychainAdd]
        case .read: [.keychainRead]
        case .update: [.keychainUpdate]
        case .delete: [.keychainDelete]
        case .operation: StorageOperation.keychain
        }
    }
}

extension FaultStep.PersonAnswer {
    fileprivate var answer: AuthenticationAnswer {
        switch self {
        case .authenticates: .succeeds
        case .fails: .fails
        case .cancels: .cancels
        case .away: .away
        }
    }
}
