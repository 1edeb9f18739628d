import WatchConnectivity

/// The remedy of P10: a note stays in the outbox until the counterpart has replied, and goes again when it can. A note that arrives twice is one note.
final class ConfirmedOutboxApp: ChecksThenSendsApp, @unchecked Sendable {
    override func sendOutbox() {
        guard WCSession.default.isReachable else { return }
        for note in outbox {
            WCSession.default.sendMessage(
                ["note": note], replyHandler: { _ in self.outbox.removeAll { $0 == note } },
                errorHandler: { _ in self.sendOutbox() })
        }
    }
}
