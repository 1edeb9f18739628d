import DeviceSimCore
import DeviceSimLanguage

/// What a step means to a search: how it is drawn, what is simpler, what it does to a device, and what nobody is promised any more afterwards.
///
/// The tables below have no `default`. A new step does not compile until they say what it means; the generator's model, the simplifier and the
/// checks go by them.
struct StepTraits {
    let drawing: Drawing
    /// What it may be replaced by in a failing run because it is easier to understand, simplest first.
    var simpler: [ScenarioStep.Action] = []
    /// What becomes of the app's work on the device, or on both devices where the step has none.
    var work = Work.goesOn
    /// What may be gone from the device.
    var loss = Loss.nothing
    /// What a check may have concluded and can rely on no more.
    var doubts: Doubts = []
    /// What it does to the device.
    var effect: @Sendable (inout DeviceModel) -> Void = { _ in }

    enum Drawing: Hashable {
        /// In any run: it belongs to what apps do, or puts something right.
        case always
        /// In runs that have one of these kinds of faults.
        case under([FaultKind])
        /// In no run, for this reason. A file may have it: it counts as a fault of that kind then.
        case never(String, like: FaultKind? = nil)

        static func under(_ kinds: FaultKind...) -> Drawing { .under(kinds) }

        /// The kinds of faults that it belongs to.
        var faultKinds: Set<FaultKind> {
            switch self {
            case .always: []
            case .under(let kinds): Set(kinds)
            case .never(_, let kind): kind.map { [$0] } ?? []
            }
        }

        /// Whether a run with these kinds of faults may have such a step.
        func isAllowed(with kinds: Set<FaultKind>) -> Bool {
            switch self {
            case .always: true
            case .under(let own): own.contains(where: kinds.contains)
            case .never: false
            }
        }
    }

    /// What becomes of what an app has to do, such as sending its changes.
    enum Work: Hashable {
        case goesOn
        /// A process that is launched for it begins with all that there is to do.
        case beginsAnew
        /// It goes on if the app was told of the change, and is disturbed otherwise.
        case goesOnIfRoused
        /// Something may be left undone until the app is launched or syncs again.
        case isDisturbed
    }

    enum Loss: Hashable {
        case nothing
        /// What the processes and the system had in memory alone.
        case memory
        /// Also what was written and not made durable.
        case unsynchronized
        /// The app with its containers.
        case app
        /// What lies in the caches.
        case caches
        /// What only the enrolled person, or the passcode, opens.
        case boundToPerson
        /// Everything since a backup was made.
        case sinceBackup
    }

    /// Something that a check concludes from what apps were told, and goes by later. Of the step's device, unless it says otherwise.
    struct Doubts: OptionSet {
        let rawValue: Int

        /// Which forms of values lie there: a newer one, which the app was told of, may be gone.
        static let forms = Doubts(rawValue: 1 << 0)
        /// That what lies there is secured as declared.
        static let protection = Doubts(rawValue: 1 << 1)
        /// Which sync policies are chosen there.
        static let choices = Doubts(rawValue: 1 << 2)
        /// Under which name and policy a value lies: another version of the app may be there, or none.
        static let names = Doubts(rawValue: 1 << 3)
        /// Whether the watch has its app, where that comes and goes with the phone's.
        static let dependentApp = Doubts(rawValue: 1 << 4)
        /// All that the watch has: it may be erased.
        static let watch = Doubts(rawValue: 1 << 5)
        /// That the system still has what it could not deliver.
        static let undelivered = Doubts(rawValue: 1 << 6)
        /// That the app takes back at once what was switched off.
        static let takingBack = Doubts(rawValue: 1 << 7)
        /// That both devices are at rest, and in working order.
        static let rest = Doubts(rawValue: 1 << 8)
        /// That what LocalData knows of its sync is of its own making, on both devices.
        static let sync = Doubts(rawValue: 1 << 9)
        /// That there was room to note where values lie, and the notes are still there.
        static let notes = Doubts(rawValue: 1 << 10)
    }
}

extension ScenarioStep.Action {
    var traits: StepTraits {
        switch self {
        case .device(let step): step.traits
        case .link(let step): step.traits
        case .session(let step): step.traits
        case .transfer(let step): step.traits
        case .data(let step): step.traits
        case .fault(let step): step.traits
        case .time(let step): step.traits
        case .expect: StepTraits(drawing: .never("the invariants say what must hold"))
        case .together: StepTraits(drawing: .under(.together))
        }
    }
}

// MARK: Devices

