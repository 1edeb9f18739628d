import DeviceSimCore
import WatchConnectivity

/// The remedy of P27: what fails as a complication info goes as a user info.
final class ComplicationElseUserInfoApp: ComplicationInfoApp, @unchecked Sendable {
    override func failed(_ info: [String: Any]) {
        WCSession.default.transferUserInfo(info)
    }
}
