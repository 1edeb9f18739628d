/// What all parts of one pair's connectivity share. Knows none of them, so that nothing holds itself in memory.
///
/// Confined to the simulation's thread.
final class ConnectivityContext {
    let scheduler: Scheduler
    let recorder: Recorder
    let knobs: Knobs
    /// One way, from one radio to the other. Applies to what is sent from now on.
    var latency: VirtualDuration
    /// As of the last time the conditions were looked at.
    var facts = PairFacts()
    var random: SeededGenerator
    /// False for a phone that cannot have a watch: `WCSession.isSupported()` is false on it.
    let phoneCanPair: Bool
    /// Whether the app has no part on the phone (W16).
    let isWatchOnlyApp: Bool
    /// Whether the watch's app cannot be without that of the phone (W120).
    let isDependentWatchApp: Bool
    /// When a message, or a reply, was sent last.
    var lastMessage = VirtualTime.start
    /// What hurried context updates do to the link (W52).
    private var congestion = Congestion()

    init(
        scheduler: Scheduler, recorder: Recorder, knobs: Knobs, random: SeededGenerator, phoneCanPair: Bool = true,
        isWatchOnlyApp: Bool = false, isDependentWatchApp: Bool = false
    ) {
        self.scheduler = scheduler
        self.recorder = recorder
        self.knobs = knobs
        self.random = random
        self.phoneCanPair = phoneCanPair
        self.isWatchOnlyApp = isWatchOnlyApp
        self.isDependentWatchApp = isDependentWatchApp
        latency = knobs.linkLatency
    }

    /// The earliest that a context or message can leave now.
    var departure: VirtualTime { max(scheduler.now, congestion.end) }

    /// To be called for every context that an app updates.
    func contextWasUpdated(by device: DeviceID) {
        guard knobs.contextCongestion > .zero else { return }
        congestion.contextWasUpdated(by: device, at: scheduler.now, delay: knobs.contextCongestion)
    }
}
