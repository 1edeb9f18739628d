import DeviceSimCore
import DeviceSimLanguage
import LocalData

/// Draws whole runs: which keys, which kinds of fault, which steps, which order, and the healing at the end.
struct RunGenerator: Sendable {
    let world: SearchSpace
    let seed: UInt64
    /// At most this many steps are drawn for a run, the healing not counted.
    let maximumSteps: Int
    let strategies: [OrderStrategy]
    /// What may be drawn; `nil`: all kinds, but for those that the app under test is not asked to bear.
    var allowed: Set<FaultKind>?

    /// The run of that number. Depends on nothing but the generator and the number, so any shard can draw any run.
    func draw(_ index: Int) -> GeneratedRun {
        var random = SeededGenerator(seed: seed).fork("run \(index)")
        let strategy = strategies.isEmpty ? .fifo : strategies[random.below(strategies.count)]
        // Which keys a run is about is drawn before what befalls them, except that few are a widget's.
        var widgets = random.fork("more widgets")
        let isOfMore = widgets.below(Self.moreWidgetOdds) == 0
        let hasWidget = (random.below(Self.widgetOdds) == 0 || isOfMore) && allows(.widget)
        if world.isOfOwnCode { return drawOfOwnCode(index, strategy, &random) }
        let drawn = withSecondWatch(drawKeys(&random, hasWidget: hasWidget).onFittingDisks, random.fork("second watch"))
        let hasVersions = drawn.keys.contains { $0.dependsOnVersion }
        var strewn = StrewnSteps(of: drawn, random)
        var focused = FocusedFaults(of: drawn, random)
        var silences = FocusedSilences(of: drawn, random)
        var unlocks = FocusedUnlocks(of: drawn, random)
        var glances = FocusedWidgets(of: drawn, hasWidget: hasWidget, random)
        if let allowed {
            strewn.kinds.formIntersection(allowed)
            focused.keep(within: allowed)
            // Versions are the keys' own.
            silences.keep(within: allowed.union([.update]))
            unlocks.keep(within: allowed)
            glances.keep(within: allowed)
        }
        let focusedKinds = focused.kinds.union(silences.kinds).union(unlocks.kinds).union(glances.kinds)
        let calm = CalmDays(of: drawn, random.fork("calm days"))
        let isPaced = isPaced(drawn, random.fork("pace"))
        var drawnKinds = drawFaultKinds(of: drawn, hasWidget: hasWidget, counts: isPaced ? Self.fewKinds : Self.kindCounts, &random)
            .union(strewn.kinds)
        if calm.isOn { drawnKinds.formIntersection(CalmDays.kinds) }
        let started = drawStart(of: drawn, drawnKinds, random.fork("start"))
        let base = LateCatalogs.drawn(for: CatalogChoice.drawn(for: started, random.fork("catalogs")), random.fork("late catalogs"))
        var generator = StepGenerator(random: random.fork("steps"), faultKinds: drawnKinds, scenario: base, actions: world.actions)
        var steps = planted(base, &random)
        if hasVersions { steps += updated(drawn.appVersions, &generator, &random) }
        let drawnCount = 3 + random.below(max(1, maximumSteps - 2))
        // With those of its own a run is as long as the others.
        let count = focusedKinds.isEmpty ? drawnCount : (drawnCount + 1) / 2
        if base.steps.contains(where: { !$0.action.isTime }) {
            steps += varied(base.steps, count: count, &generator, &random)
        } else {
            for _ in 0..<count {
                steps.append(.drawn(generator.next()))
                if isPaced { steps.append(.drawn(.time(.settle(limit: nil)))) }
            }
        }
        steps = calm.isOn ? calm.over(steps) : glances.over(unlocks.over(silences.over(focused.over(strewn.over(steps, drawnKinds)))))
        let faultKinds = calm.isOn ? drawnKinds : drawnKinds.union(focusedKinds)
        steps = GivenNames.settled(in: LateCatalogs.registered(in: steps, of: base, random.fork("late registrations")))
        // What is under way arrives in the midst of it all as often as afterwards.
        if random.below(2) == 0 { steps.append(.drawn(.time(.settle(limit: nil)))) }
        // Mostly both devices have the newer app in the end; what is then to be the same is more.
        // What was chosen to travel goes on to do so as it is, is chosen once more, or is not any more.
        let switchedOn = Self.switchedOn(in: steps, of: base)
        let choice: SyncPolicy?? = switchedOn.isEmpty ? nil : [nil, .some(.automaticSmall), .some(nil)][random.below(3)]
        steps += healing(
            faultKinds.union(Self.faultKinds(of: base)), base, relaunches: random.below(3) != 0,
            updates: hasVersions && random.below(4) != 0, switchedOn: switchedOn, choice: choice, removesForms: Self.liesAboutForms(steps))
        let knobs = drawKnobs(faultKinds, base, steps, &random)
        let scenario = base.keeping(steps: steps, order: order(strategy, &random), seed: random.next() & 0xFFFF_FFFF, knobs: knobs)
        return GeneratedRun(
            index: index, scenario: scenario, faultKinds: FaultKind.allCases.filter(faultKinds.contains),
            strategy: strategy)
    }

