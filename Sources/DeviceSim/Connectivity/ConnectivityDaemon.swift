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
    private var messageCount = 0

    /// What a daemon keeps for one counterpart: the channels to it, and what came from it.
    struct Pairing {
        weak var peer: ConnectivityDaemon?
        let contexts: ContextChannel
        let messages: MessageChannel
        var received = ContextInbox()
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
        for message in pairing?.messages.withdrawMessages() ?? [] where recorded {
            record(lost: message.sequence, from: device, process: endpoint.life.number, because: "the sending app ended")
        }
        for message in received {
            undeliverable(message, because: "the receiving app ended", recorded: recorded)
        }
    }

    /// The app was removed, and what it sent and received with it (W53).
    func appWasUninstalled() {
        guard world.knobs.uninstallClearsContexts else { return }
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
            isSessionActivated: endpoint?.activationState == .activated
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
        endpoint?.stateChanged(from: oldState, to: state)
    }

    // MARK: Application context

    func contextArrived(_ update: ContextUpdate) {
        world.recorder.record(.contextArrived, on: device, process: nil, facts: [update.number])
        if let replaced = pairing?.received.arrive(update, keepsIntermediate: world.knobs.duplicateContexts) {
            world.recorder.record(
                .contextReplaced, on: device, process: nil, facts: [replaced.number, .init("from", .text(counterpart.description))])
        }
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
    }

    // MARK: Messages

    /// The number of the next message of this device.
    func nextMessageNumber() -> Int {
        messageCount += 1
        return messageCount
    }

    func send(_ message: MessageEnvelope) {
        pairing?.messages.send(message)
    }

    /// A message has come over the link. The phone's app is started for it (W62), the watch's is not (W63).
    func messageArrived(_ message: MessageEnvelope) {
        world.recorder.record(.messageArrived, on: device, process: nil, facts: [message.number])
        if device.isPhone { host?.wakeApp(for: .message) }
        guard let endpoint else { return undeliverable(message, because: "the receiving app does not run") }
        endpoint.receive(message)
    }

    func responseArrived(_ response: MessageResponse) {
        if endpoint?.take(response) != true {
            world.recorder.record(
                .messageReplyIgnored, on: device, process: endpoint?.life.number,
                facts: [response.number, .init("reason", .text("the sender no longer waits"))])
        }
    }

    /// Sends back what became of a message. Without the link it is lost, and the sender's wait runs out.
    func respond(to message: MessageEnvelope, _ result: Result<Payload, MessageFailure>) {
        let response = MessageResponse(sequence: message.sequence, result: result)
        if world.facts.isInRange {
            pairing?.messages.send(response)
        } else {
            record(lost: response)
        }
    }

    /// W68: without a reply handler nobody is told.
    private func undeliverable(_ message: MessageEnvelope, because reason: String, recorded: Bool = true) {
        if recorded { record(lost: message.sequence, from: counterpart, because: reason) }
        if message.wantsReply {
            respond(to: message, .failure(.init(code: .deliveryFailed, reason: reason)))
        } else {
            tellSenderToExpectNothing(for: message)
        }
    }

    /// W8: a message that arrived goes nowhere. Who waits for a reply to it waits in vain.
    func lose(_ message: MessageEnvelope, process: Int, because reason: String) {
        record(lost: message.sequence, from: counterpart, process: process, because: reason)
        tellSenderToExpectNothing(for: message)
    }

    /// Lets the sender forget a message without a reply handler. Not visible to any app.
    func tellSenderToExpectNothing(for message: MessageEnvelope) {
        pairing?.peer?.endpoint?.expectsNothing(for: message.sequence)
    }

    /// - Parameter sender: Which device's message, or reply, was lost. Its number is that of the message.
    func record(lost sequence: Int, from sender: DeviceID, process: Int? = nil, because reason: String) {
        world.recorder.record(
            .messageLost, on: device, process: process,
            facts: [.init("sequence", .number(sequence)), .init("from", .text(sender.description)), .init("reason", .text(reason))])
    }

    private var counterpart: DeviceID { device.isPhone ? .watch : .phone }

    private func record(lost response: MessageResponse) {
        record(lost: response.sequence, from: device, because: "the link broke before the reply arrived")
    }
}

extension MessageEnvelope {
    var number: TraceEvent.Fact { .init("sequence", .number(sequence)) }
    var facts: [TraceEvent.Fact] { [number, .init("wantsReply", .flag(wantsReply))] + payload.facts }
}

extension MessageResponse {
    var number: TraceEvent.Fact { .init("sequence", .number(sequence)) }
}
