import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// Draws steps one after the other, such that most can be done.
struct StepGenerator {
    var random: SeededGenerator
    var values = ValueSource()
    let faultKinds: Set<FaultKind>
    /// The same in the order in which they are declared.
    private let orderedKinds: [FaultKind]
    let keys: [(reference: KeyReference, key: ScenarioKey)]
    var models = DeviceID.all.map { _ in DeviceModel() }
    var isLinkUp = true
    var isPaired = true
    /// The watch that is worn, where the phone has two; `nil` where it has one.
    private(set) var wornWatch: DeviceID?
    private let erasesWatch: Bool
    private let isDependentWatchApp: Bool
    private let diskIgnoresCase: Bool
    let versions: [AppVersion]
    /// Whether values are drawn that are too large to travel.
    private let drawsTooLarge: Bool
    /// Whether an update secures a value otherwise.
    private let changesPolicies: Bool
    /// What the app under test can be asked to do.
    private let actions: [AppActions.Action]
    /// What comes next, whatever is drawn.
    var queued: ScenarioStep.Action?

    /// A kind of step with how often it is drawn, against the others.
    private typealias Choice = (weight: Int, make: (inout StepGenerator) -> ScenarioStep.Action?)

    init(random: SeededGenerator, faultKinds: Set<FaultKind>, scenario: Scenario, actions: AppActions = AppActions()) {
        self.random = random
        self.actions = actions.all
        self.faultKinds = faultKinds
        orderedKinds = FaultKind.allCases.filter(faultKinds.contains)
        erasesWatch = scenario.knobs.unpairErasesWatch
        isDependentWatchApp = scenario.start.isDependentWatchApp
        wornWatch = scenario.start.watch2 == nil ? nil : .watch
        diskIgnoresCase = scenario.knobs.diskIgnoresCase
        versions = scenario.appVersions
        var coin = random.fork("too large")
        drawsTooLarge = coin.below(16) == 0
        keys = scenario.keys.enumerated().map { (KeyReference(index: $0, identifier: $1.identifier), $1) }
        changesPolicies = scenario.keys.contains { $0.isNewer && $0.changesPolicy(among: scenario.keys) }
    }

    // MARK: Drawing

    mutating func next() -> ScenarioStep.Action {
        if let action = queued {
            queued = nil
            follow(action)
            return action
        }
        for _ in 0..<8 {
            if let action = draw(choices()) {
                follow(action)
                return action
            }
        }
        return .time(.wait(.milliseconds(100)))
    }

    /// Takes a step into account that somebody else drew.
    mutating func follow(_ action: ScenarioStep.Action) {
        switch action {
        case .device(let step): models[step.device.place].follow(step)
        case .data(let step):
            if step.outcome.endsProcess, step.part == .widget { models[step.device.place].endWidget() }
            if step.outcome.endsProcess, step.part == .app { models[step.device.place].endApp() }
            if case .losesPower = step.outcome {
                models[step.device.place].isOn = false
                models[step.device.place].endApp()
                models[step.device.place].endWidget()
            }
        case .fault(let step):
            step.traits.effect(&models[step.device.place])
        case .link(let step): follow(step)
        case .together(let steps): for step in steps { follow(step.action) }
        case .session(let step): models[step.device.place].follow(step.outcome)
        case .transfer(let step): models[step.device.place].follow(step.outcome)
        case .expect, .time: break
        }
        guard isDependentWatchApp, isLinkUp, !models[DeviceID.phone.place].isInstalled else { return }
        models[DeviceID.watch.place].isInstalled = false
        models[DeviceID.watch.place].endProcesses()
    }

    private mutating func follow(_ step: LinkStep) {
        switch step {
        case .up: isLinkUp = true
        case .down: isLinkUp = false
        case .pair, .pairFromBackup:
            if !isPaired { setUpWatch() }
            isPaired = true
        case .unpair:
            isPaired = false
            if isLinkUp, erasesWatch {
                models[DeviceID.watch.place] = DeviceModel(isInstalled: false, isRunning: false, isInForeground: false)
            }
        // Of one watch nothing changes.
        case .switchWatch(let watch): wornWatch = wornWatch.map { _ in watch }
        case .latency, .pairSecondWatch, .unpairSecondWatch: break
        }
    }

    /// A watch that is paired begins anew, with the app installed and not running.
    private mutating func setUpWatch() {
        guard erasesWatch else { return }
        let isOn = models[DeviceID.watch.place].isOn
        models[DeviceID.watch.place] = DeviceModel(isOn: isOn, isRunning: false, isInForeground: false)
    }

