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
