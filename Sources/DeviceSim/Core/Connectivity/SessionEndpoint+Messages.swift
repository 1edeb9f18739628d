import Foundation
import WatchConnectivity

/// Messages, as their sender sees them.
extension SessionEndpoint {
    package func sendMessage(_ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)?) {
        let width = integerBitWidth
        let handlers = MessageHandlers(reply: replyHandler, error: errorHandler, integerBitWidth: width)
        send(handlers, call: "sendMessage") { limit throws(PayloadProblem) in
            try Payload(message, limit: limit, integerBitWidth: width)
        }
    }

    package func sendMessageData(_ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)?) {
        let handlers = MessageHandlers(dataReply: replyHandler, error: errorHandler)
        send(handlers, call: "sendMessageData") { limit throws(PayloadProblem) in try Payload(data, limit: limit) }
    }

    private func send(
        _ handlers: MessageHandlers, call: StaticString, payload makePayload: (_ limit: Int) throws(PayloadProblem) -> Payload
    ) {
        guard queue.isOnHomeThread, life.isAlive, let daemon else { return refuse(handlers, call: call) }
        let sequence = daemon.nextMessageNumber()
        let pending = PendingMessage(handlers: handlers)
        self.pending[sequence] = pending
        if let code = conditions(daemon).refusal(for: .message) {
            return fail(sequence, SendFailure(code: code, reason: code.name))
        }
        let payload: Payload
        do {
            payload = try makePayload(daemon.world.knobs.messageLimit)
        } catch {
            return fail(sequence, SendFailure(code: error.code, reason: error.reason), error.facts)
        }
        let message = MessageEnvelope(sequence: sequence, payload: payload, wantsReply: handlers.reply != nil)
        record(.messageSent, message.facts)
        if message.wantsReply {
            let scheduler = daemon.world.scheduler
            let due = scheduler.now + daemon.world.knobs.messageReplyTimeout
            pending.timeout = scheduler.schedule(at: due, as: ScheduledWork("timeout of a reply", of: daemon.device)) { [weak self] in
                self?.fail(sequence, SendFailure(code: .messageReplyTimedOut, reason: "no reply came in time"))
            }
        }
        let limit = daemon.world.knobs.messageTransferTimeout
        if limit > .zero, message.wantsReply || handlers.error != nil {
            let scheduler = daemon.world.scheduler
            pending.handover = scheduler.schedule(at: scheduler.now + limit) { [weak self] in self?.transferTimedOut(sequence) }
        }
        let knobs = daemon.world.knobs
        if knobs.phantomReachability, knobs.phantomSide.includes(daemon.device) { return loseToPhantom(message, daemon.world) }
        daemon.send(message)
    }

    private func transferTimedOut(_ sequence: Int) {
        fail(sequence, SendFailure(code: .transferTimedOut, reason: "the counterpart's app was not given the message in time"))
    }

    /// The counterpart's app was given the message. A wait for its reply goes on.
    func wasHandedOver(_ sequence: Int) {
        guard let message = pending[sequence], let handover = message.handover else { return }
        daemon?.world.scheduler.cancel(handover)
        message.handover = nil
    }

    /// W37: the counterpart only seemed to be reachable. A wait for a reply may as well end by its timeout, and so may that for the transfer.
    private func loseToPhantom(_ message: MessageEnvelope, _ world: ConnectivityContext) {
        let codes: [WCError.Code] = [.notReachable, .deliveryFailed, .transferTimedOut, .messageReplyTimedOut]
        let code = codes[world.random.below(message.wantsReply ? 4 : 3)]
        if code == .transferTimedOut, pending[message.sequence]?.handover != nil { return }
        wasHandedOver(message.sequence)
        guard code != .messageReplyTimedOut else { return }
        world.scheduler.schedule(at: world.departure + world.latency, as: ScheduledWork("failure of a message")) { [weak self] in
            self?.fail(message.sequence, SendFailure(code: code, reason: "the counterpart only seemed to be reachable"))
        }
    }

    /// Answers a call of an ended process, or one from another thread.
    private func refuse(_ handlers: MessageHandlers, call: StaticString) {
        guard queue.isOnHomeThread else {
            _ = liveDaemon(for: call)
            handlers.error?(WCError(.genericError, failureReason: "called from a thread that is not the simulation's"))
            return
        }
        unwind(handlers)
    }

    /// Calls one of the handlers, so that what waits for it in an ended process goes on to its end.
    func unwind(_ handlers: MessageHandlers) {
        if let error = handlers.error {
            queue.unwind { error(WCError(.deliveryFailed, failureReason: "the app's process ended")) }
        } else if let reply = handlers.reply {
            queue.unwind { reply(.nothing) }
        }
    }

    // MARK: The outcome

    /// The message failed. Without effect if its outcome is decided.
    func fail(_ sequence: Int, _ failure: SendFailure, _ details: [TraceEvent.Fact] = []) {
        settle(sequence) { endpoint, handlers in
            endpoint.record(.messageFailed, [.init("sequence", .number(sequence))] + failure.facts + details)
            if let error = handlers.error {
                error(failure.error)
            } else {
                endpoint.recordUnobserved("message", sequence, failure, because: "the message has no error handler")
            }
        }
    }

    /// Nothing will come back for the message any more, unless it asked for a reply: the wait for that has its own end.
    func expectsNothing(for sequence: Int) {
        guard let message = pending[sequence], message.handlers.reply == nil, !message.isSettled else { return }
        wasHandedOver(sequence)
        pending[sequence] = nil
    }

    /// A response came for a message.
    /// - Returns: whether the message still waited for one.
    func take(_ response: MessageResponse) -> Bool {
        let sequence = response.sequence
        guard let message = pending[sequence], !message.isSettled else { return false }
        switch response.result {
        case .failure(let failure):
            fail(sequence, failure)
        case .success(let payload):
            settle(sequence) { endpoint, handlers in
                endpoint.record(.messageReplyDelivered, [response.number] + payload.facts)
                handlers.reply?(payload)
            }
        }
        return true
    }

    /// Decides the outcome, once; the handler is called on the session's queue (W11, W65).
    private func settle(_ sequence: Int, _ call: @escaping (SessionEndpoint, MessageHandlers) -> Void) {
        guard let message = pending[sequence], !message.isSettled else { return }
        message.isSettled = true
        for timer in [message.timeout, message.handover].compactMap({ $0 }) { daemon?.world.scheduler.cancel(timer) }
        queue.async { [weak self] in
            // The process's end calls the handlers of what is still pending, so nothing may stay pending that was called.
            guard let self, let message = self.pending.removeValue(forKey: sequence) else { return }
            call(self, message.handlers)
        }
    }
}