    private mutating func draw(_ choices: [Choice]) -> ScenarioStep.Action? {
        let total = choices.reduce(0) { $0 + $1.weight }
        var place = random.below(total)
        for choice in choices {
            if place < choice.weight { return choice.make(&self) }
            place -= choice.weight
        }
        return nil
    }

    mutating func one<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[random.below(elements.count)]
    }

    /// One that something happens to. Where the phone has two watches, that is seldom the one that nobody wears.
    mutating func device() -> DeviceID {
        guard let wornWatch else { return random.below(2) == 0 ? .phone : .watch }
        switch random.below(6) {
        case 0, 1: return .phone
        case 2..<5: return wornWatch
        default: return wornWatch == .watch ? .watch2 : .watch
        }
    }

    func deviceModel(of device: DeviceID) -> DeviceModel { models[device.place] }

    // MARK: Choices

    private func choices() -> [Choice] {
        var choices: [Choice] = [
            (keys.isEmpty ? 0 : 40, { $0.data() }),
            (6, { $0.time() }),
            (keys.contains { !$0.key.isCurrent } ? 1 : 0, { $0.plant() }),
            (models.contains { !$0.canRunCode || $0.isLocked || $0.isSuspended } ? 16 : 0, { $0.recovery() }),
            (actions.isEmpty ? 0 : 40, { $0.appAction() }),
        ]
        for kind in orderedKinds {
            switch kind {
            case .link: choices.append((8, { .link($0.isLinkUp ? .down : .up) }))
            case .latency: choices.append((2, { .link(.latency(.milliseconds($0.one(of: [1, 20, 300, 3_000]) ?? 20))) }))
            case .lifecycle: choices.append((8, { $0.lifecycle() }))
            case .crash: choices.append((5, { generator in generator.on { _ in .crash } }))
            case .power: choices.append((3, { generator in generator.on { _ in .powerLoss } }))
            case .lock: choices.append((8, { $0.lock() }))
            case .reboot: choices.append((4, { generator in generator.on { _ in .reboot } }))
            case .disk: choices.append((6, { $0.disk() }))
            case .keychain: choices.append((6, { $0.keychain() }))
            case .space: choices.append((4, { generator in generator.on { .setFreeSpace($0.isFull ? nil : 0) } }))
            case .clock: choices.append((3, { $0.clock() }))
            case .reinstall: choices.append((4, { generator in generator.on { $0.isInstalled ? .uninstall : .install } }))
            case .pairing: choices.append((4, { $0.pairing() }))
            case .together: choices.append((10, { $0.together() }))
            case .waking:
                choices.append((4, { $0.request() }))
                choices.append((2, { _ in .device(DeviceStep(.watch, .watch(.refreshes))) }))
                choices.append((1, { _ in .device(DeviceStep(.watch, .watch(.complicationLoads))) }))
                choices.append((1, { $0.compute() }))
            case .backup: choices.append((4, { $0.backup() }))
            case .update:
                choices.append((versions.count > 2 ? 10 : 5, { $0.update() }))
                choices.append((changesPolicies ? 5 : 0, { $0.reseal() }))
            case .overrides: choices.append((3, { $0.override() }))
            case .lies: choices.append((5, { $0.lie() }))
            case .prewarming: choices.append((6, { $0.prewarm() }))
            case .wrist: choices.append((6, { $0.wrist() }))
            case .widget: choices.append((keys.contains { $0.key.isForWidget } ? 20 : 0, { $0.widget() }))
            case .switching:
                choices.append((wornWatch == nil ? 0 : 8, { $0.switching() }))
            case .duplicates, .unknowns, .rotation, .session, .cancellation: break
            }
        }
        return choices
    }

    /// The phone pairs, or ends that. A watch is paired that is near.
    private mutating func pairing() -> ScenarioStep.Action {
        for device in isPaired ? [DeviceID.phone] : [.phone, .watch] where !deviceModel(of: device).isOn {
            return .device(DeviceStep(device, .powerOn))
        }
        guard !isPaired else { return .link(.unpair) }
        return .link(!isLinkUp ? .up : random.below(4) == 0 ? .pairFromBackup : .pair)
    }

    private func switching() -> ScenarioStep.Action? {
        guard deviceModel(of: .phone).isOn else { return .device(DeviceStep(.phone, .powerOn)) }
        return wornWatch.map { .link(.switchWatch(to: $0 == .watch ? .watch2 : .watch)) }
    }

    mutating func on(_ action: (DeviceModel) -> DeviceStep.Action) -> ScenarioStep.Action? {
        let device = device()
        let model = deviceModel(of: device)
        let action = action(model)
        guard model.isOn || action == .powerOn else { return .device(DeviceStep(device, .powerOn)) }
        if case .crash = action, !model.isRunning { return nil }
        return .device(DeviceStep(device, action))
    }

    // MARK: Data

    private mutating func data() -> ScenarioStep.Action? {
        let device = device()
        guard deviceModel(of: device).canRunCode, let step = dataStep(on: device) else { return recovery() }
        return .data(step)
    }

    /// - Parameter key: The key that it is to be about, if it is about one.
    mutating func dataStep(on device: DeviceID, key wanted: KeyReference? = nil) -> DataStep? {
        let role: DeviceRole = device.isPhone ? .phone : .watch
        let usable = keys.filter {
            $0.key.availability.isAvailable(on: role) && $0.key.isCurrent && (wanted == nil || $0.reference == wanted)
                && $0.key.exists(in: deviceModel(of: device).version)
        }
        guard let (key, declared) = one(of: usable) else { return nil }
        let action: DataStep.Action?
        switch random.below(20) {
        case 0..<9: action = value(for: declared).map { .set(key, $0) }
        case 9..<13: action = .get(key)
        case 13..<16: action = .remove(key)
        case 16: action = .exists(key)
        case 17: action = declared.declaration?.migration == nil ? .sync : .migrate(key)
        default: action = .sync
        }
        guard let action else { return nil }
        return DataStep(device, action, outcome: outcome())
    }

    private mutating func value(for key: ScenarioKey) -> ScenarioValue? {
        guard drawsTooLarge, key.syncs, key.type == .string, random.below(3) == 0 else { return values.next(of: key.type) }
        return values.nextTooLarge()
    }

    /// What the widget does on the keys that it shares with the app.
    private mutating func widgetStep(on device: DeviceID, key wanted: KeyReference? = nil) -> DataStep? {
        let role: DeviceRole = device.isPhone ? .phone : .watch
        let usable = keys.filter {
            $0.key.isForWidget && $0.key.availability.isAvailable(on: role) && $0.key.isCurrent
                && (wanted == nil || $0.reference == wanted) && $0.key.exists(in: deviceModel(of: device).version)
        }
        guard let (key, declared) = one(of: usable) else { return nil }
        switch random.below(10) {
        case 0..<5: return values.next(of: declared.type).map { DataStep(device, in: .widget, .set(key, $0), outcome: outcome()) }
        case 5..<8: return DataStep(device, in: .widget, .get(key), outcome: outcome())
        case 8: return DataStep(device, in: .widget, .exists(key), outcome: outcome())
        default: return DataStep(device, in: .widget, .remove(key), outcome: outcome())
        }
    }

    private mutating func widget() -> ScenarioStep.Action? {
        let device = device()
        let model = deviceModel(of: device)
        guard model.isOn, model.isInstalled else { return recovery() }
        func change(_ change: DeviceStep.WidgetChange) -> ScenarioStep.Action { .device(DeviceStep(device, .widget(change))) }
        guard model.hasWidget else { return change(.launch) }
        guard !model.isWidgetSuspended else { return change(random.below(4) == 0 ? .terminate : .resume) }
        if model.holdsLock || model.widgetHoldsLock, random.below(2) == 0 {
            return .device(DeviceStep(device, unlockingOrSuspension(of: model.holdsLock ? .app : .widget, model)))
        }
        switch random.below(18) {
        case 0: return change(.suspend)
        case 1: return change(.terminate)
        case 2: return change(.crash)
        // As it mostly is when the system runs a widget.
        case 3 where model.isRunning && !model.isSuspended:
            return .device(DeviceStep(device, model.isInForeground ? .background : .suspend))
        // A database of the app's own, which both use. No value of LocalData's waits for it, or is lost where it kills who holds it.
        case 4, 5:
            let part: AppPart = model.canRunCode && random.below(2) == 0 ? .app : .widget
            queued = .device(DeviceStep(device, unlockingOrSuspension(of: part, model)))
            return .device(DeviceStep(device, .lockFile(part, Self.lockedFile)))
        default: return widgetStep(on: device).map { .data($0) }
        }
    }

    private static let lockedFile = "group.com.example/db.sqlite"

    /// What becomes of a process that holds a lock: it gives it back, or is to be suspended.
    private mutating func unlockingOrSuspension(of part: AppPart, _ model: DeviceModel) -> DeviceStep.Action {
        guard random.below(4) != 0 else { return .unlockFile(part, Self.lockedFile) }
        return part == .widget ? .widget(.suspend) : model.isInForeground ? .background : .suspend
    }

    mutating func outcome() -> StepOutcome {
        guard faultKinds.contains(.crash) || faultKinds.contains(.power), random.below(4) == 0 else { return .succeeds }
        let operation = 1 + random.below(random.below(2) == 0 ? 6 : 24)
        let isCrash = faultKinds.contains(.crash) && (!faultKinds.contains(.power) || random.below(2) == 0)
        return isCrash ? .crashes(atOperation: operation) : .losesPower(atOperation: operation)
    }

    // MARK: The app under test

    /// Somebody uses the app under test, as steps of the scenarios do. Before that it is opened.
    private mutating func appAction() -> ScenarioStep.Action? {
        let device = device()
        let model = deviceModel(of: device)
        guard model.canRunCode, !model.isLocked else { return recovery() }
        guard model.isInForeground else { return .device(DeviceStep(device, .launch)) }
        return appStep(on: device).map { .device($0) }
    }

    private mutating func appStep(on device: DeviceID) -> DeviceStep? {
        let own: DeviceID = device.isPhone ? .phone : .watch
        let model = deviceModel(of: device)
        // With a value that a step gives: another one is perhaps none that the app can be given.
        guard model.canRunCode, model.isInForeground, !model.isLocked, let action = one(of: actions.filter { $0.device == own }),
            let value = one(of: action.values)
        else { return nil }
        return DeviceStep(device, .perform(action.name, with: value), outcome: outcome())
    }

    /// Actions that begin at one instant, mostly on one device.
    private mutating func actionsTogether() -> ScenarioStep.Action? {
        let steps = (0..<(2 + random.below(2))).compactMap { _ in appStep(on: device()) }
        guard steps.count > 1 else { return nil }
        return .together(steps.map { .drawn(.device(DeviceStep($0.device, $0.action))) })
    }

    /// Steps that begin at one instant: mostly on one key of one device, read right afterwards.
    private mutating func together() -> ScenarioStep.Action? {
        guard !keys.isEmpty else { return actionsTogether() }
        var steps: [ScenarioStep] = []
        let meeting = random.below(4) != 0 ? device() : nil
        var key: KeyReference?
        for _ in 0..<(2 + random.below(3)) {
            let device = meeting ?? device()
            let step: DataStep?
            if faultKinds.contains(.widget), deviceModel(of: device).canRunWidget, random.below(2) == 0 {
                step = widgetStep(on: device, key: key)
            } else {
                step = deviceModel(of: device).canRunCode ? dataStep(on: device, key: key) : nil
            }
            guard let step else { continue }
            if meeting != nil { key = key ?? step.action.key }
            steps.append(.drawn(.data(step.with(outcome: .succeeds))))
        }
        guard steps.count > 1 else { return nil }
        if let meeting, let key, random.below(2) == 0 { queued = .data(DataStep(meeting, .get(key))) }
        return .together(steps)
    }

    /// An earlier version of the app leaves a value behind, be it that somebody went back to it for a while.
    private mutating func plant() -> ScenarioStep.Action? {
        // A file that another name of it leads to is the app's own by now.
        let old = keys.filter { old in
            !old.key.isCurrent && old.key.type == .string
                && !keys.contains {
                    $0.key.isCurrent
                        && ($0.key.mayBeOneFile(with: old.key, ignoringCase: diskIgnoresCase) || $0.key.isAtPlace(of: old.key))
                }
        }
        guard let (key, declared) = one(of: old),
            !keys.contains(where: { $0.key.makesNumber(of: key) }), let value = values.next(of: declared.type)
        else { return nil }
        return .data(DataStep(device(), .plant(key, value)))
    }

    /// A message that wakes the phone's app (W62).
    private mutating func request() -> ScenarioStep.Action? {
        deviceModel(of: .watch).canRunCode && !keys.isEmpty ? .data(DataStep(.watch, .requestSnapshot)) : nil
    }

    private mutating func time() -> ScenarioStep.Action? {
        random.below(4) == 0
            ? .time(.settle(limit: nil))
            : .time(.wait(one(of: [.milliseconds(1), .milliseconds(30), .milliseconds(500), .seconds(5), .seconds(30)]) ?? .zero))
    }
}
