import Foundation

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
