import DeviceSimCore
import Foundation
import LocalData

/// How to run scenarios.
public struct RunOptions: Sendable {
    /// Feeds every draw of a run. A scenario may name its own.
    public var seed: UInt64 = 1
    /// `nil`: what the scenario names, or else first in, first out.
    public var order: ReadyOrder?
    /// Where the devices keep real files; `nil` for memory. Each scenario gets a folder of its own in it, emptied first.
    public var root: URL?
    /// How many pieces of work may run at one instant before the scenario counts as not settling.
    public var workLimit = 1_000_000
    /// See ``SimulationOptions/waitWorkLimit``: for a step of the scenario.
    public var waitWorkLimit = 5_000_000
    /// Makes the app of a new process; `nil` for the app that scenario files configure with keys and steps. Steps that tell that app how to behave
    /// (`phone replies …`) fail with another.
    public var makeApp: (@Sendable (DeviceID) -> any SimulatedApp)?

    /// As ``makeApp``, for an app that is given the catalogs that the scenario declares, as ``AppBehaviour/catalogs``. Goes before ``makeApp``.
    public var makeConfiguredApp: (@Sendable (DeviceID, AppBehaviour) -> any SimulatedApp)?
    /// What `catalog NAME` lines name of the keys of ``makeApp``'s app. The scenario must have been compiled with the same.
    public var catalogs: [String: any StorageKeyCatalog] = [:]
    /// What the app under test promises of both devices: `expect invariant "…"` names one, and a search holds its runs to all.
    public var invariants: [AppInvariant] = []
    /// See ``SimulationOptions/adaptEnvironment``.
    public var adaptEnvironment: (@Sendable (DeviceID, StorageEnvironment) -> StorageEnvironment)?

    /// How many runs a scenario may take whose steps crash at every operation: with several such steps they multiply.
    public var crashPointLimit = 10_000
    /// Told of the progress of such a scenario, before its first run and after each, on the thread that runs it.
    public var crashPointProgress: (@Sendable (SweepProgress) -> Void)?

    /// How long one piece of the apps' code may take, in seconds of the host's clock, until the run is given up as one that did not settle, with the
    /// place where it stands: a lock that is taken twice, a loop without an end. Its thread is left as it is. `nil`: such a run never returns.
    ///
    /// A run that comes to its end is the same whatever this is.
    public var stuckAfter: Double? = 20
    /// The watch on the run, where one is kept already.
    package var watch: RunWatch?
    /// What to keep for the run's story; `nil` keeps nothing, and costs nothing.
    package var story: StoryRequest?

    /// See ``SimulationOptions/stopwatch``.
    public var stopwatch: RunStopwatch?

    /// Seed 1, in memory, with the app that scenario files configure.
    public init() {}
}
