/// Writes the trace of one simulation, stamping each event with the virtual time.
///
/// Confined to the simulation's thread.
public final class Recorder: @unchecked Sendable {
    private var recorded = Trace()
    /// What is about to be recorded, unless it is withdrawn before anything else happens.
    private var announced: (event: TraceEvent, cause: Int)?
    private let scheduler: Scheduler
    /// Whether the trace notes of each event what set it off.
    private let tracksCauses: Bool

    init(scheduler: Scheduler, tracksCauses: Bool = false) {
        self.scheduler = scheduler
        self.tracksCauses = tracksCauses
    }

    /// The scheduler's time, which events get.
    public var now: VirtualTime { scheduler.now }

    /// Whether the caller may touch the simulation. One that may not is reported as an escape.
    func isOnHomeThread(at place: @autoclosure () -> String) -> Bool {
        if scheduler.isOnHomeThread { return true }
        scheduler.reportEscape(place())
        return false
    }

    /// Notes that the running piece of work uses what belongs to a device.
    @inline(__always)
    func touch(_ device: DeviceID) {
        scheduler.touch(.device(device))
    }

    package func record(_ kind: TraceEvent.Kind, on device: DeviceID? = nil, process: Int? = nil, _ facts: TraceEvent.Fact...) {
        record(kind, on: device, process: process, facts: facts)
    }

    func record(_ kind: TraceEvent.Kind, on device: DeviceID?, process: Int?, facts: [TraceEvent.Fact]) {
        if let device { scheduler.touch(.device(device)) }
        scheduler.stopwatch.measure(.trace) {
            confirmAnnounced()
            append(TraceEvent(time: scheduler.now, device: device, process: process, kind: kind, facts: facts), because: scheduler.cause)
        }
    }

    private func append(_ event: TraceEvent, because cause: Int) {
        guard tracksCauses else { return recorded.record(event) }
        recorded.record(event, setOffBy: cause)
        if event.kind.hasEffects { scheduler.cause = recorded.events.count - 1 }
    }

    // MARK: Causes

    /// The number of the event that what happens now comes of; -1 for none. Always that where nobody asked for causes.
    package var cause: Int { scheduler.cause }

    /// What is recorded in `body`, and started there, counts as coming of the event of that number.
    package func attribute<Value>(to cause: Int, _ body: () throws -> Value) rethrows -> Value {
        guard tracksCauses else { return try body() }
        let outer = scheduler.cause
        scheduler.cause = cause
        defer { scheduler.cause = outer }
        return try body()
    }

    /// From now on what is done from outside the apps comes of the last event.
    package func beginsCause() {
        guard tracksCauses else { return }
        confirmAnnounced()
        scheduler.cause = recorded.events.count - 1
    }

    /// How many events there are.
    package var eventCount: Int { recorded.events.count + (announced == nil ? 0 : 1) }

    /// What happened so far.
    public var trace: Trace {
        confirmAnnounced()
        return recorded
    }

    // MARK: Delivery to a delegate that may lack the method

    /// Records an event that may still turn out not to happen: it takes its place before whatever is recorded next.
    func announce(_ kind: TraceEvent.Kind, on device: DeviceID?, process: Int?, facts: [TraceEvent.Fact]) {
        confirmAnnounced()
        announced = (TraceEvent(time: scheduler.now, device: device, process: process, kind: kind, facts: facts), scheduler.cause)
        // What the delegate starts comes of the delivery, which has this number if it happens.
        if tracksCauses { scheduler.cause = recorded.events.count }
    }

    func confirmAnnounced() {
        guard let (event, cause) = announced else { return }
        announced = nil
        guard tracksCauses else { return recorded.record(event) }
        recorded.record(event, setOffBy: cause)
    }

    func withdrawAnnounced() {
        if tracksCauses, let announced { scheduler.cause = announced.cause }
        announced = nil
    }
}