    /// The knobs of a run over the scenario that has these steps.
    private func drawKnobs(_ faultKinds: Set<FaultKind>, _ base: Scenario, _ steps: [ScenarioStep], _ random: inout SeededGenerator)
        -> Knobs
    {
        var knobs = base.knobs
        if faultKinds.contains(.duplicates) { knobs.duplicateContexts = true }
        if !faultKinds.contains(.waking) {
            // What is drawn goes by a model of which apps run, which is wrong where one is started or suspended behind its back (W110, W71).
            knobs.wakesWatchForTransfers = false
            knobs.phoneWakeLimit = .seconds(24 * 3600)
        }
        if faultKinds.contains(.unknowns) { KnobVariation.vary(&knobs, &random) }
        // What comes and goes every few seconds is a great many events in days, be it that somebody waits or that something is on its way for so long.
        if steps.contains(where: { ($0.action.span ?? .zero) >= .seconds(24 * 3600) }) {
            knobs.reachabilityFlapAfter = base.knobs.reachabilityFlapAfter
        }
        if !faultKinds.contains(.waking) { knobs.wakesPhoneForContexts = base.knobs.wakesPhoneForContexts }
        // An app asks where its container is and makes such a path anew; a declaration has one for good.
        if base.keys.contains(where: { $0.declaration?.domain.isFileByPath ?? false }) { knobs.containerPathChangesOnReinstall = false }
        return knobs
    }

    /// Whether that kind may be drawn.
    private func allows(_ kind: FaultKind) -> Bool { allowed?.contains(kind) ?? true }

    /// A run over an app that does not use LocalData: what it can be asked to do, drawn anew or between the scenario's own steps, and what befalls the devices.
    private func drawOfOwnCode(_ index: Int, _ strategy: OrderStrategy, _ random: inout SeededGenerator) -> GeneratedRun {
        let base = world.base
        let faultKinds = drawFaultKinds(of: base, hasWidget: false, counts: Self.kindCounts, &random)
        var generator = StepGenerator(random: random.fork("steps"), faultKinds: faultKinds, scenario: base, actions: world.actions)
        let count = 3 + random.below(max(1, maximumSteps - 2))
        var steps: [ScenarioStep]
        if world.actions.all.isEmpty || random.below(2) == 0 {
            steps = varied(base.steps, count: count, &generator, &random)
        } else {
            steps = (0..<count).map { _ in .drawn(generator.next()) }
        }
        if random.below(2) == 0 { steps.append(.drawn(.time(.settle(limit: nil)))) }
        steps += healing(faultKinds.union(Self.faultKinds(of: base)), base, relaunches: random.below(3) == 0)
        let knobs = drawKnobs(faultKinds, base, steps, &random)
        let scenario = base.keeping(steps: steps, order: order(strategy, &random), seed: random.next() & 0xFFFF_FFFF, knobs: knobs)
        return GeneratedRun(
            index: index, scenario: scenario, faultKinds: FaultKind.allCases.filter(faultKinds.contains), strategy: strategy)
    }

