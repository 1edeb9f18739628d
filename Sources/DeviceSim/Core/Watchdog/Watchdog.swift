import Dispatch
import Foundation

/// Finds runs in which one piece of code does not come to its end, by the host's clock: a lock that is taken twice, a loop without an end.
///
/// It stands outside of the simulated world: it changes nothing in a run that comes to its end, and cannot end code that does not. Whoever made the run
/// is told, and leaves the run's thread where it is. May be used from any thread.
package final class Watchdog: @unchecked Sendable {
    package static let shared = Watchdog()

    /// Guards everything below.
    private let condition = NSCondition()
    private var watched: [ObjectIdentifier: Watched] = [:]
    private var hasThread = false
    private var isAsleep = false

    /// How often the watchdog looks, in seconds.
    private static let interval = 0.1

    private struct Watched {
        let watch: RunWatch
        let thread: HostThread
        /// In seconds.
        let limit: Double
        let onStall: @Sendable (StalledRun) -> Void
        /// The last sign of life.
        var beat: UInt64
        /// How long ago that was, in seconds in which the watchdog itself ran: a host that stood still is not the code's doing.
        var age = 0.0
        /// What the thread had used of the processor then, and a second ago, in seconds; `nil` where the host does not say.
        var usedAtBeat: Double?
        var usedLately: Double?
        var lookedAt = 0.0
        /// What it used in that second.
        var recentUse: Double?
    }

    /// Watches a run on the calling thread.
    /// - Parameters:
    ///   - limit: How long one piece of code may take, in seconds.
    ///   - onStall: Called once at most, on a thread of the watchdog's. From then on nobody may wait for the calling thread.
    package static func watch<Value>(
        _ watch: RunWatch, limit: Double, onStall: @escaping @Sendable (StalledRun) -> Void, _ body: () -> Value
    ) -> Value {
        shared.begin(watch, limit: limit, onStall: onStall)
        defer { shared.end(watch) }
        return body()
    }

    private func begin(_ watch: RunWatch, limit: Double, onStall: @escaping @Sendable (StalledRun) -> Void) {
        HostThread.allowSamples()
        let thread = HostThread.current
        condition.lock()
        defer { condition.unlock() }
        watched[ObjectIdentifier(watch)] = Watched(
            watch: watch, thread: thread, limit: limit, onStall: onStall, beat: watch.beat, usedAtBeat: thread.processorTime)
        if !hasThread {
            hasThread = true
            let thread = Thread { [self] in look() }
            thread.name = "DeviceSim watchdog"
            thread.start()
        } else if isAsleep {
            condition.signal()
        }
    }

    /// Waits while the watchdog looks at the thread, which must not end meanwhile.
    private func end(_ watch: RunWatch) {
        condition.lock()
        watched[ObjectIdentifier(watch)] = nil
        condition.unlock()
    }

    // MARK: The watchdog's thread

    private func look() {
        var last = DispatchTime.now().uptimeNanoseconds
        var idle = 0
        condition.lock()
        while true {
            if watched.isEmpty, idle > 50 {
                isAsleep = true
                condition.wait()
                isAsleep = false
                idle = 0
            } else {
                _ = condition.wait(until: Date(timeIntervalSinceNow: Self.interval))
                idle = watched.isEmpty ? idle + 1 : 0
            }
            let now = DispatchTime.now().uptimeNanoseconds
            let passed = min(Double(now &- last) / 1_000_000_000, 2 * Self.interval)
            last = now
            let stalled = takeStalled(after: passed)
            guard !stalled.isEmpty else { continue }
            condition.unlock()
            for (watched, kind, addresses) in stalled {
                watched.onStall(
                    StalledRun(
                        kind: kind, process: watched.watch.ownerName, step: watched.watch.step, seconds: watched.limit,
                        stack: HostThread.places(of: addresses), lastEvents: kind == .blocked ? watched.watch.lastEvents : []))
            }
            condition.lock()
        }
    }

    private func takeStalled(after passed: Double) -> [(Watched, StalledRun.Kind, [UInt])] {
        var stalled: [(Watched, StalledRun.Kind, [UInt])] = []
        for (id, var run) in watched {
            defer { if watched[id] != nil { watched[id] = run } }
            guard run.watch.beat == run.beat else {
                run.beat = run.watch.beat
                run.age = 0
                run.lookedAt = 0
                run.recentUse = nil
                run.usedAtBeat = run.thread.processorTime
                run.usedLately = run.usedAtBeat
                continue
            }
            run.age += passed
            if run.age - run.lookedAt >= 0.9 {
                let used = run.thread.processorTime
                if let used, let before = run.usedLately { run.recentUse = used - before }
                run.usedLately = used
                run.lookedAt = run.age
            }
            guard run.age >= run.limit, let kind = kind(of: run) else { continue }
            let addresses = run.thread.stack()
            guard run.watch.beat == run.beat else { continue }
            run.watch.giveUp()
            watched[id] = nil
            stalled.append((run, kind, addresses))
        }
        return stalled
    }

    /// `nil`: the host is so busy that nobody can tell.
    private func kind(of run: Watched) -> StalledRun.Kind? {
        guard let recent = run.recentUse, let before = run.usedAtBeat, let now = run.usedLately else {
            return run.thread.tellsProcessorTime ? nil : .blocked
        }
        if recent < 0.001 { return .blocked }
        return now - before >= run.limit / 4 ? .busy : nil
    }
}
