import LocalData
import WatchConnectivity

/// The system's side of a device's session. It outlives the app's processes, and keeps what they handed over and what arrived for them.
///
/// Confined to the simulation's thread.
final class ConnectivityDaemon {
    let device: DeviceID
    let world: ConnectivityWorld
    /// The device. It owns the network, not the other way round.
    weak var host: (any ConnectivityHost)?
    /// Told when a session of this device was activated.
    var onSessionChange: () -> Void = {}
    /// What belongs to one counterpart.
    private(set) var pairing: Pairing?
    /// The end of the running process, if one runs.
    private(set) weak var endpoint: SessionEndpoint?
    /// How many messages, user infos and files the device's app wanted to send.
    var messageCount = 0
    var userInfoCount = 0
    var fileCount = 0

    /// What a daemon keeps for one counterpart: the channels to it, and what came from it.
    struct Pairing {
        weak var peer: ConnectivityDaemon?
        let contexts: ContextChannel
        let messages: MessageChannel
        var received = ContextInbox()
        /// `nil` until something is transferred, so that a run without transfers does not pay for them.
        var transfers: PairingTransfers?
    }

    init(device: DeviceID, world: ConnectivityWorld) {
        self.device = device
        self.world = world
    }

    func pair(with peer: ConnectivityDaemon) {
        pairing = Pairing(
            peer: peer,
            contexts: ContextChannel(from: device, to: peer, world: world),
            messages: MessageChannel(to: peer, world: world)
        )
    }

    /// The transfers in the background to and from the counterpart.
    func transfers() -> PairingTransfers? {
        if let transfers = pairing?.transfers { return transfers }
        guard let peer = pairing?.peer else { return nil }
        let transfers = PairingTransfers(from: self, to: peer, world: world)
        pairing?.transfers = transfers
        return transfers
    }

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
        endpoint.end()
        self.endpoint = nil
        interruptDelivery()
        for message in pairing?.messages.withdrawMessages() ?? [] where recorded {
            record(lost: message.sequence, from: device, process: endpoint.life.number, because: "the sending app ended")
        }
        for message in received {
            undeliverable(message, because: "the receiving app ended", recorded: recorded)
        }
    }

    /// The app was removed, and what it sent and received with it (W53).
    func appWasUninstalled() {
        pairing?.transfers?.clear()
        guard world.knobs.uninstallClearsContexts else { return }
        clearContexts()
    }

    /// Contexts are in no backup, and a new pairing begins without any (W15).
    func clearContexts() {
        pairing?.contexts.clear()
        pairing?.received = ContextInbox()
    }

    // MARK: Conditions

    func facts() -> SideFacts {
        guard let host else { return SideFacts(isPoweredOn: false) }
        return SideFacts(
            isPoweredOn: host.state.isPoweredOn,
            wasUnlockedSinceBoot: host.state.lockState != .beforeFirstUnlock,
            isAppInstalled: host.isAppInstalled,
            appState: host.appState,
            isSessionActivated: endpoint?.activationState == .activated,
            isComplicationOnFace: host.isComplicationOnFace
        )
    }

    var sessionState: SessionState { world.facts.state(of: device) }

    func conditionsChanged(from old: PairFacts, to new: PairFacts) {
        let state = new.state(of: device)
        let oldState = old.state(of: device)
        if !state.isReachable && oldState.isReachable {
            for message in pairing?.messages.withdrawMessages() ?? [] {
                endpoint?.fail(message.sequence, .init(code: .notReachable, reason: "reachability was lost before the message left"))
            }
        }
        if !new.isInRange {
            for response in pairing?.messages.withdrawResponses() ?? [] {
                record(lost: response)
            }
        }
        pairing?.contexts.conditionsChanged()
        pairing?.transfers?.conditionsChanged()
        endpoint?.stateChanged(from: oldState, to: state)
    }

    // MARK: Application context

    func contextArrived(_ update: ContextUpdate) {
        world.recorder.record(.contextArrived, on: device, process: nil, facts: [update.number])
        if let replaced = pairing?.received.arrive(update, keepsIntermediate: world.knobs.duplicateContexts) {
            world.recorder.record(
                .contextReplaced, on: device, process: nil, facts: [replaced.number, .init("from", .text(counterpart.description))])
        }
        contentArrived(for: .context)
        endpoint?.deliverContexts(1)
    }

    /// The next context that the app has not been given.
    func takeNextContext() -> ContextUpdate? {
        pairing?.received.takeNext()
    }

    /// W9: hands over what arrived while no session was activated.
    func sessionWasActivated(_ endpoint: SessionEndpoint) {
        onSessionChange()
        endpoint.deliverWaitingMessages()
        if world.knobs.duplicateContexts {
            pairing?.received.repeatLast(1 + world.random.below(2))
        }
        endpoint.deliverContexts(pairing?.received.undelivered.count ?? 0)
        endpoint.deliverOutcomes()
        endpoint.deliverTransfers()
    }
}