    /// The run of that number with the steps of the search space's scenario as they stand, and the healing behind them: what somebody wrote down leads where it
    /// was meant to lead. Of a step that is to be tried with a crash before each of its operations one is drawn.
    func unvaried(_ index: Int) -> GeneratedRun {
        var random = SeededGenerator(seed: seed).fork("run \(index)")
        let base = world.base
        let kinds = Self.faultKinds(of: base)
        let steps = base.steps.map { $0.withOneOperation(&random) }
        let ending = ending(of: steps, kinds)
        let drawn = random.next() & 0xFFFF_FFFF
        let scenario = base.keeping(steps: steps + ending, seed: base.seed ?? drawn)
        return GeneratedRun(index: index, scenario: scenario, faultKinds: FaultKind.allCases.filter(kinds.contains), strategy: .fifo)
    }

    /// What puts everything right behind steps of the search space's scenario that are made as they stand.
    func ending(of steps: [ScenarioStep], _ kinds: Set<FaultKind>) -> [ScenarioStep] {
        let base = world.base
        return healing(
            kinds, base, updates: base.keys.contains { $0.dependsOnVersion }, switchedOn: Self.switchedOn(in: steps, of: base),
            removesForms: Self.liesAboutForms(steps))
    }

    /// How many kinds of fault a run has, each as often as the others. Most runs have few, however many kinds there are: what needs one or two
    /// of them is drowned by the rest. Some are large: more comes together in them than anybody thinks of.
    private static let kindCounts = [0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 11, 14]

    private static let fewKinds = [0, 1, 1, 1, 2, 2, 3]

    /// Whether the devices come to rest after each step, as in most people's days. What goes wrong then is one device's updates against the other's edits, and
    /// not a race: of chains of versions half the runs are so, since it takes several edits that are known on both sides.
    private func isPaced(_ drawn: Scenario, _ random: SeededGenerator) -> Bool {
        var random = random
        return drawn.appVersions.count > 2 && world.hasRareKeys && random.below(2) == 0
    }

    /// One run in so many has a widget.
    private static let widgetOdds = 8

    /// And of the others one in so many: a fifth of all.
    private static let moreWidgetOdds = 12

    /// One run in so many with a reinstallation has a watch app that cannot be without that of the phone (W120).
    private static let dependentOdds = 4

    /// One run in so many, of those that sync, has a phone with two watches.
    private static let secondWatchOdds = 12

    private func withSecondWatch(_ base: Scenario, _ random: SeededGenerator) -> Scenario {
        var random = random
        guard world.hasRareKeys, allows(.switching), base.start.watch2 == nil, base.keys.contains(where: { $0.isCurrent && $0.syncs }),
            random.below(Self.secondWatchOdds) == 0
        else { return base }
        var start = base.start
        start.watch2 = start.watch
        return base.keeping(steps: base.steps, start: start)
    }

    private func drawStart(of base: Scenario, _ faultKinds: Set<FaultKind>, _ random: SeededGenerator) -> Scenario {
        var random = random
        guard faultKinds.contains(.reinstall), random.below(Self.dependentOdds) == 0 else { return base }
        var start = base.start
        start.isDependentWatchApp = true
        return base.keeping(steps: base.steps, start: start)
    }

