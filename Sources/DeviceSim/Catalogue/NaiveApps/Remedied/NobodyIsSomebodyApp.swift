import DeviceSimCore
import WatchConnectivity

/// The remedy of P38: that nobody is signed in is a state, which is sent like any other; and what comes for an account takes the place of all that was there.
final class NobodyIsSomebodyApp: SignedOutApp, @unchecked Sendable {
    override func tell() throws {
        try WCSession.default.updateApplicationContext(account.map { ["account": $0, "notes": notes] } ?? ["notes": [String]()])
    }

    override func take(_ account: String?, _ new: [String]) {
        self.account = account
        notes = new
    }
}
