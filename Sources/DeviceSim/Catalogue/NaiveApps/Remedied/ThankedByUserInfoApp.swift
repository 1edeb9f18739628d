import WatchConnectivity

/// The remedy of P41: the acknowledgement is a user info, which waits for the sender as the note waited for the receiver.
final class ThankedByUserInfoApp: ThankedByMessageApp, @unchecked Sendable {
    override func thank(for note: String) {
        WCSession.default.transferUserInfo(["stored": note])
    }
}
