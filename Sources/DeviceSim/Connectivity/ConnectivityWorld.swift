/// What all parts of one pair's connectivity share. Knows none of them, so that nothing holds itself in memory.
///
/// Confined to the simulation's thread.
final class ConnectivityWorld {
    let scheduler: Scheduler
    let recorder: Recorder
    let knobs: Knobs
    /// One way, from one radio to the other. Applies to what is sent from now on.
    var latency: VirtualDuration
    /// As of the last time the conditions were looked at.
    var facts = PairFacts()
    var random: SeededGenerator

    init(scheduler: Scheduler, recorder: Recorder, knobs: Knobs, random: SeededGenerator) {
        self.scheduler = scheduler
        self.recorder = recorder
        self.knobs = knobs
        self.random = random
        latency = knobs.linkLatency
    }
}
