/// A phone and its watches: the link between them, and the connectivity daemon of each. Of two watches the phone speaks to one, the active one.
///
/// Payloads take the link's latency. What a session shows of the counterpart (paired, installed, reachable) is known on both sides at
/// once, at the next ``conditionsChanged()``.
///
/// Confined to the simulation's thread.
package final class ConnectivityNetwork {
    private let scheduler: Scheduler
    private let knobs: Knobs
    /// Its pairings are in the order of ``pairs``.
    private let phone: ConnectivityDaemon
    private var pairs: [Pair] = []
    private var active = ActiveWatch()
    private(set) var isLinkUp = true
    /// Whether the devices do not find each other, though they are in range, until the phone restarts (W152).
    package private(set) var isLinkDead = false
    private var linkLost = VirtualTime.start
    /// Whether the watch's app cannot be without that of the phone (W120).
    private let isDependentWatchApp: Bool
    /// The watches whose directories on the phone the system empties when the phone's app is launched next (W24).
    private var outlivedDirectories: Set<DeviceID> = []

    /// The phone and one watch.
    private struct Pair {
        let watch: ConnectivityDaemon
        var isPaired = true
        /// Whether the pairing ended with new hardware: the watch still takes itself for paired, with a device that is there no more.
        var isLeftBehind = false
        /// Whether the phone has missed the installation of the watch's app (W25).
        var isAppUnnoticed = false
    }

    /// The next, or the present, loss of reachability for no reason (W36).
    private var flap: TimerID?
    private var isFlapping = false

    init(
        scheduler: Scheduler, recorder: Recorder, knobs: Knobs, random: SeededGenerator, hasSecondWatch: Bool = false,
        phoneCanPair: Bool = true, isWatchOnlyApp: Bool = false, isDependentWatchApp: Bool = false
    ) {
        self.isDependentWatchApp = isDependentWatchApp
        self.scheduler = scheduler
        self.knobs = knobs
        let watches: [DeviceID] = hasSecondWatch ? [.watch, .watch2] : [.watch]
        let worlds = watches.map { watch in
            ConnectivityContext(
                scheduler: scheduler, recorder: recorder, knobs: knobs, random: watch == .watch ? random : random.fork("\(watch)"),
                phoneCanPair: phoneCanPair, isWatchOnlyApp: isWatchOnlyApp, isDependentWatchApp: isDependentWatchApp)
        }
        phone = ConnectivityDaemon(device: .phone, world: worlds[0])
        for (id, world) in zip(watches, worlds) {
            let watch = ConnectivityDaemon(device: id, world: world)
            phone.pair(with: watch, world: world)
            watch.pair(with: phone, world: world)
            pairs.append(Pair(watch: watch))
        }
        phone.onWatchMissing = { [weak self] in
            if self?.knobs.watchDirectoryRemoval == .whenInstalledTurnsFalse { self?.emptyOutlivedDirectories() }
        }
        for daemon in [phone] + pairs.map(\.watch) {
            daemon.onSessionChange = { [weak self] in self?.conditionsChanged() }
        }
    }

    /// Makes the devices known. They are not kept in memory by the network.
    func attach(phone: any ConnectivityHost, watches: [any ConnectivityHost]) {
        self.phone.host = phone
        for (pair, watch) in zip(pairs, watches) { pair.watch.host = watch }
        conditionsChanged()
    }

    func daemon(of device: DeviceID) -> ConnectivityDaemon {
        device.isPhone ? phone : pairs[place(of: device)].watch
    }

    private func place(of watch: DeviceID) -> Int { pairs.firstIndex { $0.watch.device == watch } ?? 0 }

    /// One way, from one radio to the other. Applies to what is sent from now on.
    package var latency: VirtualDuration {
        get { phone.world.latency }
        set { for pair in pairs { pair.watch.world.latency = newValue } }
    }

    func setLink(up isUp: Bool) {
        if !isUp, isLinkUp { linkLost = scheduler.now }
        let limit = knobs.linkDiesAfter
        if isUp, !isLinkUp, limit > .zero, scheduler.now - linkLost >= limit { isLinkDead = true }
        isLinkUp = isUp
        conditionsChanged()
    }

    // MARK: Pairing

    /// The watch that the phone speaks to, or would if it were paired.
    var activeWatch: DeviceID { pairs[active.place].watch.device }

    /// Whether the phone is paired with the active watch.
    package var isPaired: Bool { pairs[active.place].isPaired }

    func isPaired(with watch: DeviceID) -> Bool { pairs[place(of: watch)].isPaired }

    /// Whether the pairing with the watch ended because one of both is another device now (`Knobs.restoreKeepsPairing`).
    func isLeftBehind(_ watch: DeviceID) -> Bool { pairs[place(of: watch)].isLeftBehind }

    /// Where the active watch is unpaired, or the first one is paired, the other one becomes active.
    func setPaired(_ isPaired: Bool, _ watch: DeviceID = .watch) {
        let place = place(of: watch)
        pairs[place].isPaired = false
        pairs[place].isLeftBehind = false
        let (pairing, isAnotherPaired) = (phone.pairings[place], pairs.contains(where: \.isPaired))
        if isPaired {
            phone.pairingBegins(pairing, isAnotherPaired: isAnotherPaired)
            // Also where it was not erased.
            pairs[place].watch.clearContexts()
            directoryBeginsAnew(watch)
        } else {
            phone.pairingEnded(pairing, isAnotherPaired: isAnotherPaired)
            directoryIsOutlived(watch)
        }
        pairs[place].isPaired = isPaired
        conditionsChanged()
        if !pairs[active.place].isPaired, let other = pairs.firstIndex(where: \.isPaired) { switchWatch(to: pairs[other].watch.device) }
    }

    /// A backup was restored to a device: its side has no contexts and no transfers any more. On new hardware the pairing begins anew, or ends
    /// (`Knobs.restoreKeepsPairing`).
    func wasRestored(_ device: DeviceID, isNewHardware: Bool) {
        daemon(of: device).wasErased()
        guard isNewHardware else { return }
        for (place, pair) in pairs.enumerated() where device.isPhone || pair.watch.device == device {
            pair.watch.clearContexts()
            phone.pairings[place].clearContexts()
            if !knobs.restoreKeepsPairing, pair.isPaired {
                pairs[place].isPaired = false
                pairs[place].isLeftBehind = true
            }
            // Of a new phone nothing is left to end.
            guard !device.isPhone else { continue }
            phone.pairingEnded(phone.pairings[place], isAnotherPaired: pairs.contains(where: \.isPaired))
        }
    }

    // MARK: Another watch

    /// A person has put on another watch, which is paired (W12). The phone's session is inactive from now on; the old watch's is not told.
    /// What that one has sent still arrives until the handover is over; then the phone speaks to the other watch.
    func switchWatch(to watch: DeviceID) {
        if let timer = active.timer { scheduler.cancel(timer) }
        if active.complete() { speakToAnotherWatch() }
        let target = place(of: watch)
        guard target != active.place else { return }
        phone.endpoint?.becomeInactive()
        conditionsChanged()
        let timer = scheduler.schedule(at: scheduler.now + knobs.switchHandover, as: ScheduledWork("switch of watches")) { [weak self] in
            guard let self, active.complete() else { return }
            speakToAnotherWatch()
        }
        active.hand(over: target, at: timer)
    }

    private func speakToAnotherWatch() {
        // A session that was activated meanwhile was so with the old watch.
        phone.endpoint?.becomeInactive()
        phone.use(activeWatch)
        conditionsChanged()
        phone.endpoint?.deactivate()
    }

    // MARK: The watch's app

    /// The app was installed on a watch; side-loaded, as developers do, the phone may miss it (W25).
    func appWasInstalled(on watch: DeviceID) {
        guard !watch.isPhone else { return }
        directoryBeginsAnew(watch)
        guard knobs.installationGoesUnnoticed else { return }
        pairs[place(of: watch)].isAppUnnoticed = true
    }

    private var consequenceOfUnnoticed: PairFacts.Unnoticed {
        knobs.unnoticedAppIsCutOff ? .cutOff : knobs.unnoticedAppIsRefused ? .refused : .looksMissing
    }

    /// The phone looks at everything anew.
    func phoneRestarts() {
        isLinkDead = false
        for place in pairs.indices { pairs[place].isAppUnnoticed = false }
    }

    /// The app was removed from a watch: what the phone's app keeps for it goes too (W24).
    func appWasRemoved(from watch: DeviceID) {
        if !watch.isPhone { directoryIsOutlived(watch) }
    }

    private func directoryIsOutlived(_ watch: DeviceID) {
        outlivedDirectories.insert(watch)
        if knobs.watchDirectoryRemoval == .atOnce, phone.host?.state.isPoweredOn == true { emptyOutlivedDirectories() }
    }

    /// The watch is paired again, or has the app again: what was kept for the earlier one goes now, and nothing of what is kept from now on (W24).
    private func directoryBeginsAnew(_ watch: DeviceID) {
        guard outlivedDirectories.remove(watch) != nil else { return }
        phone.host?.files?.emptyWatchDirectory(named: watch.description)
    }

    /// The phone's app is being launched: what it kept for watches that are gone, or lost their app, is deleted (W24).
    func phoneAppStarts() {
        guard knobs.watchDirectoryRemoval != .whenInstalledTurnsFalse else { return }
        emptyOutlivedDirectories()
    }

    private func emptyOutlivedDirectories() {
        guard !outlivedDirectories.isEmpty else { return }
        for watch in outlivedDirectories.sorted() { phone.host?.files?.emptyWatchDirectory(named: watch.description) }
        outlivedDirectories = []
    }

    // MARK: Conditions

    /// Looks at everything that decides what the sessions see and what the link carries. To be called after every change of a device's
    /// power, lock, app state or installation; costs little when nothing changed.
    package func conditionsChanged() {
        let phoneFacts = phone.facts()
        for place in pairs.indices {
            let watch = pairs[place].watch
            let old = watch.world.facts
            let new = PairFacts(
                isLinkUp: isLinkUp && !isLinkDead, isPaired: pairs[place].isPaired, isActive: place == active.place, isFlapping: isFlapping,
                unnoticed: pairs[place].isAppUnnoticed ? consequenceOfUnnoticed : nil, phone: phoneFacts, watch: watch.facts())
            guard new != old else { continue }
            watch.world.facts = new
            phone.conditionsChanged(of: phone.pairings[place], from: old, to: new)
            watch.conditionsChanged(of: watch.pairings[0], from: old, to: new)
        }
        if isDependentWatchApp, !phoneFacts.isAppInstalled { removeDependentApps() }
        if knobs.reachabilityFlapAfter > .zero { scheduleFlap(since: scheduler.now) }
    }

    /// W120: the phone's app is gone, and each watch within reach loses its own.
    private func removeDependentApps() {
        for watch in pairs.map(\.watch) where watch.world.facts.isInRange && watch.world.facts.watch.isAppInstalled {
            watch.host?.removeApp()
        }
    }

    // MARK: Flapping

    /// W36: with both apps in the foreground and nothing said, reachability is lost. It comes back when a person touches the watch, or by itself.
    private func scheduleFlap(since begin: VirtualTime) {
        guard flap == nil, !isFlapping, pairs[active.place].watch.world.facts.isIdleForeground else { return }
        flap = scheduler.schedule(
            at: begin + knobs.reachabilityFlapAfter, isIdle: true, as: ScheduledWork("loss of reachability")
        ) { [weak self] in self?.beginFlap() }
    }

    private func beginFlap() {
        flap = nil
        let world = pairs[active.place].watch.world
        guard world.facts.isIdleForeground else { return }
        guard world.lastMessage + knobs.reachabilityFlapAfter <= scheduler.now else {
            return scheduleFlap(since: world.lastMessage)
        }
        isFlapping = true
        conditionsChanged()
        guard knobs.flapEndsByItself else { return }
        scheduler.schedule(at: scheduler.now + .seconds(1), as: ScheduledWork("return of reachability")) { [weak self] in self?.endFlap() }
    }

    private func endFlap() {
        guard isFlapping else { return }
        isFlapping = false
        conditionsChanged()
    }

    /// A person does something with the watch itself: opens its app, or unlocks it (W36).
    func personTouches(_ watch: DeviceID) {
        if !watch.isPhone, !knobs.flapEndsByItself { endFlap() }
    }

    // MARK: Stuck transfers

    /// A device has restarted: what got stuck between it and its counterparts goes on (P20).
    func deviceRestarts(_ device: DeviceID) {
        daemon(of: device).freeStuckTransfers()
    }
}