    private func drawFaultKinds(of base: Scenario, hasWidget: Bool, counts: [Int], _ random: inout SeededGenerator) -> Set<FaultKind> {
        let syncs = base.keys.contains { $0.isCurrent && $0.syncs }
        var left = FaultKind.allCases.filter { kind in
            switch kind {
            case .update, .widget, .rotation, .session, .switching, .cancellation: false
            case _ where world.isOfOwnCode && allowed == nil && !FaultKind.borneByAnyApp.contains(kind): false
            case .duplicates: syncs || world.isOfOwnCode
            case .lies: syncs
            case .overrides: syncs || base.keys.contains(where: \.maySyncByChoice)
            default: true
            }
        }.filter(allows)
        var faultKinds: Set<FaultKind> = base.keys.contains { $0.dependsOnVersion } ? [.update] : []
        if hasWidget, base.keys.contains(where: { $0.isCurrent && $0.isForWidget }) { faultKinds.insert(.widget) }
        if base.start.watch2 != nil { faultKinds.insert(.switching) }
        for _ in 0..<counts[random.below(counts.count)] where !left.isEmpty {
            var place = random.below(left.reduce(0) { $0 + $1.weight })
            for (index, kind) in left.enumerated() {
                place -= kind.weight
                guard place < 0 else { continue }
                faultKinds.insert(left.remove(at: index))
                break
            }
        }
        return faultKinds
    }

    /// How many keys a run is about: a race between few is met sooner.
    private static let keyCounts = [1, 1, 2, 3, 4]

    /// One run in so many has one of the keys that are drawn beside the others.
    private static let rareKeyOdds = 4

    /// One run in so many is about one value that each of several versions of the app keeps elsewhere.
    private static let chainOdds = 8

    /// One of the others in so many is about values that a later version makes one of.
    private static let jointOdds = 16

    /// - Parameter hasWidget: Whether one of the keys is to be one that a widget shares with the app.
    private func drawKeys(_ random: inout SeededGenerator, hasWidget: Bool) -> Scenario {
        let base = world.base
        func indices(of names: Set<String>) -> [Int] {
            world.hasRareKeys ? base.keys.indices.filter { names.contains(base.keys[$0].identifier) } : []
        }
        let rare = indices(of: SearchSpace.rare)
        let companions = indices(of: Set(SearchSpace.companions.values))
        let secrets = indices(of: SearchSpace.sharedSecrets)
        var left = base.keys.indices.filter { index in
            base.keys[index].isCurrent && ![rare, companions, secrets].contains { $0.contains(index) }
        }
        guard KeySelection.used(in: base.steps).isEmpty, left.count > 1 else { return base }
        var chains = random.fork("chains")
        if world.hasRareKeys, chains.below(Self.chainOdds) == 0, let chain = VersionChain(&chains, hasWidget: hasWidget).world {
            return base.replacing(keys: chain.keys)
        }
        // Drawn of numbers of their own, since they came later.
        var joints = random.fork("joined chains")
        if world.hasRareKeys, !hasWidget, joints.below(Self.jointOdds) == 0, let chain = JoinedChain(&joints).world {
            return base.replacing(keys: chain.keys)
        }
        var chosen: Set<Int> = []
        let shared = hasWidget ? left.filter { base.keys[$0].isSharedWithWidget } : []
        if !shared.isEmpty {
            let first = shared[random.below(shared.count)]
            left.removeAll { $0 == first }
            chosen.insert(first)
        }
        for _ in 0..<Self.keyCounts[random.below(Self.keyCounts.count)] where !left.isEmpty {
            chosen.insert(left.remove(at: random.below(left.count)))
        }
        var own = random.fork("rare keys")
        if !rare.isEmpty, own.below(Self.rareKeyOdds) == 0 {
            let key = rare[own.below(rare.count)]
            chosen.insert(key)
            if let name = SearchSpace.companions[base.keys[key].identifier] { chosen.formUnion(indices(of: [name])) }
        }
        // Drawn of numbers of their own, since they came later.
        var shares = random.fork("shared secrets")
        if !secrets.isEmpty, shares.below(hasWidget ? Self.sharedSecretOddsBesideWidgets : Self.sharedSecretOdds) == 0 {
            chosen.insert(secrets[shares.below(secrets.count)])
        }
        var siblings = random.fork("siblings")
        if world.hasRareKeys, siblings.below(2) == 0 { chosen.formUnion(Self.siblings(of: chosen, in: base)) }
        return KeySelection.select(chosen, of: base)
    }

