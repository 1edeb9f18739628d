import LocalData
import WatchConnectivity

/// The system's side of a device's session. It outlives the app's processes, and keeps what they handed over and what arrived for them.
///
/// Confined to the simulation's thread.
package final class ConnectivityDaemon {
    let device: DeviceID
    /// What is shared with the counterpart: on a phone, with the active watch.
    private(set) var world: ConnectivityContext
    /// The device. It owns the network, not the other way round.
    weak var host: (any ConnectivityHost)?
    /// Told when a session of this device was activated.
    var onSessionChange: () -> Void = {}
    /// Told when the phone's app is about to learn that the watch's app is not installed (W24).
    var onWatchMissing: () -> Void = {}
    /// What belongs to the counterpart: on a phone, to the active watch.
    private(set) var pairing: Pairing?
    /// What belongs to each of the counterparts: on a phone there may be two.
    package private(set) var pairings: [Pairing] = []
    /// The end of the running process, if one runs.
    private(set) weak var endpoint: SessionEndpoint?
    /// How many messages, user infos and files the device's app wanted to send.
    var messageCount = 0
    var userInfoCount = 0
    var fileCount = 0
    /// How many of the day's wakes of a watch app for content are spent (W151).
    private var wakes = DailyBudget()
    /// Where their order counts across the kinds of what is sent (W72).
    let handovers = HandoverCounter()
    /// What is to stand in the place of the next reply that arrives, see ``CounterpartLie``.
    var lieForNextReply: (lie: CounterpartLie, onTelling: () -> Void)?

    /// W151: takes one from the day's wakes of the app, if it does not run and it is a watch's.
    /// - Returns: whether one was left.
    func spendWake(on host: any ConnectivityHost) -> Bool {
        let limit = world.knobs.watchWakesPerDay
        guard limit > 0, !device.isPhone, host.appState == nil || host.appState == .suspended else { return true }
        return wakes.spend(of: limit, on: DailyBudget.day(at: host.wallClock, reset: .zero))
    }

    init(device: DeviceID, world: ConnectivityContext) {
        self.device = device
        self.world = world
    }

    /// Makes a counterpart known. The first one is the active one.
    func pair(with peer: ConnectivityDaemon, world: ConnectivityContext) {
        let new = Pairing(of: self, with: peer, world: world)
        pairings.append(new)
        if pairing == nil { pairing = new }
    }

    func pairing(with counterpart: DeviceID) -> Pairing? { pairings.first { $0.counterpart == counterpart } }

    /// From now on the counterpart is another one (W12).
    func use(_ counterpart: DeviceID) {
        guard let chosen = pairing(with: counterpart), chosen !== pairing else { return }
        if world.knobs.contextsOutliveSwitch, let pairing { chosen.takeOverContexts(of: pairing) }
        if world.knobs.queuesOutliveSwitch, let pairing { chosen.takeOverQueues(of: pairing, for: self) }
        pairing = chosen
        world = chosen.world
    }

    /// The transfers in the background to and from the counterpart.
    func transfers() -> PairingTransfers? { pairing?.transfers(of: self) }

    // MARK: The app's process

    /// Makes the session's end for a process that starts.
    /// - Parameters:
    ///   - executor: Runs the process's work.
    ///   - enter: Runs a closure in the context of the process, so that `WCSession.default` and `StorageRouter.shared` are its own.
    func makeEndpoint(
        life: ProcessLife, executor: ProcessExecutor, enter: @escaping (() -> Void) -> Void
    ) -> SessionEndpoint {
        let endpoint = SessionEndpoint(daemon: self, life: life, executor: executor, enter: enter)
        self.endpoint = endpoint
        return endpoint
    }

    /// The process ended; `endpoint` is dead from now on. Everything that was handed to the daemon stays, except messages, which are
    /// never kept (W70). The device calls ``ConnectivityNetwork/conditionsChanged()`` next.
    /// - Parameter recorded: Whether what is lost thereby appears in the trace.
    func processEnded(_ endpoint: SessionEndpoint, recorded: Bool = true) {
        guard self.endpoint === endpoint else { return endpoint.end() }
        let received = endpoint.takeUndeliveredMessages()
        let pairing = endpoint.pairing ?? pairing
        endpoint.end()
        self.endpoint = nil
        if let pairing { interruptDelivery(in: pairing) }
        for message in pairing?.messages.withdrawMessages() ?? [] where recorded {
            record(lost: message.sequence, from: device, process: endpoint.life.number, because: "the sending app ended")
        }
        // Ending the watch app frees what got stuck (P20).
        if !device.isPhone { freeStuckTransfers() }
        for message in received {
            undeliverable(message.envelope, in: message.pairing, because: "the receiving app ended", recorded: recorded)
        }
    }

    /// The app was removed, and what it sent and received with it (W53).
    func appWasUninstalled() {
        for pairing in pairings {
            pairing.transfers?.clear()
            pairing.peer?.pairing(with: device)?.transfers?.counterpartLostContent()
        }
        guard world.knobs.uninstallClearsContexts else { return }
        clearContexts()
    }

    /// The device was erased, or a backup was restored to it: neither brings back what the session held (W15).
    func wasErased() {
        clearContexts()
        appWasUninstalled()
    }

    func clearContexts() {
        for pairing in pairings { pairing.clearContexts() }
    }

    /// The phone is paired with that watch anew, and what was said before was of another pairing (W15).
    /// - Parameter isAnotherPaired: What the phone has once for all its watches it keeps then (`Knobs.contextsOutliveSwitch`).
    func pairingBegins(_ pairing: Pairing, isAnotherPaired: Bool) {
        guard !isAnotherPaired || !world.knobs.contextsOutliveSwitch else { return }
        pairing.clearContexts()
    }

    /// The phone is not paired with that watch any more: what waits on either way belonged to the pairing (W15). What the phone had queued fails, or is gone
    /// (`Knobs.unpairingFailsTransfers`).
    /// - Parameter isAnotherPaired: What the phone has once for all its watches it keeps then (`Knobs.queuesOutliveSwitch`).
    func pairingEnded(_ pairing: Pairing, isAnotherPaired: Bool) {
        for folder in pairing.waitingFiles { host?.files?.removeReceivedFile(folder: folder) }
        pairing.end(keepsQueues: isAnotherPaired && world.knobs.queuesOutliveSwitch)
        pairing.peer?.pairing(with: device)?.transfers?.counterpartLostContent()
        endpoint?.queue.async { [weak endpoint] in endpoint?.tellPending() }
    }

    // MARK: Conditions

    func facts() -> SideFacts {
        guard let host else { return SideFacts(isPoweredOn: false) }
        return SideFacts(
            isPoweredOn: host.state.isPoweredOn,
            wasUnlockedSinceBoot: host.state.lockState != .beforeFirstUnlock,
            isAppInstalled: host.isAppInstalled,
            appState: host.appState,
            hasHighPriority: host.hasHighPriority,
            isSessionActivated: endpoint?.activationState == .activated,
            isComplicationOnFace: host.isComplicationOnFace,
            hasRefreshTime: host.hasRefreshTime && world.knobs.refreshReachesPhone
        )
    }

    /// Whether the device can have a session: a watch always can, a phone that cannot pair has none.
    var isSupported: Bool { !device.isPhone || world.phoneCanPair }

    /// Why a session on this device never becomes activated (W16).
    var activationProblem: WCError.Code? {
        if !isSupported { return .sessionNotSupported }
        return !device.isPhone && world.isWatchOnlyApp ? .watchOnlyApp : nil
    }

    var sessionState: SessionState { world.facts.state(of: device) }

    /// The conditions of one of the pairings changed.
    func conditionsChanged(of pairing: Pairing, from old: PairFacts, to new: PairFacts) {
        let state = new.state(of: device)
        let oldState = old.state(of: device)
        if !state.isReachable && oldState.isReachable {
            for message in pairing.messages.withdrawMessages() {
                endpoint?.fail(message.sequence, .init(code: .notReachable, reason: "reachability was lost before the message left"))
            }
        }
        if !new.isInRange {
            for response in pairing.messages.withdrawResponses() { lose(response, in: pairing) }
        }
        pairing.contexts.conditionsChanged()
        if !world.knobs.transfersOutliveRemovedApp, new.isInRange, !(device.isPhone ? new.watch : new.phone).isAppInstalled {
            pairing.transfers?.fail(
                .init(code: device.isPhone ? .watchAppNotInstalled : .companionAppNotInstalled, reason: "the app was removed"))
        }
        pairing.transfers?.conditionsChanged()
        if let endpoint, endpoint.pairing === pairing { endpoint.stateChanged(from: oldState, to: state) }
    }

    // MARK: Application context

    func contextArrived(_ update: ContextUpdate) {
        world.recorder.record(.contextArrived, on: device, process: nil, facts: [update.number])
        var update = update
        update.arrival = pairing?.nextArrival() ?? 0
        if let replaced = pairing?.received.arrive(update, keepsIntermediate: world.knobs.duplicateContexts) {
            world.recorder.record(
                .contextReplaced, on: device, process: nil, facts: [replaced.number, .init("from", .text(counterpart.description))])
        }
        contentArrived(for: .context)
        endpoint?.deliverContexts(1)
    }

    /// W9: hands over what arrived while no session was activated.
    func sessionWasActivated(_ endpoint: SessionEndpoint) {
        onSessionChange()
        endpoint.deliverWaitingMessages()
        if let pairing { deliverWaitingContent(to: endpoint, of: pairing) }
    }

    /// Hands over what waits of one counterpart, in the background.
    func deliverWaitingContent(to endpoint: SessionEndpoint, of pairing: Pairing) {
        if world.knobs.duplicateContexts {
            pairing.received.repeatLast(1 + world.random.below(2))
        }
        endpoint.deliverContexts(pairing.received.undelivered.count)
        endpoint.deliverOutcomes()
        endpoint.deliverTransfers()
    }
}