extension DeviceStep {
    var traits: StepTraits {
        switch action {
        case .install: traits(.always, .isDisturbed) { $0.isInstalled = true }
        case .uninstall:
            traits(.under(.reinstall), .isDisturbed, .app) {
                $0.isInstalled = false
                $0.endProcesses()
            }
        case .launch: traits(.always, .beginsAnew) { $0.launch(inForeground: true) }
        case .launchInBackground: traits(.always, .beginsAnew, simpler: .launch) { $0.launch(inForeground: false) }
        case .relaunch(inBackground: true):
            traits(.under(.lifecycle), .beginsAnew, simpler: .relaunch(inBackground: false)) { $0.launch(inForeground: false) }
        case .relaunch(inBackground: false): traits(.always, .beginsAnew, simpler: .launch) { $0.launch(inForeground: true) }
        case .prewarm:
            traits(.under(.prewarming), .isDisturbed, simpler: .launchInBackground) {
                $0.isRunning = true
                $0.isInForeground = false
                $0.isPrewarmed = true
            }
        case .foreground: traits(.under(.lifecycle), .goesOn) { $0.launch(inForeground: true) }
        case .background: traits(.under(.lifecycle, .widget), .goesOn) { $0.launch(inForeground: false) }
        case .suspend: traits(.under(.lifecycle, .widget), .isDisturbed) { $0.suspend() }
        case .resume: traits(.always, .isDisturbed) { $0.isSuspended = false }
        case .terminate: traits(.under(.lifecycle, .prewarming), .isDisturbed) { $0.endApp() }
        case .swipeAway: traits(.never("it ends the app as `terminate` does"), .isDisturbed) { $0.endApp() }
        case .crash: traits(.under(.crash), .isDisturbed, simpler: .terminate) { $0.endApp() }
        case .update(let version):
            traits(.under(.update), .isDisturbed) {
                $0.version = version
                $0.endProcesses()
            }
        case .perform: traits(.never("the reference app has no actions of its own"), .isDisturbed)
        case .widget(.launch):
            traits(.under(.widget), .goesOn) {
                $0.hasWidget = true
                $0.isWidgetSuspended = false
            }
        case .widget(.suspend): traits(.under(.widget), .goesOn) { $0.suspendWidget() }
        case .widget(.resume): traits(.under(.widget), .goesOn) { $0.isWidgetSuspended = false }
        case .widget(.terminate), .widget(.crash): traits(.under(.widget), .goesOn) { $0.endWidget() }
        case .lockFile(let part, _): traits(.under(.widget), .goesOn) { $0.setLock(true, of: part) }
        case .unlockFile(let part, _): traits(.under(.widget), .goesOn) { $0.setLock(false, of: part) }
        case .powerOn: traits(.always, .isDisturbed) { $0.boot() }
        case .powerOff:
            traits(
                .never("`powerLoss` and `reboot` are drawn, which do the same and more", like: .power), .isDisturbed, .memory,
                simpler: .terminate
            ) {
                $0.isOn = false
                $0.endProcesses()
            }
        case .powerLoss:
            traits(.under(.power), .isDisturbed, .unsynchronized, simpler: .crash, .reboot) {
                $0.isOn = false
                $0.endProcesses()
            }
        case .reboot:
            traits(.under(.reboot, .prewarming), .isDisturbed, .memory, simpler: .terminate) {
                $0.endProcesses()
                $0.isLocked = true
                $0.isBeforeFirstUnlock = true
            }
        case .lock:
            traits(.under(.lock), .isDisturbed) {
                $0.isLocked = true
                $0.isInForeground = false
            }
        case .unlock:
            traits(.always, .goesOnIfRoused) {
                $0.isLocked = false
                $0.isBeforeFirstUnlock = false
            }
        case .setPasscode: traits(.never("a device has a passcode unless that was removed", like: .lock), .isDisturbed)
        case .removePasscode:
            traits(.never("what it takes away is gone for good, and promised to nobody", like: .lock), .isDisturbed, .boundToPerson)
        case .biometry: traits(.never("what it takes away is gone for good, and promised to nobody"), .isDisturbed, .boundToPerson)
        case .setClock: traits(.under(.clock), .goesOn)
        case .setFreeSpace(let count): traits(.under(.space), .isDisturbed, .caches) { $0.isFull = count != nil }
        case .purgeCaches: traits(.never("a full disk has the system purge the caches too"), .isDisturbed, .caches)
        case .backup: traits(.under(.backup), .goesOn) { $0.hasBackup = true }
        case .restore:
            traits(.under(.backup), .isDisturbed, .sinceBackup) {
                $0.endProcesses()
                $0.isInstalled = true
                $0.isLocked = true
                $0.isBeforeFirstUnlock = true
            }
        case .complication, .smartStack: traits(.never("no value that a key has depends on it"), .isDisturbed)
        case .watch(let change): traits(change.drawing, .isDisturbed) { $0.follow(change) }
        case .networkAnswers, .networkIsDown: traits(.never("LocalData asks no network"), .isDisturbed)
        }
    }

