import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// The end of a run: everything works again.
extension RunGenerator {
    /// Everything that was out of order is put right, and all apps run: what was written must now be on all devices. Of two watches each is worn in turn.
    /// - Parameter relaunches: Whether apps that run are launched anew. Those that do not are launched in any case: what they had in memory, such as a
    ///   cache that nobody told of a change, is then what people see.
    /// - Parameter updates: Whether both devices get the newer app.
    /// - Parameter switchedOn: The keys whose sync an app has chosen that declares none.
    /// - Parameter choice: What is chosen for those in the end; `nil`: nothing is done about them.
    /// - Parameter removesForms: Whether somebody lied about the forms of values: those are removed before anything else is set.
    func healing(
        _ faultKinds: Set<FaultKind>, _ base: Scenario, relaunches: Bool = true, updates: Bool = false, switchedOn: [KeyReference] = [],
        choice: SyncPolicy?? = nil, removesForms: Bool = false
    ) -> [ScenarioStep] {
        var actions: [ScenarioStep.Action] = [.link(.up)]
        let devices = base.start.watch2 == nil ? [DeviceID.phone, .watch] : DeviceID.all
        // Devices are paired that are on.
        if faultKinds.contains(.power) { actions += devices.map { .device(DeviceStep($0, .powerOn)) } }
        if faultKinds.contains(.pairing) { actions.append(.link(.pair)) }
        for device in devices {
            if !faultKinds.isDisjoint(with: [.reinstall, .backup]) { actions.append(.device(DeviceStep(device, .install))) }
            if faultKinds.contains(.disk) { actions.append(.fault(FaultStep(device, .clearDisk))) }
            if faultKinds.contains(.keychain) { actions.append(.fault(FaultStep(device, .clearKeychain))) }
            if base.failsPreferences { actions.append(.fault(FaultStep(device, .clearPreferences))) }
            if faultKinds.contains(.space) { actions.append(.device(DeviceStep(device, .setFreeSpace(nil)))) }
            if faultKinds.contains(.wrist), !device.isPhone { actions.append(.device(DeviceStep(device, .watch(.putOn)))) }
            if !faultKinds.isDisjoint(with: [.lock, .power, .reboot, .backup, .prewarming, .wrist]) {
                actions.append(.device(DeviceStep(device, .unlock)))
            }
            if updates { actions.append(.device(DeviceStep(device, .update(to: base.newestAppVersion)))) }
            actions.append(.device(DeviceStep(device, relaunches ? .relaunch(inBackground: false) : .launch)))
        }
        // What a phone did not notice it notices then (W25).
        if faultKinds.contains(.unknowns), !faultKinds.isDisjoint(with: [.reinstall, .pairing, .backup]) {
            actions += [.reboot, .unlock, .launch].map { .device(DeviceStep(.phone, $0)) }
        }
        let late = devices.flatMap { device in base.start[device].lateCatalogs.map { DataStep(device, .register($0)) } }
        // What came before they are registered is to be fetched then: the sync at the activation is over.
        let unlisted = base.keys.indices.filter { index in
            let key = base.keys[index]
            return key.isCurrent && key.isUnlisted && (key.syncs || switchedOn.contains { $0.index == index })
        }
        if !late.isEmpty || !unlisted.isEmpty { actions.append(.time(.settle(limit: nil))) }
        actions += late.map { .data($0) }
        // A name that no catalog has is known to a process that has used it.
        for device in devices {
            actions += unlisted.map { .data(DataStep(device, .get(KeyReference(index: $0, identifier: base.keys[$0].identifier)))) }
        }
        let overridden = faultKinds.contains(.overrides) ? base.keys.indices.filter { base.keys[$0].isCurrent && base.keys[$0].syncs } : []
        for device in devices {
            for index in overridden {
                let key = KeyReference(index: index, identifier: base.keys[index].identifier)
                actions.append(.data(DataStep(device, .overrideSync(key, nil))))
            }
        }
        if let choice {
            for device in devices {
                for key in switchedOn { actions.append(.data(DataStep(device, .overrideSync(key, choice)))) }
            }
        }
        actions.append(.time(.settle(limit: nil)))
        // An app that goes on running need not take up by itself what something kept it from.
        let goesOn = !relaunches && base.keys.contains { $0.isCurrent && $0.syncs }
        let syncsByHand =
            goesOn || !unlisted.isEmpty || !overridden.isEmpty || !switchedOn.isEmpty || base.keys.contains { $0.syncPolicy == .manual }
        if syncsByHand { actions += Self.synced(with: .watch) }
        if base.start.watch2 != nil {
            // What each watch has goes to the phone, and from there to the other one. A removal that a watch made of a value under its former name it tells of only
            // once it hears of that value, so what the first hears of last goes round once more.
            for watch in [DeviceID.watch2, .watch, .watch2, .watch, .watch2] {
                actions += [.link(.switchWatch(to: watch)), .time(.settle(limit: nil))]
                if syncsByHand { actions += Self.synced(with: watch) }
            }
        }
        if faultKinds.contains(.lies) {
            actions += honest(base, version: updates ? base.newestAppVersion : nil, removesForms: removesForms)
        }
        return actions.map { .drawn($0, phase: "Everything works again") }
    }

