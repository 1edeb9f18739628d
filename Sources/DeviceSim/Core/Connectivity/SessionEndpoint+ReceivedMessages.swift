import Foundation
import WatchConnectivity

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
        let isImplemented = deliver(.messageDelivered, message.facts) {
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
