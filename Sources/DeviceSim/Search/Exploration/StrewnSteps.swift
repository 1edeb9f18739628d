import DeviceSimCore
import DeviceSimLanguage
import Foundation
import LocalData

/// Steps that are put between the drawn ones of some runs: rotations of keys and the app's own use of the session at any place, and behind a removal what
/// lets both devices forget it.
///
/// What is drawn beside them stays as it is, so a run without them is the run that it was before there were any.
struct StrewnSteps {
    /// The kinds of what is strewn over the run.
    var kinds: Set<FaultKind>
    /// Whether both devices exchange what they have after a removal, until both know it of each other.
    private let hasExchanges: Bool
    /// Whether devices ask each other for snapshots, and send although nothing is new, at any place.
    private let hasRequests: Bool
    /// Whether a device is restored twice, with a backup between.
    private let hasRestores: Bool
    /// The keys that code of the apps observes in this run, if it observes any.
    private let observable: [KeyReference]
    private var random: SeededGenerator
    private var requests: SeededGenerator
    private var observing: SeededGenerator
    /// Whether apps observe their sessions.
    private let isSessionObserved: Bool
    private var sessionObserving: SeededGenerator
    /// Whether apps audit what they have, at any place.
    private let hasAudits: Bool
    private var audits: SeededGenerator
    private var plans: SeededGenerator
    private var cancelling: SeededGenerator

    /// One run in so many rotates keys, of those that seal something.
    private static let rotationOdds = 5
    /// One run in so many uses the session beside LocalData.
    private static let sessionOdds = 8
    /// One run in so many has such exchanges.
    private static let exchangeOdds = 6
    /// One run in so many has such requests.
    private static let requestOdds = 5
    /// One run in so many observes keys, and one its sessions.
    private static let observingOdds = 6
    /// One run in so many has audits before its end.
    private static let auditOdds = 8
    /// One run in so many cancels tasks of the app's.
    private static let cancellingOdds = 8
    /// One run in so many that has backups restores twice.
    private static let restoreOdds = 3

    init(of scenario: Scenario, _ random: SeededGenerator) {
        var own = random.fork("strewn steps")
        var kinds: Set<FaultKind> = []
        let seals = scenario.keys.contains { key in
            if case .encrypted? = key.declaration?.security { true } else { false }
        }
        if own.below(Self.rotationOdds) == 0, seals { kinds.insert(.rotation) }
        if own.below(Self.sessionOdds) == 0 { kinds.insert(.session) }
        var cancelling = random.fork("strewn cancelling")
        if cancelling.below(Self.cancellingOdds) == 0 { kinds.insert(.cancellation) }
        self.cancelling = cancelling
        self.kinds = kinds
        hasExchanges = own.below(Self.exchangeOdds) == 0
        // Drawn of numbers of their own, since they came later.
        var requests = random.fork("strewn requests")
        hasRequests = requests.below(Self.requestOdds) == 0
        hasRestores = requests.below(Self.restoreOdds) == 0
        self.requests = requests
        var observing = random.fork("strewn observing")
        let isObserving = observing.below(Self.observingOdds) == 0
        observable =
            isObserving
            ? scenario.keys.indices.filter { scenario.keys[$0].isCurrent }.map {
                KeyReference(index: $0, identifier: scenario.keys[$0].identifier)
            } : []
        self.observing = observing
        var sessionObserving = random.fork("strewn session observing")
        isSessionObserved = sessionObserving.below(Self.observingOdds) == 0
        self.sessionObserving = sessionObserving
        var audits = random.fork("strewn audits")
        hasAudits = audits.below(Self.auditOdds) == 0
        self.audits = audits
        plans = random.fork("strewn plans")
        self.random = own
    }

    /// The steps with others between them.
    mutating func over(_ steps: [ScenarioStep], _ faultKinds: Set<FaultKind>) -> [ScenarioStep] {
        var steps = hasExchanges ? withExchanges(steps, faultKinds) : steps
        var made: [(step: [ScenarioStep.Action], isOrdered: Bool)] = []
        if kinds.contains(.rotation) {
            for _ in 0..<(1 + random.below(4)) { made.append((rotation(faultKinds), false)) }
        }
        if kinds.contains(.session) {
            for number in 1...(1 + random.below(6)) { made.append((use(number), true)) }
        }
        // In the order of their numbers, each behind the one before.
        var least = 0
        for (actions, isOrdered) in made {
            let from = isOrdered ? least : 0
            let place = from + random.below(steps.count - from + 1)
            steps.insert(contentsOf: actions.map { .drawn($0) }, at: place)
            if isOrdered { least = place + actions.count }
        }
        if hasRestores, faultKinds.contains(.backup) { steps = withRestores(steps) }
        if !observable.isEmpty { steps = withObserving(steps) }
        if isSessionObserved { steps = withSessionObserving(steps) }
        if hasAudits { steps = withAudits(steps) }
        if kinds.contains(.rotation) { steps = withPlans(steps) }
        if hasRequests { steps = withRequests(steps) }
        return kinds.contains(.cancellation) ? steps.map { withCancelledTask($0) } : steps
    }