/// Messages, as their receiver sees them.
extension SessionEndpoint {
    /// A message arrived for this process. Before activation it waits (W9).
    func receive(_ message: MessageEnvelope) {
        undelivered.append(ReceivedMessage(envelope: message, pairing: daemon?.pairing))
        if isReceiving { deliverMessages(1) }
    }

    func deliverWaitingMessages() {
        deliverMessages(undelivered.count)
    }

    /// The messages that the delegate was not given, which now it never will be.
    func takeUndeliveredMessages() -> [ReceivedMessage] {
        defer { undelivered.removeAll() }
        return undelivered
    }

    private func deliverMessages(_ count: Int) {
        for _ in 0..<count {
            queue.async { [weak self] in self?.deliverMessage() }
        }
    }

    /// W64: the variant that was asked for, and no other.
    private func deliverMessage() {
        guard let daemon, isReceiving, !undelivered.isEmpty else { return }
        let (message, pairing) = (undelivered[0].envelope, undelivered[0].pairing)
        undelivered.removeFirst()
        guard !hasCancelledMessages else {
            return daemon.undeliverable(message, in: pairing, because: "the person is changing watches")
        }
        daemon.tellSenderOfHandover(of: message, in: pairing)
        guard let delegate = session.delegate else {
            return daemon.lose(message, in: pairing, process: life.number, because: "the session has no delegate")
        }
        let (payload, width) = (message.payload, integerBitWidth)
        let token = ReplyToken(endpoint: self, message: message, sender: pairing?.counterpart)
        let isImplemented = deliver(.messageDelivered, message.facts + sender(in: pairing)) {
            switch (payload.content, message.wantsReply) {
            case (.dictionary, false): delegate.session(session, didReceiveMessage: payload.dictionary(for: width))
            case (.data, false): delegate.session(session, didReceiveMessageData: payload.data)
            case (.dictionary, true):
                delegate.session(session, didReceiveMessage: payload.dictionary(for: width)) { reply in
                    token.answer { limit throws(PayloadProblem) in try Payload(reply, limit: limit, integerBitWidth: width) }
                }
            case (.data, true):
                delegate.session(session, didReceiveMessageData: payload.data) { reply in
                    token.answer { limit throws(PayloadProblem) in try Payload(reply, limit: limit) }
                }
            }
        }
        if isImplemented {
            daemon.tellSenderToExpectNothing(for: message, in: pairing)
        } else {
            let failure = SendFailure(code: .deliveryFailed, reason: "the counterpart's delegate lacks the method")
            daemon.respond(to: message, in: pairing, .failure(failure))
        }
    }