    /// The keys that are made of the same old value as one of these, or have a name of its file: what one of them takes or clears the other one may miss.
    private static func siblings(of chosen: Set<Int>, in base: Scenario) -> [Int] {
        let sources = chosen.flatMap { base.keys[$0].declaration?.migrationSource?.keys ?? [] }.map(\.index)
        return base.keys.indices.filter { index in
            let key = base.keys[index]
            guard key.isCurrent, !chosen.contains(index) else { return false }
            return sources.contains { source in
                (key.declaration?.migrationSource?.keys ?? []).contains { $0.index == source }
                    || key.mayBeOneFile(with: base.keys[source], ignoringCase: base.knobs.diskIgnoresCase)
                    || key.isAtPlace(of: base.keys[source])
            }
        }
    }

    /// One run in so many has a secret in a keychain that a widget sees, and one in so many of those with a widget.
    private static let sharedSecretOdds = 32
    private static let sharedSecretOddsBesideWidgets = 4

    /// Values at the sources of migrations, as an earlier version of the app left them: found when the app is launched again.
    private func planted(_ base: Scenario, _ random: inout SeededGenerator) -> [ScenarioStep] {
        var steps: [ScenarioStep] = []
        // Values that belong together lie on one device more often than not.
        let home: DeviceID = random.below(2) == 0 ? .phone : .watch
        for (index, key) in base.keys.enumerated() where !key.isCurrent {
            guard random.below(3) != 0, let value = old(key, index, of: base) else { continue }
            let reference = KeyReference(index: index, identifier: key.identifier)
            let device: DeviceID = random.below(3) != 0 ? home : home == .phone ? .watch : .phone
            steps.append(.drawn(.data(DataStep(device, .plant(reference, value)))))
            if random.below(2) == 0 { steps.append(.drawn(.device(DeviceStep(device, .relaunch(inBackground: false))))) }
        }
        return steps + foreign(base, random.fork("foreign items"))
    }

    /// One run in so many begins with a secret of an app that did not use LocalData yet, of those that have a key for it.
    private static let foreignItemOdds = 4

    /// Of no length, of some that LocalData's own have had, and of others.
    private static let foreignAttributes = [
        "", "app", "example.app.item", "com.example.app.tokenkey", "com.example.app.item.of.an.older.version",
    ]

    /// A secret that an app without LocalData has stored, with an attribute of its own beside it.
    private func foreign(_ base: Scenario, _ random: SeededGenerator) -> [ScenarioStep] {
        var random = random
        let keys = base.keys.indices.filter { index in
            let key = base.keys[index]
            return key.isCurrent && key.exists(in: .first) && key.type == .string && key.declaration?.migration == nil
                && key.declaration?.domain.kind == "keychain" && key.declaration?.security.isKeychain == true
        }
        guard !keys.isEmpty, random.below(Self.foreignItemOdds) == 0 else { return [] }
        let index = keys[random.below(keys.count)]
        let key = KeyReference(index: index, identifier: base.keys[index].identifier)
        let device: DeviceID = base.keys[index].availability == .phoneOnly || random.below(2) == 0 ? .phone : .watch
        let attribute = Self.foreignAttributes[random.below(Self.foreignAttributes.count)]
        var actions: [ScenarioStep.Action] = [
            .device(DeviceStep(device, .terminate)), .data(DataStep(device, .plant(key, .string("foreign")))),
        ]
        if !attribute.isEmpty { actions.append(.fault(FaultStep(device, .damage(key, .attribute(attribute))))) }
        // The counterpart may have been given a value by then, or not.
        if random.below(2) == 0 {
            let other: DeviceID = device.isPhone ? .watch : .phone
            if base.keys[index].availability.isAvailable(on: other.isPhone ? .phone : .watch) {
                actions.append(.data(DataStep(other, .set(key, .string("ours")))))
            }
        }
        actions.append(.device(DeviceStep(device, .launch)))
        return actions.map { .drawn($0) }
    }

