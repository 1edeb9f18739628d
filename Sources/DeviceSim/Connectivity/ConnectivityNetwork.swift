/// The pair of a phone and a watch: the link between them, and the connectivity daemon of each.
///
/// Payloads take the link's latency. What a session shows of the counterpart (paired, installed, reachable) is known on both sides at
/// once, at the next ``conditionsChanged()``.
///
/// Confined to the simulation's thread.
final class ConnectivityNetwork {
    private let world: ConnectivityWorld
    private let phone: ConnectivityDaemon
    private let watch: ConnectivityDaemon
    private(set) var isLinkUp = true
    private(set) var isPaired = true

    init(scheduler: Scheduler, recorder: Recorder, knobs: Knobs, random: SeededGenerator) {
        world = ConnectivityWorld(scheduler: scheduler, recorder: recorder, knobs: knobs, random: random)
        phone = ConnectivityDaemon(device: .phone, world: world)
        watch = ConnectivityDaemon(device: .watch, world: world)
        phone.pair(with: watch)
        watch.pair(with: phone)
        for daemon in [phone, watch] {
            daemon.onSessionChange = { [weak self] in self?.conditionsChanged() }
        }
    }

    /// Makes the devices known. They are not kept in memory by the network.
    func attach(phone: any ConnectivityHost, watch: any ConnectivityHost) {
        self.phone.host = phone
        self.watch.host = watch
        conditionsChanged()
    }

    func daemon(of device: DeviceID) -> ConnectivityDaemon {
        device.isPhone ? phone : watch
    }

    /// One way, from one radio to the other. Applies to what is sent from now on.
    var latency: VirtualDuration {
        get { world.latency }
        set { world.latency = newValue }
    }

    func setLink(up isUp: Bool) {
        isLinkUp = isUp
        conditionsChanged()
    }

    func setPaired(_ isPaired: Bool) {
        self.isPaired = isPaired
        conditionsChanged()
    }

    /// A backup was restored to a device: its side has no contexts any more. On new hardware the pairing begins anew, or ends (K).
    func wasRestored(_ device: DeviceID, isNewHardware: Bool) {
        daemon(of: device).clearContexts()
        guard isNewHardware else { return }
        for daemon in [phone, watch] { daemon.clearContexts() }
        if !world.knobs.restoreKeepsPairing { isPaired = false }
    }

    /// Looks at everything that decides what the sessions see and what the link carries. To be called after every change of a device's
    /// power, lock, app state or installation; costs little when nothing changed.
    func conditionsChanged() {
        let old = world.facts
        let new = PairFacts(isLinkUp: isLinkUp, isPaired: isPaired, phone: phone.facts(), watch: watch.facts())
        guard new != old else { return }
        world.facts = new
        for daemon in [phone, watch] {
            daemon.conditionsChanged(from: old, to: new)
        }
    }
}