    /// The app called a reply handler.
    fileprivate func reply(
        to message: MessageEnvelope, of sender: DeviceID?, again: Bool,
        _ makePayload: (_ limit: Int) throws(PayloadProblem) -> Payload
    ) {
        guard let daemon = liveDaemon(for: "replyHandler") else { return }
        guard !again else {
            return record(.messageReplyIgnored, [message.number, .init("reason", .text("the handler was called before"))])
        }
        let pairing = sender.flatMap(daemon.pairing(with:))
        do {
            let payload = try makePayload(daemon.world.knobs.messageLimit)
            record(.messageReplied, [message.number] + payload.facts)
            guard !hasCancelledMessages else {
                return daemon.record(
                    lost: MessageResponse(sequence: message.sequence, result: .success(payload)), because: "the person is changing watches")
            }
            daemon.respond(to: message, in: pairing, .success(payload))
        } catch {
            record(.messageReplied, [message.number, .init("error", .text(error.code.name))] + error.facts)
            let code = daemon.world.knobs.badReplyIsReplyFailed ? WCError.Code.messageReplyFailed : error.code
            daemon.respond(to: message, in: pairing, .failure(.init(code: code, reason: "the reply: \(error.reason)")))
        }
    }
}

/// A message that waits for the delegate, and who sent it.
struct ReceivedMessage {
    let envelope: MessageEnvelope
    let pairing: Pairing?
}

/// The right to answer one message, once. An app may let go of it, and the sender's wait then runs out (W67).
///
/// Confined to the simulation's thread.
private final class ReplyToken {
    private weak var endpoint: SessionEndpoint?
    private let message: MessageEnvelope
    /// Apps may keep a reply handler for ever, and must not keep a simulation with it.
    private let sender: DeviceID?
    private var isUsed = false

    init(endpoint: SessionEndpoint, message: MessageEnvelope, sender: DeviceID?) {
        self.endpoint = endpoint
        self.message = message
        self.sender = sender
    }

    func answer(_ payload: (_ limit: Int) throws(PayloadProblem) -> Payload) {
        guard let endpoint, endpoint.queue.isOnHomeThread else {
            _ = endpoint?.liveDaemon(for: "replyHandler")
            return
        }
        endpoint.reply(to: message, of: sender, again: isUsed, payload)
        isUsed = true
    }
}
