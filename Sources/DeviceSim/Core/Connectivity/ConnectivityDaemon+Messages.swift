import WatchConnectivity

/// Messages: what a daemon does for those of its own app, and for those that arrive.
extension ConnectivityDaemon {
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
        guard let endpoint else { return undeliverable(message, in: pairing, because: "the receiving app does not run") }
        endpoint.receive(message)
    }

    func responseArrived(_ answer: MessageResponse) {
        let response = falsified(answer)
        if endpoint?.take(response) != true {
            world.recorder.record(
                .messageReplyIgnored, on: device, process: endpoint?.life.number,
                facts: [response.number, .init("reason", .text("the sender no longer waits"))])
        }
    }

    /// Sends back what became of a message. Without the link it is lost, and the sender's wait runs out.
    /// - Parameter pairing: Through which the message came.
    func respond(to message: MessageEnvelope, in pairing: Pairing?, _ result: Result<Payload, SendFailure>) {
        let response = MessageResponse(sequence: message.sequence, result: result)
        if let pairing, pairing.world.facts.isInRange {
            pairing.messages.send(response)
        } else {
            lose(response, in: pairing)
        }
    }

    /// The link broke before a reply arrived: its message waits for its timeout, or fails at once (W141).
    func lose(_ response: MessageResponse, in pairing: Pairing?) {
        record(lost: response)
        guard world.knobs.lostReplyFails else { return }
        pairing?.peer?.endpoint?.fail(response.sequence, SendFailure(code: .messageReplyFailed, reason: "the reply was lost on its way"))
    }

    /// The app was given a message: from now on its sender waits for the reply only (W140). Not visible to any app.
    func tellSenderOfHandover(of message: MessageEnvelope, in pairing: Pairing?) {
        pairing?.peer?.endpoint?.wasHandedOver(message.sequence)
    }

    /// W68: without a reply handler nobody is told.
    func undeliverable(_ message: MessageEnvelope, in pairing: Pairing?, because reason: String, recorded: Bool = true) {
        if recorded { record(lost: message.sequence, from: pairing?.counterpart ?? counterpart, because: reason) }
        if message.wantsReply {
            respond(to: message, in: pairing, .failure(.init(code: .deliveryFailed, reason: reason)))
        } else {
            if recorded { recordUnobserved(message, in: pairing, because: reason) }
            tellSenderToExpectNothing(for: message, in: pairing)
        }
    }

    /// W8: a message that arrived goes nowhere. Who waits for a reply to it waits in vain.
    func lose(_ message: MessageEnvelope, in pairing: Pairing?, process: Int, because reason: String) {
        record(lost: message.sequence, from: pairing?.counterpart ?? counterpart, process: process, because: reason)
        if !message.wantsReply { recordUnobserved(message, in: pairing, because: reason) }
        tellSenderToExpectNothing(for: message, in: pairing)
    }

    /// Lets the sender forget a message without a reply handler. Not visible to any app.
    func tellSenderToExpectNothing(for message: MessageEnvelope, in pairing: Pairing?) {
        pairing?.peer?.endpoint?.expectsNothing(for: message.sequence)
    }

    /// A message without a reply handler was lost: its sender will never know.
    private func recordUnobserved(_ message: MessageEnvelope, in pairing: Pairing?, because reason: String) {
        world.recorder.record(
            .unobservedFailure, on: pairing?.counterpart ?? counterpart, process: nil,
            facts: [
                .init("what", .text("message")), message.number, .init("error", .text(WCError.Code.deliveryFailed.name)),
                .init("reason", .text(reason)), .init("because", .text("the message has no reply handler")),
            ])
    }

    /// - Parameter sender: Which device's message, or reply, was lost. Its number is that of the message.
    func record(lost sequence: Int, from sender: DeviceID, process: Int? = nil, because reason: String) {
        world.recorder.record(
            .messageLost, on: device, process: process,
            facts: [.init("sequence", .number(sequence)), .init("from", .text(sender.description)), .init("reason", .text(reason))])
    }

    /// On a phone, the active watch.
    var counterpart: DeviceID { pairing?.counterpart ?? (device.isPhone ? .watch : .phone) }

    func record(lost response: MessageResponse, because reason: String = "the link broke before the reply arrived") {
        record(lost: response.sequence, from: device, because: reason)
    }
}

extension MessageEnvelope {
    var number: TraceEvent.Fact { .init("sequence", .number(sequence)) }
    var facts: [TraceEvent.Fact] { [number, .init("wantsReply", .flag(wantsReply))] + payload.facts }
}

extension MessageResponse {
    var number: TraceEvent.Fact { .init("sequence", .number(sequence)) }
}