    /// One step in four that uses values has its task cancelled: in the midst of its own work, or while it waits for what was begun before it.
    private mutating func withCancelledTask(_ step: ScenarioStep) -> ScenarioStep {
        switch step.action {
        case .together(let steps): return .drawn(.together(steps.map { withCancelledTask($0) }), phase: step.phase)
        case .data(let data) where data.outcome == .succeeds && data.action.isOfApp && cancelling.below(4) == 0:
            let operation = 1 + cancelling.below(cancelling.below(2) == 0 ? 4 : 16)
            return .drawn(.data(data.with(outcome: .isCancelled(atOperation: operation))), phase: step.phase)
        default: return step
        }
    }

    /// What the next operation would take up, or clear away, an audit finds as it lies: where code begins to run above all.
    private mutating func withAudits(_ steps: [ScenarioStep]) -> [ScenarioStep] {
        var steps = steps
        for _ in 0..<(1 + audits.below(3)) {
            let beginnings = steps.indices.filter { steps[$0].action.letsCodeRun != nil }
            if let place = beginnings.isEmpty || audits.below(3) == 0 ? nil : beginnings[audits.below(beginnings.count)],
                let device = steps[place].action.letsCodeRun
            {
                steps.insert(.drawn(.data(DataStep(device, .audit))), at: place + 1)
            } else {
                let device: DeviceID = audits.below(2) == 0 ? .phone : .watch
                steps.insert(.drawn(.data(DataStep(device, .audit))), at: audits.below(steps.count + 1))
            }
        }
        return steps
    }

    /// What is done with keys comes as it was planned: right before it an app asks for the plan, now and then.
    private mutating func withPlans(_ steps: [ScenarioStep]) -> [ScenarioStep] {
        steps.flatMap { step -> [ScenarioStep] in
            guard case .data(let data) = step.action, [.rotateKeys, .rotateAndRetireKeys, .retireKeys, .reseal(nil)].contains(data.action),
                plans.below(2) == 0
            else { return [step] }
            return [.drawn(.data(DataStep(data.device, .planRotation))), step]
        }
    }

    /// Code of the apps follows the changes of keys, and all that was ready has run now and then.
    private mutating func withObserving(_ steps: [ScenarioStep]) -> [ScenarioStep] {
        var steps = steps
        for _ in 0..<(1 + observing.below(4)) {
            let device: DeviceID = observing.below(2) == 0 ? .phone : .watch
            let key = observable[observing.below(observable.count)]
            let place = observing.below(steps.count + 1)
            let later = place + observing.below(steps.count + 1 - place)
            steps.insert(.drawn(.time(.wait(.milliseconds(100)))), at: later)
            steps.insert(.drawn(.data(DataStep(device, .observe(key)))), at: place)
        }
        return steps
    }

    /// Code of the apps observes their sessions, in this process and in some later one.
    private mutating func withSessionObserving(_ steps: [ScenarioStep]) -> [ScenarioStep] {
        var steps = steps
        for _ in 0..<(1 + sessionObserving.below(3)) {
            let device: DeviceID = sessionObserving.below(2) == 0 ? .phone : .watch
            steps.insert(.drawn(.session(SessionStep(device, .observe))), at: sessionObserving.below(steps.count + 1))
        }
        return steps
    }

    /// What comes by another way than a context: of a reply nobody says whether it arrives, and the context with the same content counts as outdated since.
    private mutating func withRequests(_ steps: [ScenarioStep]) -> [ScenarioStep] {
        var steps = steps
        for _ in 0..<(1 + requests.below(4)) {
            let device: DeviceID = requests.below(3) == 0 ? .phone : .watch
            let action: DataStep.Action = requests.below(3) == 0 ? .syncNow : .requestSnapshot
            steps.insert(.drawn(.data(DataStep(device, action))), at: requests.below(steps.count + 1))
        }
        return steps
    }

    /// A device goes back to what it was, is backed up, used, and goes back to that: what a restore leaves behind is in the second backup.
    private mutating func withRestores(_ steps: [ScenarioStep]) -> [ScenarioStep] {
        let device: DeviceID = requests.below(4) == 0 ? .watch : .phone
        let isEncrypted = requests.below(2) == 0
        func backup(_ name: String) -> ScenarioStep { .drawn(.device(DeviceStep(device, .backup(name: name, encrypted: isEncrypted)))) }
        func restore(_ name: String) -> [ScenarioStep] {
            // A real restore begins with a device that is erased: what does not fit is found out before.
            let steps: [DeviceStep.Action] = [.setFreeSpace(nil), .restore(name: name, ontoNewHardware: false), .unlock, .launch]
            return steps.map { .drawn(.device(DeviceStep(device, $0))) }
        }
        var places = (0..<3).map { _ in requests.below(steps.count + 1) }.sorted()
        var steps = steps
        steps.insert(contentsOf: restore("strewn2"), at: places.removeLast())
        steps.insert(backup("strewn2"), at: places.removeLast())
        steps.insert(contentsOf: [backup("strewn1")] + restore("strewn1"), at: places.removeLast())
        return steps
    }

