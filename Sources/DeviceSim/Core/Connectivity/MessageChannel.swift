import Foundation
import WatchConnectivity

/// A message on the link or waiting at the receiver.
struct MessageEnvelope: Sendable {
    /// Counts the messages of the sending device, from 1.
    let sequence: Int
    let payload: Payload
    let wantsReply: Bool
}

/// What comes back for a message: the receiver's reply, or why there is none.
struct MessageResponse: Sendable {
    /// The message's own number.
    let sequence: Int
    let result: Result<Payload, SendFailure>
}

/// Carries messages, and the responses to messages of the other direction, from one device to the other, in order (W61).
///
/// Confined to the simulation's thread.
final class MessageChannel {
    private enum Content {
        case message(MessageEnvelope)
        case response(MessageResponse)
    }

    private struct Parcel {
        let due: VirtualTime
        let content: Content
    }

    private let world: ConnectivityContext
    private weak var receiver: ConnectivityDaemon?
    private var parcels: [Parcel] = []
    private var head = 0
    private var timer: TimerID?

    init(to receiver: ConnectivityDaemon, world: ConnectivityContext) {
        self.receiver = receiver
        self.world = world
    }

    /// What is on the link, in order.
    var onLink: [(number: Int, isReply: Bool, payload: Payload?)] {
        parcels[head...].map { parcel in
            switch parcel.content {
            case .message(let message): (message.sequence, false, message.payload)
            case .response(let response): (response.sequence, true, try? response.result.get())
            }
        }
    }

    func send(_ message: MessageEnvelope) { add(.message(message)) }
    func send(_ response: MessageResponse) { add(.response(response)) }

    /// Takes the messages off the link that have not arrived, in order.
    func withdrawMessages() -> [MessageEnvelope] {
        var messages: [MessageEnvelope] = []
        let kept = parcels[head...].filter { parcel in
            guard case .message(let message) = parcel.content else { return true }
            messages.append(message)
            return false
        }
        if !messages.isEmpty { replace(by: Array(kept)) }
        return messages
    }

    /// Takes the responses off the link that have not arrived, in order.
    func withdrawResponses() -> [MessageResponse] {
        var responses: [MessageResponse] = []
        let kept = parcels[head...].filter { parcel in
            guard case .response(let response) = parcel.content else { return true }
            responses.append(response)
            return false
        }
        if !responses.isEmpty { replace(by: Array(kept)) }
        return responses
    }

    private func add(_ content: Content) {
        world.lastMessage = world.scheduler.now
        parcels.append(Parcel(due: world.departure + world.latency, content: content))
        if timer == nil { schedule() }
    }

    private func replace(by kept: [Parcel]) {
        parcels = kept
        head = 0
        if let timer { world.scheduler.cancel(timer) }
        timer = nil
        schedule()
    }

    /// One timer, for the first parcel: the order of arrival then does not hang on the order of timers, and where the latency became
    /// shorter nothing overtakes what left before.
    private func schedule() {
        guard timer == nil, head < parcels.count else { return }
        timer = world.scheduler.schedule(
            at: parcels[head].due, as: ScheduledWork("arrival of a message or reply", of: receiver?.device.description)
        ) { [weak self] in self?.arrive() }
    }

    private func arrive() {
        timer = nil
        while head < parcels.count, parcels[head].due <= world.scheduler.now {
            let parcel = parcels[head]
            head += 1
            switch parcel.content {
            case .message(let message): receiver?.messageArrived(message)
            case .response(let response): receiver?.responseArrived(response)
            }
        }
        if head == parcels.count {
            parcels.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 64, head * 2 >= parcels.count {
            parcels.removeFirst(head)
            head = 0
        }
        schedule()
    }
}

/// What an app gave to be called with the outcome of a message.
struct MessageHandlers {
    let reply: ((Payload) -> Void)?
    let error: ((any Error) -> Void)?

    init(reply: (([String: Any]) -> Void)?, error: ((any Error) -> Void)?, integerBitWidth: Int) {
        self.reply = reply.map { reply in { reply($0.dictionary(for: integerBitWidth)) } }
        self.error = error
    }

    init(dataReply: ((Data) -> Void)?, error: ((any Error) -> Void)?) {
        reply = dataReply.map { reply in { reply($0.data) } }
        self.error = error
    }
}

/// A sent message whose outcome the sender does not know yet.
///
/// Confined to the simulation's thread.
final class PendingMessage {
    let handlers: MessageHandlers
    /// Ends the wait for a reply (W67).
    var timeout: TimerID?
    /// Ends the wait until the counterpart's app was given the message (W140).
    var handover: TimerID?
    /// Whether the outcome is decided, and the handler on its way to be called (W65).
    var isSettled = false

    init(handlers: MessageHandlers) {
        self.handlers = handlers
    }
}

/// What an app can send through.
enum SendChannel: Sendable, Hashable {
    case applicationContext
    case message
    /// A user info, a complication's, or a file.
    case transfer
}

/// What decides, before the payload is looked at, whether a session takes something to send.
struct SendConditions: Sendable, Hashable {
    /// False on a phone that cannot have a watch.
    var isSupported = true
    var activation: WCSessionActivationState
    var hasDelegate: Bool
    var state: SessionState
    var device: DeviceID

    /// Why `channel` refuses, or `nil` if it does not.
    ///
    /// The order of the checks is that of the facts' weight: whether there can be a session at all; without an activated session nothing else is known; then who would be told,
    /// who is there, and what the channel needs (W7, W8, W51, W60). Types and size of the payload come after all of these (W103).
    func refusal(for channel: SendChannel) -> WCError.Code? {
        if !isSupported { return .sessionNotSupported }
        switch activation {
        case .notActivated: return .sessionNotActivated
        case .inactive: return .sessionInactive
        case .activated: break
        }
        if !hasDelegate { return .sessionMissingDelegate }
        if !state.isPaired { return .deviceNotPaired }
        if !state.isCounterpartInstalled && !state.takesSendsUnnoticed {
            return device.isPhone ? .watchAppNotInstalled : .companionAppNotInstalled
        }
        if channel == .message && !state.isReachable { return .notReachable }
        return nil
    }
}

/// Why something that an app sent did not get through.
package struct SendFailure: Error, Sendable, Hashable {
    let code: WCError.Code
    let reason: String

    init(code: WCError.Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    init(_ problem: PayloadProblem) {
        self.init(code: problem.code, reason: problem.reason)
    }

    var error: WCError { WCError(code, failureReason: reason) }
    var facts: [TraceEvent.Fact] {
        [.init("error", .text(code.name)), .init("code", .number(code.rawValue)), .init("reason", .text(reason))]
    }
}
