/// Writes the trace of one simulation, stamping each event with the virtual time.
///
/// Confined to the simulation's thread.
public final class Recorder: @unchecked Sendable {
    public private(set) var trace = Trace()
    private let scheduler: Scheduler

    init(scheduler: Scheduler) {
        self.scheduler = scheduler
    }

    func record(_ kind: TraceEvent.Kind, on device: DeviceID? = nil, process: Int? = nil, _ facts: TraceEvent.Fact...) {
        record(kind, on: device, process: process, facts: facts)
    }

    func record(_ kind: TraceEvent.Kind, on device: DeviceID?, process: Int?, facts: [TraceEvent.Fact]) {
        trace.record(TraceEvent(time: scheduler.now, device: device, process: process, kind: kind, facts: facts))
    }
}