    /// The devices sync in turns, behind a removal. Then perhaps one of them loses power, which takes the last sets of its preferences.
    private mutating func withExchanges(_ steps: [ScenarioStep], _ faultKinds: Set<FaultKind>) -> [ScenarioStep] {
        let removals = steps.indices.filter { steps[$0].action.isRemoval }
        guard !removals.isEmpty else { return steps }
        let place = removals[random.below(removals.count)]
        var exchange: [ScenarioStep.Action] = []
        let first = device()
        for round in 0..<(2 + random.below(5)) {
            let device = round.isMultiple(of: 2) ? first : (first == .phone ? .watch : .phone)
            exchange += [.time(.wait(.milliseconds(100))), .data(DataStep(device, .sync))]
        }
        exchange.append(.time(.wait(.milliseconds(100))))
        if faultKinds.contains(.power), random.below(2) == 0 {
            let device = device()
            exchange += [.powerLoss, .powerOn, .unlock, .launch].map { .device(DeviceStep(device, $0)) }
        }
        var before: [ScenarioStep.Action] = []
        // What lay there before is on the disk by then.
        if random.below(2) == 0 { before = [.time(.wait(.seconds(60)))] }
        return steps[..<place] + before.map { .drawn($0) } + [steps[place]] + exchange.map { .drawn($0) } + steps[(place + 1)...]
    }

    private mutating func device() -> DeviceID { random.below(2) == 0 ? .phone : .watch }

    private mutating func rotation(_ faultKinds: Set<FaultKind>) -> [ScenarioStep.Action] {
        let device = device()
        let action: DataStep.Action = [.rotateKeys, .rotateAndRetireKeys, .retireKeys, .reseal(nil)][random.below(4)]
        guard !faultKinds.isDisjoint(with: [.crash, .power]), random.below(3) == 0 else { return [.data(DataStep(device, action))] }
        let operation = 1 + random.below(random.below(2) == 0 ? 6 : 40)
        let isCrash = faultKinds.contains(.crash) && (!faultKinds.contains(.power) || random.below(2) == 0)
        let outcome: StepOutcome = isCrash ? .crashes(atOperation: operation) : .losesPower(atOperation: operation)
        let ended: [ScenarioStep.Action] = isCrash ? [] : [.device(DeviceStep(device, .powerOn)), .device(DeviceStep(device, .unlock))]
        return [.data(DataStep(device, action, outcome: outcome))] + ended + [.device(DeviceStep(device, .launch))]
    }

    /// What an app does with its session, under a label, so that nothing waits for what comes of it.
    private mutating func use(_ number: Int) -> [ScenarioStep.Action] {
        let device = device()
        let value = ScenarioValue.object(["own": .integer(Int64(number))])
        switch random.below(12) {
        case 0..<3: return [.session(SessionStep(device, .sendMessage(value, expectsReply: true, label: "m\(number)")))]
        case 3: return [.session(SessionStep(device, .sendMessage(value, expectsReply: false, label: "m\(number)")))]
        case 4:
            return [
                .session(
                    SessionStep(device, .sendMessageData(.data(Data([UInt8(number), 0, 7])), expectsReply: true, label: "m\(number)")))
            ]
        case 5: return [.session(SessionStep(device, .answersMessages(answer())))]
        case 6, 7: return [.transfer(TransferStep(device, .userInfo(value, label: "t\(number)")))]
        case 8: return [.transfer(TransferStep(.phone, .complication(value, label: "t\(number)")))]
        case 9:
            let transfer = TransferStep(device, .userInfo(value, label: "t\(number)"))
            return [.transfer(transfer), .transfer(TransferStep(device, .cancel("t\(number)")))]
        default:
            let path = "Documents/own\(number)"
            return [
                .transfer(TransferStep(device, .writeFile(path: path, .string(String(repeating: "own ", count: number))))),
                .transfer(TransferStep(device, .file(path: path, metadata: random.below(2) == 0 ? value : nil, label: "t\(number)"))),
            ]
        }
    }

    private mutating func answer() -> MessageAnswer {
        switch random.below(4) {
        case 0: .never
        case 1: .asReferenceApp
        case 2: .reply(.object(["own": .string("answer")]), after: .zero)
        default: .reply(.object(["own": .string("late")]), after: .seconds(5))
        }
    }
}

extension ScenarioStep.Action {
    fileprivate var isRemoval: Bool {
        if case .data(let step) = self, case .remove = step.action { true } else { false }
    }

    /// The device whose app runs from this step on, or may do more than before.
    var letsCodeRun: DeviceID? {
        guard case .device(let step) = self else { return nil }
        return switch step.action {
        case .launch, .launchInBackground, .prewarm, .unlock, .relaunch, .update: step.device
        default: nil
        }
    }
}
