import DeviceSimCore
import DeviceSimLanguage

/// Catalogs that an app registers later than at launch.
enum LateCatalogs {
    /// One run in so many of several catalogs has one that is late.
    private static let odds = 3

    /// One of the catalogs is late on one device, or on both.
    static func drawn(for scenario: Scenario, _ random: SeededGenerator) -> Scenario {
        var random = random
        let names = Set(scenario.keys.compactMap { $0.declaration?.catalog }).sorted()
        guard names.count > 1, random.below(odds) == 0 else { return scenario }
        let late = [names[random.below(names.count)]]
        var start = scenario.start
        let devices = random.below(3)
        if devices != 0 { start.phone.lateCatalogs = late }
        if devices != 1 { start.watch.lateCatalogs = late }
        if devices != 1, start.watch2 != nil { start.watch2?.lateCatalogs = late }
        return scenario.keeping(steps: scenario.steps, start: start)
    }

    /// The steps with others between them that register what is late: behind half of those from which on the app runs, and at any place.
    static func registered(in steps: [ScenarioStep], of scenario: Scenario, _ random: SeededGenerator) -> [ScenarioStep] {
        var random = random
        var steps = steps
        let devices = scenario.start.watch2 == nil ? [DeviceID.phone, .watch] : DeviceID.all
        for device in devices {
            for catalog in scenario.start[device].lateCatalogs {
                let registers = ScenarioStep.drawn(.data(DataStep(device, .register(catalog))))
                steps = steps.flatMap { step -> [ScenarioStep] in
                    guard step.action.letsCodeRun == device, random.below(2) == 0 else { return [step] }
                    return [step, registers]
                }
                for _ in 0..<(1 + random.below(2)) { steps.insert(registers, at: random.below(steps.count + 1)) }
            }
        }
        return steps
    }
}

extension Scenario {
    /// Without what speaks of a catalog that no key names any more: its file would not be read.
    var withoutLostCatalogs: Scenario {
        let names = Set(keys.compactMap { $0.declaration?.catalog } + catalogs + [KeyDeclaration.defaultCatalog])
        let devices = start.watch2 == nil ? [DeviceID.phone, .watch] : DeviceID.all
        let late = devices.flatMap { self.start[$0].lateCatalogs } + steps.flatMap(\.action.registered)
        guard !names.isSuperset(of: late) else { return self }
        var start = start
        for device in devices { start[device].lateCatalogs.removeAll { !names.contains($0) } }
        return keeping(steps: steps.filter { Set($0.action.registered).isSubset(of: names) }, start: start)
    }

    /// The same with an app that registers all at launch.
    var withoutLateCatalogs: Scenario? {
        let devices = start.watch2 == nil ? [DeviceID.phone, .watch] : DeviceID.all
        guard devices.contains(where: { !self.start[$0].lateCatalogs.isEmpty }) else { return nil }
        var start = start
        for device in devices { start[device].lateCatalogs = [] }
        return keeping(steps: steps.filter { $0.action.registered.isEmpty }, start: start)
    }
}

extension ScenarioStep.Action {
    /// The catalogs that the step registers.
    fileprivate var registered: [String] {
        switch self {
        case .data(let step): if case .register(let name) = step.action { [name] } else { [] }
        case .together(let steps): steps.flatMap(\.action.registered)
        default: []
        }
    }
}
