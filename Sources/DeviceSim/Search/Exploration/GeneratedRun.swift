import DeviceSimLanguage

/// One explored run: everything that was drawn for it. Same draw, same run.
public struct GeneratedRun: Sendable {
    /// Its place in the exploration, from 0.
    public let index: Int
    /// Names its own order of ready work and its seed.
    public let scenario: Scenario
    /// The kinds of fault that were on.
    public let faultKinds: [FaultKind]
    /// How the order of ready work was drawn.
    public let strategy: OrderStrategy

    /// A run that is put together by hand.
    public init(index: Int, scenario: Scenario, faultKinds: [FaultKind], strategy: OrderStrategy) {
        self.index = index
        self.scenario = scenario
        self.faultKinds = faultKinds
        self.strategy = strategy
    }
}

/// How an exploration draws the order in which ready work runs.
public enum OrderStrategy: String, Sendable, Hashable, CaseIterable {
    /// First in, first out: what an ordinary run does.
    case fifo
    /// A random walk: any ready piece of work, each time.
    case random
    /// Priorities with few changes: ``ReadyOrder/priorities(seed:depth:)``, of a depth from 1 to 4.
    case pct
}

extension Scenario {
    /// The versions of the app that a run is about, in their order: the one that it begins with, and those that declare something else.
    var appVersions: [AppVersion] {
        let versions = Set(keys.compactMap { $0.declaration?.since }.filter { $0 > .first }).sorted()
        return [.first] + (versions.isEmpty ? [.newer] : versions)
    }

    /// What both devices are updated to in the end.
    var newestAppVersion: AppVersion { appVersions.last ?? .newer }
}

extension AppVersion {
    /// The version that comes after the first, where no key says which.
    fileprivate static let newer = AppVersion("2.0") ?? .first
}
