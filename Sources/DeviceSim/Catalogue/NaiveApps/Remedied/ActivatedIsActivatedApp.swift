import DeviceSimCore
import WatchConnectivity

/// The remedy of P32: looks at the state. After an inactive one comes `sessionDidDeactivate(_:)`, and another activation.
final class ActivatedIsActivatedApp: NoErrorIsActivatedApp, @unchecked Sendable {
    override func isReady(_ state: WCSessionActivationState, _ error: (any Error)?) -> Bool { state == .activated }
}