    private static func synced(with watch: DeviceID) -> [ScenarioStep.Action] {
        [.data(DataStep(.phone, .sync)), .data(DataStep(watch, .sync)), .time(.settle(limit: nil))]
    }

    /// The kinds of fault that a scenario's own steps make, which are to be put right as drawn ones are.
    static func faultKinds(of base: Scenario) -> Set<FaultKind> {
        var kinds = Set(base.steps.flatMap { $0.faultKinds })
        let devices = [base.start.phone, base.start.watch] + (base.start.watch2.map { [$0] } ?? [])
        let isOff = devices.contains { $0.condition != .unlocked }
        if isOff { kinds.formUnion([.power, .lock]) }
        if !base.start.isPaired { kinds.insert(.pairing) }
        if devices.contains(where: { !$0.isInstalled }) { kinds.insert(.reinstall) }
        return kinds
    }

    /// The keys that declare no sync and whose app chose one in these steps.
    static func switchedOn(in steps: [ScenarioStep], of base: Scenario) -> [KeyReference] {
        var found: Set<Int> = []
        for step in steps {
            guard case .data(let data) = step.action, case .overrideSync(let key, let policy?) = data.action, policy != .never else {
                continue
            }
            if base.keys[key.index].maySyncByChoice { found.insert(key.index) }
        }
        return found.sorted().map { KeyReference(index: $0, identifier: base.keys[$0].identifier) }
    }

    static func liesAboutForms(_ steps: [ScenarioStep]) -> Bool {
        steps.contains { step in
            if case .fault(let fault) = step.action, case .lie(.forms, _) = fault.action { true } else { false }
        }
    }

    /// Edits on either side, after lies: both devices must have each. A key of a type that has too few values to tell one edit by has none.
    /// - Parameter version: The app's on both devices; `nil` where it may be any. Keys that only some versions have are then left alone.
    /// - Parameter removesForms: Whether values are removed first. A form that nobody knows is kept as one of a newer version of the app, whose value only
    ///   a removal gives up.
    private func honest(_ base: Scenario, version: AppVersion?, removesForms: Bool) -> [ScenarioStep.Action] {
        let keys = base.keys.enumerated().map { (KeyReference(index: $0, identifier: $1.identifier), $1) }
            .filter { $1.isCurrent && $1.syncs && (version.map($1.exists) ?? !$1.dependsOnVersion) }
        var count = 100
        var actions: [ScenarioStep.Action] = [.time(.settle(limit: nil))]
        if removesForms {
            for device in [DeviceID.phone, .watch] { actions += keys.map { .data(DataStep(device, .remove($0.0))) } }
            if keys.contains(where: { $0.1.syncPolicy == .manual }) {
                actions += [.data(DataStep(.phone, .sync)), .data(DataStep(.watch, .sync))]
            }
            actions.append(.time(.settle(limit: nil)))
        }
        for device in [DeviceID.phone, .watch, .phone] {
            for (reference, key) in keys {
                // No value holds another, or one that was drawn: some are looked for where they must not be.
                count += 1
                guard let value = key.type.value("honest\(count)", 5_230_000 + count) else { continue }
                actions.append(.data(DataStep(device, .set(reference, value))))
            }
            if keys.contains(where: { $1.syncPolicy == .manual }) {
                actions += [.data(DataStep(.phone, .sync)), .data(DataStep(.watch, .sync))]
            }
            actions.append(.time(.settle(limit: nil)))
        }
        return actions
    }
}

extension Scenario {
    fileprivate var failsPreferences: Bool {
        steps.contains { step in
            if case .fault(let fault) = step.action, case .preferences = fault.action { true } else { false }
        }
    }
}

extension ScenarioStep {
    /// The kinds of fault that a search draws such steps under.
    fileprivate var faultKinds: Set<FaultKind> {
        var kinds = action.traits.drawing.faultKinds
        if case .together(let steps) = action { for step in steps { kinds.formUnion(step.faultKinds) } }
        switch outcome {
        case .losesPower, .losesPowerAtEveryOperation: kinds.insert(.power)
        case .crashes, .crashesAtEveryOperation: kinds.insert(.crash)
        case .isCancelled, .isCancelledAtEveryOperation: kinds.insert(.cancellation)
        case .succeeds, .fails, nil: break
        }
        return kinds
    }
}
