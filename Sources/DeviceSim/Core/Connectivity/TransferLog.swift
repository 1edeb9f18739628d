import WatchConnectivity

/// What a scenario knows of one transfer that it asked for.
///
/// Confined to the simulation's thread.
package final class TransferLog: @unchecked Sendable {
    package let device: DeviceID
    package let kind: TransferChannelKind
    /// Told when the app's call has returned.
    package var number: Int?
    /// What the app's `didFinish` was told, each time.
    package private(set) var endings: [(any Error)?] = []
    /// What the app got from the call.
    package var fileTransfer: WCSessionFileTransfer?

    package init(device: DeviceID, kind: TransferChannelKind) {
        self.device = device
        self.kind = kind
    }

    func finish(_ error: (any Error)?) { endings.append(error) }

    package var error: (any Error)? { endings.lazy.compactMap { $0 }.first }
}

extension AppBehaviour {
    /// The app's `didFinish` was called.
    func transferFinished(_ kind: TransferChannelKind, number: Int?, _ error: (any Error)?) {
        transferLogs.first { $0.kind == kind && $0.number == number }?.finish(error)
    }
}