    private func traits(
        _ drawing: StepTraits.Drawing, _ work: StepTraits.Work, _ loss: StepTraits.Loss = .nothing, simpler: Action...,
        effect: @escaping @Sendable (inout DeviceModel) -> Void = { _ in }
    ) -> StepTraits {
        let steps = simpler.map { ScenarioStep.Action.device(DeviceStep(device, $0, outcome: $0.runsApp ? outcome : .succeeds)) }
        return StepTraits(drawing: drawing, simpler: steps, work: work, loss: loss, doubts: doubts, effect: effect)
    }

    private var doubts: StepTraits.Doubts {
        let disturbance: StepTraits.Doubts = [.rest, .takingBack]
        return switch action {
        case .launch, .relaunch, .foreground: []
        case .launchInBackground, .background: [.rest]
        case .update: disturbance.union([.forms, .protection, .names])
        case .install: disturbance.union([.forms, .protection, .names, .dependentApp])
        case .uninstall, .restore: disturbance.union([.forms, .protection, .names, .dependentApp, .choices])
        case .powerLoss: disturbance.union([.forms, .protection])
        case .purgeCaches: disturbance.union([.forms])
        case .setFreeSpace(.some): disturbance.union([.notes])
        case .prewarm, .suspend, .resume, .terminate, .swipeAway, .crash, .perform, .widget, .lockFile, .unlockFile, .powerOn, .powerOff,
            .reboot, .lock, .unlock, .setPasscode, .removePasscode, .biometry, .setClock, .setFreeSpace(nil), .backup, .complication,
            .watch, .smartStack, .networkAnswers, .networkIsDown:
            disturbance
        }
    }
}

extension WatchChange {
    fileprivate var drawing: StepTraits.Drawing {
        switch self {
        case .wristDown, .wristUp, .crown, .covered, .takenOff, .putOn, .starts, .ends: .under(.wrist)
        case .refreshes, .complicationLoads: .under(.waking)
        case .computes: .under(.waking)
        case .frontmostTime: .never("it moves when the app is suspended, which other steps do at any time")
        }
    }
}

// MARK: Between the devices, and time

extension LinkStep {
    var traits: StepTraits {
        switch self {
        case .up: StepTraits(drawing: .always, doubts: [.rest, .undelivered])
        case .down: StepTraits(drawing: .under(.link), doubts: [.rest, .undelivered])
        case .latency(let span):
            StepTraits(
                drawing: .under(.latency),
                simpler: span == .milliseconds(20) || span == .seconds(1) ? [] : [.link(.latency(.seconds(1)))], doubts: [.rest])
        case .pair, .unpair: StepTraits(drawing: .under(.pairing), work: .isDisturbed, doubts: [.rest, .undelivered, .watch])
        // A watch's backup has preferences, and not the file with the notes.
        case .pairFromBackup:
            StepTraits(drawing: .under(.pairing), work: .isDisturbed, doubts: [.rest, .undelivered, .watch, .notes])
        case .switchWatch: StepTraits(drawing: .under(.switching), doubts: [.rest, .undelivered])
        case .pairSecondWatch, .unpairSecondWatch:
            StepTraits(
                drawing: .never("a drawn second watch is paired from the beginning on", like: .switching),
                doubts: [.rest, .undelivered, .watch])
        }
    }
}

extension TimeStep {
    var traits: StepTraits {
        switch self {
        case .wait(let span):
            StepTraits(
                drawing: .always,
                simpler: [VirtualDuration.seconds(1), .seconds(10), .seconds(60)].filter { $0 < span }.map { .time(.wait($0)) }
                    + [.time(.settle(limit: nil))])
        case .at: StepTraits(drawing: .never("`wait` lets time pass whatever came before"))
        case .settle: StepTraits(drawing: .always)
        case .mark: StepTraits(drawing: .never("it is for expectations"))
        }
    }
}

// MARK: App code

extension SessionStep {
    var traits: StepTraits {
        switch action {
        case .sendMessage, .sendMessageData, .answersMessages: StepTraits(drawing: .under(.session), doubts: [.rest, .takingBack])
        case .updateContext: ownUse([.rest, .takingBack, .sync])
        case .activate, .activateWithoutDelegate, .releaseDelegate, .implements, .provides: ownUse([.rest, .takingBack])
        // It changes nothing of what the session does.
        case .observe: StepTraits(drawing: .always)
        }
    }
}

