import Foundation
import LocalData

/// What a simulation starts from.
public struct SimulationOptions: Sendable {
    /// What every random draw of the simulation comes from.
    public var seed: UInt64 = 1
    /// Which of the work that is ready at one instant runs first.
    public var order = ReadyOrder.firstInFirstOut
    /// How what is not known of real devices is set.
    public var knobs = Knobs()
    /// Whether the phone is paired with a second watch, which a person can put on instead of the first (W12).
    public var hasSecondWatch = false
    /// False for a phone that cannot have a watch: `WCSession.isSupported()` is false on it, and the watch is not paired.
    public var phoneCanPair = true
    /// Whether the app has no part on the phone: a session on the watch is never activated (W16).
    public var isWatchOnlyApp = false
    /// Whether the watch's app cannot be without that of the phone (W120).
    public var isDependentWatchApp = false
    /// Where the devices keep real files, `phone/…` and `watch/…`; `nil` for memory.
    public var root: URL?
    /// How many pieces of work may run at one instant before the run counts as a livelock.
    public var workLimit = 1_000_000
    /// How many pieces of work may run during one wait, one `settle`, or one operation, before the run counts as one that never comes to rest. A week with a timer
    /// every second needs fewer.
    public var waitWorkLimit = 5_000_000
    /// Makes the app of a new process. Called for every launch: an app object is memory, and ends with its process.
    public var makeApp: @Sendable (DeviceID) -> any SimulatedApp = { _ in ReferenceApp() }
    /// Wraps what a new process of the app sees of its device. For tests of tests: a storage that breaks a promise must make them fail.
    public var adaptEnvironment: @Sendable (DeviceID, StorageEnvironment) -> StorageEnvironment = { $1 }
    /// The version of the installed app.
    public var appVersion = "1.0"
    /// The app's bundle identifier, on all devices.
    public var bundleIdentifier = "com.example.app"
    /// The wall-clock time of both devices at the start: 2026-01-01 09:00 UTC.
    public var startDate = Date(timeIntervalSince1970: 1_767_258_000)

    /// Measures where the time of the run goes.
    public var stopwatch: RunStopwatch?

    /// A phone and a watch in memory, with the reference app.
    public init() {}
}
