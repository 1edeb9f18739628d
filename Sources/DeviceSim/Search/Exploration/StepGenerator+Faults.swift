import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// Steps that belong to a kind of fault.
extension StepGenerator {
    mutating func override() -> ScenarioStep.Action? {
        let device = device()
        let open = keys.filter {
            ($0.key.isCurrent && $0.key.syncs || $0.key.maySyncByChoice) && $0.key.exists(in: deviceModel(of: device).version)
        }
        guard deviceModel(of: device).canRunCode, let (key, declared) = one(of: open) else { return nil }
        guard !declared.syncs else {
            let policy = one(of: [nil, .never, .never, .manual] as [SyncPolicy?]) ?? nil
            return .data(DataStep(device, .overrideSync(key, policy), outcome: outcome()))
        }
        let policy = one(of: [nil, .never, .automaticSmall, .automaticSmall, .automaticSmall] as [SyncPolicy?]) ?? nil
        // A value travels where both devices want it.
        if policy == .automaticSmall, random.below(4) != 0 {
            queued = .data(DataStep(device.isPhone ? wornWatch ?? .watch : .phone, .overrideSync(key, policy)))
        }
        return .data(DataStep(device, .overrideSync(key, policy), outcome: outcome()))
    }

    /// To the next version as a rule, where there are several; to any other one at times: back, or past one.
    mutating func update() -> ScenarioStep.Action? {
        let device = device()
        let model = deviceModel(of: device)
        guard model.isOn else { return .device(DeviceStep(device, .powerOn)) }
        let others = versions.filter { $0 != model.version }
        var next = others.first { $0 > model.version }
        if versions.count > 2, next == nil || random.below(4) == 0 { next = one(of: others) }
        return .device(DeviceStep(device, .update(to: next ?? .first)))
    }

    /// What an app does after an update that changed how values are secured.
    mutating func reseal() -> ScenarioStep.Action? {
        let device = device()
        guard deviceModel(of: device).canRunCode else { return nil }
        let usable = keys.filter {
            $0.key.availability.isAvailable(on: device.isPhone ? .phone : .watch) && $0.key.isCurrent
                && $0.key.exists(in: deviceModel(of: device).version)
        }
        let key = random.below(4) == 0 ? one(of: usable)?.reference : nil
        return .data(DataStep(device, .reseal(key), outcome: outcome()))
    }

    /// What brings a device back that cannot run its app.
    mutating func recovery() -> ScenarioStep.Action? {
        let devices: [DeviceID] = wornWatch == nil ? [.phone, .watch] : DeviceID.all
        guard let device = one(of: devices.filter { !deviceModel(of: $0).canRunCode || deviceModel(of: $0).isLocked }) else { return nil }
        let model = deviceModel(of: device)
        let action: DeviceStep.Action
        if !model.isOn {
            action = .powerOn
        } else if model.isLocked && random.below(4) != 0 {
            action = .unlock
        } else if !model.isInstalled {
            action = .install
        } else if model.isSuspended {
            action = .resume
        } else if !model.isRunning || model.isPrewarmed {
            action = model.isLocked ? .launchInBackground : .launch
        } else {
            action = .unlock
        }
        return .device(DeviceStep(device, action, outcome: action.runsApp ? outcome() : .succeeds))
    }

    /// As often as not for longer than the system keeps the keys of a locked device.
    mutating func lock() -> ScenarioStep.Action? {
        let action = on { $0.isLocked ? .unlock : .lock }
        guard case .device(let step)? = action, step.action == .lock, random.below(2) == 0 else { return action }
        queued = .time(.wait(.seconds(30)))
        return action
    }

    mutating func lifecycle() -> ScenarioStep.Action? {
        let device = device()
        let model = deviceModel(of: device)
        guard model.isOn, model.isInstalled else { return recovery() }
        guard model.isRunning, !model.isPrewarmed else {
            return .device(DeviceStep(device, model.isLocked ? .launchInBackground : .launch))
        }
        var actions: [DeviceStep.Action] = [.terminate, .relaunch(inBackground: model.isLocked)]
        if model.isSuspended {
            actions.append(.resume)
        } else {
            actions += model.isInForeground ? [.background] : model.isInSession ? [] : [.suspend]
            if !model.isInForeground, !model.isLocked { actions.append(.foreground) }
        }
        return one(of: actions).map { .device(DeviceStep(device, $0)) }
    }

