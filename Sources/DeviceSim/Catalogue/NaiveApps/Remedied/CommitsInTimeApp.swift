import DeviceSimCore

/// The remedy of P51: the transaction ends before the app can be suspended.
final class CommitsInTimeApp: LockHoldingApp, @unchecked Sendable {
    override func didEnterBackground() async { commit() }
}
