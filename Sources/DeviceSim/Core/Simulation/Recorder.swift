/// Writes the trace of one simulation, stamping each event with the virtual time.
///
/// Confined to the simulation's thread.
public final class Recorder: @unchecked Sendable {
    private var recorded = Trace()
    /// What is about to be recorded, unless it is withdrawn before anything else happens.
    private var announced: TraceEvent?
    private let scheduler: Scheduler

    init(scheduler: Scheduler) {
        self.scheduler = scheduler
    }

    /// The scheduler's time, which events get.
    public var now: VirtualTime { scheduler.now }

    /// Whether the caller may touch the simulation. One that may not is reported as an escape.
    func isOnHomeThread(at place: @autoclosure () -> String) -> Bool {
        if scheduler.isOnHomeThread { return true }
        scheduler.reportEscape(place())
        return false
    }

    package func record(_ kind: TraceEvent.Kind, on device: DeviceID? = nil, process: Int? = nil, _ facts: TraceEvent.Fact...) {
        record(kind, on: device, process: process, facts: facts)
    }

    func record(_ kind: TraceEvent.Kind, on device: DeviceID?, process: Int?, facts: [TraceEvent.Fact]) {
        scheduler.stopwatch.measure(.trace) {
            confirmAnnounced()
            recorded.record(TraceEvent(time: scheduler.now, device: device, process: process, kind: kind, facts: facts))
        }
    }

    /// What happened so far.
    public var trace: Trace {
        confirmAnnounced()
        return recorded
    }

    // MARK: Delivery to a delegate that may lack the method

    /// Records an event that may still turn out not to happen: it takes its place before whatever is recorded next.
    func announce(_ kind: TraceEvent.Kind, on device: DeviceID?, process: Int?, facts: [TraceEvent.Fact]) {
        confirmAnnounced()
        announced = TraceEvent(time: scheduler.now, device: device, process: process, kind: kind, facts: facts)
    }

    func confirmAnnounced() {
        if let announced { recorded.record(announced) }
        announced = nil
    }

    func withdrawAnnounced() {
        announced = nil
    }
}
