internal import DeviceSimCore
internal import LocalData

/// `Task.sleep` and the clocks as app code uses them: what the modules that the plugin makes find under the system's names.
extension SystemShims {
    /// What `Task.sleep(for:)` is to an app: exactly so much virtual time.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public static func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
        guard process("Task.sleep") != nil else { return try await Task.sleep(for: duration, tolerance: tolerance) }
        let request = SleepRequest(duration: duration)
        try await SleepRequest.$running.withValue(request) {
            try await withTaskCancellationHandler {
                try await Task.sleep(for: duration)
            } onCancel: {
                request.cancel()
            }
        }
    }

    /// What `Task.sleep(for:tolerance:clock:)` is to an app. A clock of the app's own sleeps as it does.
    public static func sleep<C: Clock>(for duration: C.Duration, tolerance: C.Duration?, clock: C) async throws {
        if let duration = duration as? Duration, clock is ContinuousClock || clock is SuspendingClock {
            try await sleep(for: duration, tolerance: tolerance as? Duration)
        } else {
            try await Task.sleep(for: duration, tolerance: tolerance, clock: clock)
        }
    }

    /// What `Task.sleep(until:tolerance:clock:)` is to an app.
    public static func sleep<C: Clock>(until deadline: C.Instant, tolerance: C.Duration?, clock: C) async throws {
        switch deadline {
        case let deadline as ContinuousClock.Instant where process("Task.sleep") != nil:
            try await sleep(for: continuousNow.duration(to: deadline))
        case let deadline as SuspendingClock.Instant where process("Task.sleep") != nil:
            try await sleep(for: suspendingNow.duration(to: deadline))
        default:
            try await Task.sleep(until: deadline, tolerance: tolerance, clock: clock)
        }
    }

    /// What `ContinuousClock.now` is to an app: an instant that virtual time moves.
    public static var continuousNow: ContinuousClock.Instant {
        elapsed.map { origin.continuous.advanced(by: $0) } ?? ContinuousClock.now
    }

    /// What `SuspendingClock.now` is to an app.
    public static var suspendingNow: SuspendingClock.Instant {
        elapsed.map { origin.suspending.advanced(by: $0) } ?? SuspendingClock.now
    }

    /// The virtual time since the start; `nil` outside a simulation.
    private static var elapsed: Duration? {
        (process("a clock")?.executor.scheduler?.now).map { .microseconds(($0 - .start).microseconds) }
    }

    /// Instants of the host's clocks that stand for the start of any simulation: an instant by itself tells nothing, and none can be made from a number.
    private static let origin = (continuous: ContinuousClock.now, suspending: SuspendingClock.now)
}