extension TransferStep {
    var traits: StepTraits {
        switch action {
        case .userInfo, .complication, .file, .cancel: StepTraits(drawing: .under(.session), doubts: [.takingBack])
        case .writeFile(let path, _):
            StepTraits(drawing: .under(.session), doubts: path.contains("/LocalData/") ? [.takingBack, .sync] : [.takingBack])
        case .receivedFiles, .refreshTasks, .crashesWhileReceiving: ownUse([.takingBack])
        }
    }
}

private func ownUse(_ doubts: StepTraits.Doubts) -> StepTraits {
    StepTraits(drawing: .never("it is the app's own use of the session, beside LocalData's"), work: .isDisturbed, doubts: doubts)
}

extension DataStep {
    var traits: StepTraits {
        switch action {
        case .set, .get, .remove, .exists, .migrate(.some), .sync, .syncNow, .requestSnapshot: StepTraits(drawing: .always, doubts: [.rest])
        case .observe, .audit, .register: StepTraits(drawing: .always, doubts: [.rest])
        case .plant: StepTraits(drawing: .always, doubts: [.rest, .protection])
        case .overrideSync: StepTraits(drawing: .under(.overrides), doubts: [.rest])
        case .clearOverrides: StepTraits(drawing: .never("choices are cleared one by one"), doubts: [.rest])
        case .migrate(nil): StepTraits(drawing: .never("single keys are migrated"), doubts: [.rest])
        case .reseal: StepTraits(drawing: .under(.update, .rotation), doubts: [.rest])
        case .retireKeysInQuiet:
            StepTraits(drawing: .never("a widget may run, and others of the App Group are not quiet then"), doubts: [.rest])
        case .rotateKeys, .rotateAndRetireKeys, .retireKeys, .planRotation: StepTraits(drawing: .under(.rotation), doubts: [.rest])
        case .takeSnapshot, .applySnapshot:
            StepTraits(drawing: .never("an old snapshot is one that lies: those are drawn as lies"), doubts: [.rest])
        case .applyPayload:
            StepTraits(drawing: .never("an old snapshot is one that lies: those are drawn as lies"), doubts: [.rest, .sync])
        }
    }
}

// MARK: Faults

extension FaultStep {
    var traits: StepTraits {
        switch action {
        case .disk(let operation, let trigger, let error):
            traits(.under(.disk), simpler: trigger.simpler.map { .disk(operation, $0, error) }) { $0.hasFaults = true }
        case .keychain(let operation, let trigger, let status):
            traits(.under(.keychain), simpler: trigger.simpler.map { .keychain(operation, $0, status) }) { $0.hasFaults = true }
        case .preferences(let operation, let trigger, let error):
            traits(
                .never("UserDefaults reports no errors on real devices"),
                simpler: trigger.simpler.map { .preferences(operation, $0, error) })
        case .clearDisk: traits(.under(.disk)) { $0.hasFaults = false }
        case .clearKeychain: traits(.under(.keychain)) { $0.hasFaults = false }
        case .clearPreferences: traits(.never("their faults are not drawn"))
        // What is lost is lost in the next step: the search puts a line `power loss` behind that.
        case .interruption(let kind, let number):
            traits(
                .never(
                    "a crash or a power loss is drawn as a step's outcome, and `--exhaustive` tries all",
                    like: kind == .crash ? .crash : .power),
                simpler: (1..<max(1, number)).map { .interruption(kind, atOperation: $0) })
        case .powerLossLeaves: traits(.never("the crash tests of the storage try all that a power loss may leave"))
        case .person: traits(.never("explored keys ask nobody to authenticate"))
        // Beside a secret that an app without LocalData has stored.
        case .damage(_, .attribute): traits(.always)
        case .damage: traits(.never("nothing is promised of bytes that somebody else changed"))
        case .link: traits(.never("names of one file are drawn with the keys"))
        case .lie: traits(.under(.lies))
        }
    }

    private func traits(
        _ drawing: StepTraits.Drawing, simpler: [Action] = [], effect: @escaping @Sendable (inout DeviceModel) -> Void = { _ in }
    ) -> StepTraits {
        StepTraits(
            drawing: drawing, simpler: simpler.map { .fault(FaultStep(device, $0)) }, work: .isDisturbed, doubts: doubts, effect: effect)
    }

    private var doubts: StepTraits.Doubts {
        switch action {
        case .disk: [.rest, .takingBack, .notes]
        case .damage: [.rest, .takingBack, .protection]
        case .keychain, .preferences, .link, .clearDisk, .clearKeychain, .clearPreferences, .powerLossLeaves, .person, .lie, .interruption:
            [.rest, .takingBack]
        }
    }
}

extension FaultTrigger {
    /// Once instead of always, and sooner.
    fileprivate var simpler: [FaultTrigger] {
        switch self {
        case .always(let number): [.once(number)]
        case .once(let number): (1..<max(1, number)).map { .once($0) }
        }
    }
}