    /// A value that an earlier version can have left at the key; `nil` for a type that has none to tell by.
    private func old(_ key: ScenarioKey, _ index: Int, of base: Scenario) -> ScenarioValue? {
        let isNumeral = base.keys.contains { $0.makesNumber(of: KeyReference(index: index, identifier: key.identifier)) }
        switch key.type {
        case .string: return .string(isNumeral ? "\(7_310_927 + index)" : "planted\(index)")
        case .int: return .integer(Int64(8_412_653 + 7 * index))
        default: return nil
        }
    }

    /// One device, or both, has the newer app from the beginning on.
    private func updated(
        _ versions: [AppVersion], _ generator: inout StepGenerator, _ random: inout SeededGenerator
    ) -> [ScenarioStep] {
        var actions: [ScenarioStep.Action] = []
        // Of a longer chain, each version has its time.
        guard versions.count == 2 else { return [] }
        for device in [DeviceID.phone, .watch] where random.below(2) == 0 {
            actions += [.device(DeviceStep(device, .update(to: versions[1]))), .device(DeviceStep(device, .launch))]
        }
        for action in actions { generator.follow(action) }
        return actions.map { .drawn($0) }
    }

    /// The given steps with some left out, some repeated, and drawn ones in between.
    private func varied(
        _ given: [ScenarioStep], count: Int, _ generator: inout StepGenerator, _ random: inout SeededGenerator
    ) -> [ScenarioStep] {
        var steps: [ScenarioStep] = []
        let share = max(1, count * 100 / max(1, given.count + count))
        for step in given.map({ $0.withOneOperation(&random) }) {
            while random.below(100) < share, steps.count < given.count + count { steps.append(.drawn(generator.next())) }
            switch random.below(12) {
            case 0: continue
            case 1: steps += [step, step]
            default: steps.append(step)
            }
            generator.follow(step.action)
        }
        while random.below(100) < share, steps.count < given.count + count { steps.append(.drawn(generator.next())) }
        return steps
    }

    private func order(_ strategy: OrderStrategy, _ random: inout SeededGenerator) -> ReadyOrder? {
        switch strategy {
        case .fifo: nil
        case .random: .seeded(1 + (random.next() & 0xFFFF_FFFF))
        case .pct: .priorities(seed: random.next() & 0xFFFF_FFFF, depth: 1 + random.below(4))
        }
    }
}

extension ScenarioStep {
    /// A step that is to be tried with a crash before each of its operations, with one before one of them.
    fileprivate func withOneOperation(_ random: inout SeededGenerator) -> ScenarioStep {
        guard let outcome, outcome.isSweeping else { return self }
        let pinned = outcome.pinned(to: 1 + random.below(random.below(2) == 0 ? 6 : 24))
        return ScenarioStep(action.with(outcome: pinned), range: range, source: source, phase: phase, block: block)
    }
}

extension ScenarioStep.Action {
    fileprivate var isTime: Bool {
        if case .time = self { true } else { false }
    }
}

extension FaultKind {
    /// How often runs have it, against the others. What everybody meets every day, and what comes between any two steps, takes part in most failures.
    fileprivate var weight: Int {
        switch self {
        case .link, .lifecycle, .crash, .power, .lock, .together: 3
        case .reboot, .disk, .keychain, .reinstall: 2
        default: 1
        }
    }
}

extension ScenarioStep.Action {
    /// How long a step lets something take.
    var span: VirtualDuration? {
        switch self {
        case .session(let step): if case .answersMessages(.reply(_, let span)) = step.action { span } else { nil }
        case .time(.wait(let span)), .time(.at(let span)), .link(.latency(let span)): span
        default: nil
        }
    }
}