    /// Mostly after a restart, before the first unlock.
    mutating func prewarm() -> ScenarioStep.Action? {
        let model = deviceModel(of: .phone)
        guard model.isOn, model.isInstalled, !model.isPrewarmed else { return recovery() }
        if !model.isRunning { return .device(DeviceStep(.phone, .prewarm)) }
        queued = .device(DeviceStep(.phone, .prewarm))
        return .device(DeviceStep(.phone, random.below(4) == 0 ? .terminate : .reboot))
    }

    /// What a person does with a watch, in the midst of anything.
    mutating func wrist() -> ScenarioStep.Action? {
        let model = deviceModel(of: .watch)
        guard model.isOn else { return .device(DeviceStep(.watch, .powerOn)) }
        var changes: [WatchChange] = [.crown, .covered]
        changes += model.isWorn ? [.takenOff] : [.putOn, .putOn, .putOn]
        if model.isWorn { changes += model.isWristDown ? [.wristUp, .wristUp, .wristUp] : [.wristDown, .wristDown, .wristDown] }
        if model.canRunCode {
            if let session = model.session {
                changes.append(.ends(session))
            } else {
                changes += [.starts(.workout), .starts(one(of: BackgroundSession.allCases) ?? .workout)]
            }
        }
        return one(of: changes).map { .device(DeviceStep(.watch, .watch($0))) }
    }

    /// Of an app in the background that counts against what its tasks allow, where a knob says how much that is (W124).
    mutating func compute() -> ScenarioStep.Action? {
        let model = deviceModel(of: .watch)
        guard model.canRunCode, let span = one(of: [1, 3, 5, 20] as [Int64]) else { return nil }
        return .device(DeviceStep(.watch, .watch(.computes(.seconds(span)))))
    }

    mutating func disk() -> ScenarioStep.Action? {
        let device = device()
        if deviceModel(of: device).hasFaults, random.below(2) == 0 { return .fault(FaultStep(device, .clearDisk)) }
        guard let operation = one(of: FaultStep.DiskOperation.allCases), let number = one(of: [ErrnoName.EIO, .ENOSPC, .EACCES]) else {
            return nil
        }
        return .fault(FaultStep(device, .disk(operation, trigger(), number)))
    }

    mutating func keychain() -> ScenarioStep.Action? {
        let device = device()
        if deviceModel(of: device).hasFaults, random.below(2) == 0 { return .fault(FaultStep(device, .clearKeychain)) }
        guard let operation = one(of: FaultStep.KeychainOperation.allCases),
            let status = one(of: [KeychainStatusName.errSecIO, .errSecNotAvailable, .errSecInteractionNotAllowed])
        else { return nil }
        return .fault(FaultStep(device, .keychain(operation, trigger(), status.status)))
    }

    private mutating func trigger() -> FaultTrigger {
        let number = 1 + random.below(4)
        return random.below(4) == 0 ? .always(from: number) : .once(number)
    }

    /// A backup, or the return to the last one.
    mutating func backup() -> ScenarioStep.Action? {
        let device = device()
        let model = deviceModel(of: device)
        guard model.isOn else { return recovery() }
        let name = device.isPhone ? "monday" : "tuesday"
        if model.hasBackup, random.below(2) == 0 {
            return .device(DeviceStep(device, .restore(name: name, ontoNewHardware: bearsNewHardware && random.below(3) == 0)))
        }
        guard !model.isBeforeFirstUnlock else { return .device(DeviceStep(device, .unlock)) }
        return .device(DeviceStep(device, .backup(name: name, encrypted: random.below(2) == 0)))
    }

    /// Whether another phone or watch can hold what the keys declare, and be paired afterwards: the key of what is sealed does not come along.
    private var bearsNewHardware: Bool {
        faultKinds.contains(.pairing) && keys.allSatisfy { $0.key.declaration.map { $0.security == .none } ?? false }
    }

    mutating func lie() -> ScenarioStep.Action? {
        let device = device()
        guard let lie = one(of: CounterpartLie.allCases) else { return nil }
        // What starts an app behind the generator's back is another kind of fault.
        guard deviceModel(of: device).canRunCode, random.below(2) == 0 else { return .fault(FaultStep(device, .lie(lie))) }
        let carrier = one(of: device.isPhone ? [.message, .userInfo] : [.message, .userInfo, .nextReply]) ?? LieCarrier.message
        if carrier == .nextReply { queued = .data(DataStep(.watch, .requestSnapshot)) }
        return .fault(FaultStep(device, .lie(lie, by: carrier)))
    }

    mutating func clock() -> ScenarioStep.Action? {
        let ahead = VirtualDuration.seconds(one(of: [-86_400, -60, 0, 5, 3_600]) ?? 0)
        return .device(DeviceStep(device(), .setClock(ahead: ahead)))
    }
}
