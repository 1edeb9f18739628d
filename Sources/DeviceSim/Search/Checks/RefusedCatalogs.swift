import DeviceSimCore
import DeviceSimLanguage
import DeviceSimRunner

/// The catalogs that the apps which run could not register, for a reason that their declarations give, or have not registered yet. Such an app has no list of
/// their keys: it sends, takes, sweeps and reseals none of them, and refuses the use of none unless it has registered another catalog.
///
/// A refusal for no reason is not heeded: what the app does not do for that is held against it.
struct RefusedCatalogs {
    private let scenario: Scenario?
    /// By the device: the process and what it could not register.
    private var refused: [DeviceID: (process: Int, catalogs: Set<String>)] = [:]
    /// By the device, what the app that runs registers later (`start SUBJECT registers CATALOG later`).
    private var awaited: [DeviceID: Set<String>] = [:]
    /// The catalogs that have something against them.
    private var explained: [AppVersion: Set<String>] = [:]
    /// How much of the trace was looked at.
    private var seen = 0

    /// Nothing is ever refused without a scenario.
    init(_ scenario: Scenario? = nil) { self.scenario = scenario }

    /// Takes what apps have reported since the last time.
    mutating func look(at run: ScenarioRun) {
        guard let scenario else { return }
        let events = run.simulation.trace.events
        for event in events.dropFirst(seen) where event.kind == .log {
            guard let id = event.device, let process = event.process, let catalog = event.refusedCatalog,
                let version = run.simulation.device(id).flatMap({ AppVersion($0.appVersion) }),
                explanations(for: version, scenario).contains(catalog)
            else { continue }
            let known = refused[id].map { $0.process == process ? $0.catalogs : [] } ?? []
            refused[id] = (process, known.union([catalog]))
        }
        seen = events.count
        for device in run.simulation.devices where refused[device.id].map({ $0.process != device.process?.life.number }) ?? false {
            refused[device.id] = nil
        }
        for device in run.simulation.devices where !scenario.start[device.id].lateCatalogs.isEmpty {
            var catalogs = run.unregisteredCatalogs(on: device)
            // One that cannot be registered its step says so of, and nothing else.
            if let version = AppVersion(device.appVersion) {
                catalogs.formUnion(explanations(for: version, scenario).intersection(scenario.start[device.id].lateCatalogs))
            }
            awaited[device.id] = catalogs.isEmpty ? nil : catalogs
        }
    }

    /// Whether the app that runs on the device could register all that it has.
    func isComplete(on device: DeviceID) -> Bool { refused[device] == nil && awaited[device] == nil }

    /// Whether the app that runs on the device could not register the key, or has not yet. One that is in no catalog is used like that of the one that is refused.
    func isRefused(_ key: CheckedKey, on device: DeviceID) -> Bool {
        guard !isComplete(on: device) else { return false }
        let catalogs = (refused[device]?.catalogs ?? []).union(awaited[device] ?? [])
        return key.catalog.map(catalogs.contains) ?? true
    }

    private mutating func explanations(for version: AppVersion, _ scenario: Scenario) -> Set<String> {
        if let known = explained[version] { return known }
        let found = Set(CatalogProblems.among(scenario.keys, in: version).map(\.catalog))
            .union(CatalogProblems.maySeeOneFile(scenario, in: version))
        explained[version] = found
        return found
    }
}

extension Trace {
    /// Which catalogs LocalData refused, a sentence for each and the device of the app.
    var refusedCatalogs: [String] {
        var sentences: [String] = []
        for event in events where event.kind == .log {
            guard let catalog = event.refusedCatalog, let device = event.device else { continue }
            let sentence =
                "LocalData refused the catalog '\(catalog)' of the app on the \(device) (invalidCatalog), which has none of its keys then"
            if !sentences.contains(sentence) { sentences.append(sentence) }
        }
        return sentences
    }
}

extension TraceEvent {
    /// The catalog that an app reports to be refused.
    fileprivate var refusedCatalog: String? {
        guard case .text(let activity)? = self["while"], activity.hasPrefix("register "), self["error"] == .text("invalidCatalog") else {
            return nil
        }
        return String(activity.dropFirst("register ".count))
    }
}
