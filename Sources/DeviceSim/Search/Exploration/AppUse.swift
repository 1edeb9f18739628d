import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner
import LocalData

/// How the app under test keeps its values, as far as a search must know.
public enum AppUse: Sendable, Hashable {
    /// With LocalData, or it is the app that scenario files configure.
    case localData
    /// By code of its own, which answers for the keys of scenarios (``ValueKeeping``).
    case ownKeys
    /// By code of its own, of which nothing is known but what it can be asked to do, and what it shows.
    case ownCode

    /// Launches both apps once, and looks what they have done with LocalData by the time they have come to rest.
    ///
    /// An app that registers no catalog when it is launched, and has used no key by then, does not use LocalData. One that cannot be told counts as
    /// one that does: what is wrong with it, the search says.
    public init(of options: RunOptions) {
        self = .localData
        guard options.makeApp != nil, let scenario = Self.launch else { return }
        self = options.watched {
            Self.found(scenario, $0)
        } stalled: { _ in
            .localData
        }
    }

    private static let launch: Scenario? = {
        let path = "launch"
        return ScenarioCompiler.compile(path: path, files: .memory([path: "settle\n"])).scenarios.first
    }()

    private static func found(_ scenario: Scenario, _ options: RunOptions) -> AppUse {
        let run = ScenarioRun(
            scenario, schedule: CrashSchedule(scenario), seed: options.seed, options: options, root: nil, catalogs: options.catalogs)
        defer { run.simulation.shutDown() }
        guard
            (try? run.begin(settle: {
                try run.simulation.settle(); return true
            })) == true
        else { return .localData }
        let processes = run.simulation.devices.compactMap(\.process)
        guard processes.count == run.simulation.devices.count else { return .localData }
        if processes.contains(where: { $0.app is any ValueKeeping }) { return .ownKeys }
        let usesLocalData = processes.contains {
            !$0.router.registeredCatalogs().isEmpty || !$0.router.unregisteredKeys().isEmpty || $0.app is ReferenceApp
        }
        return usesLocalData ? .localData : .ownCode
    }
}

/// What the steps of scenarios ask the app under test to do, and with what: a search asks it for the same.
struct AppActions: Sendable {
    struct Action: Sendable {
        let device: DeviceID
        let name: String
        /// Those that the steps give, each once, in their order.
        var values: [ScenarioValue]
    }

    private(set) var all: [Action] = []

    init(in scenarios: [Scenario] = []) {
        for scenario in scenarios { for step in scenario.steps { note(step) } }
    }

    private mutating func note(_ step: ScenarioStep) {
        if case .together(let steps) = step.action { for step in steps { note(step) } }
        guard case .device(let device) = step.action, case .perform(let name, let value) = device.action else { return }
        // The second watch has the same app.
        let id: DeviceID = device.device.isPhone ? .phone : .watch
        guard let place = all.firstIndex(where: { $0.device == id && $0.name == name }) else {
            return all.append(Action(device: id, name: name, values: [value]))
        }
        if !all[place].values.contains(value) { all[place].values.append(value) }
    }
}

extension Scenario {
    /// Whether a step asks the app under test for one of its own actions.
    var asksApp: Bool { !AppActions(in: [self]).all.isEmpty }

    /// Without keys and what is done with them: for an app that does not use LocalData.
    var withoutLocalData: Scenario {
        let keyless = KeySelection.select([], of: self)
        return keyless.keeping(steps: keyless.steps.filter { !$0.isOfLocalData })
    }
}

extension ScenarioStep {
    fileprivate var isOfLocalData: Bool {
        switch action {
        case .data: true
        case .together(let steps): steps.contains { $0.isOfLocalData }
        default: false
        }
    }
}
