import Foundation
import WatchConnectivity

/// What `WCSession.default` asks in an extension of the app: nothing is supported there, as developers report. Calls do nothing; those that could fail do.
///
/// Confined to the simulation's thread.
final class ExtensionSession: WCSessionBackend, @unchecked Sendable {
    private(set) lazy var session = WCSession(backend: self)

    let isSupported = false
    let activationState = WCSessionActivationState.notActivated
    let hasContentPending = false
    let isPaired = false
    let isWatchAppInstalled = false
    let isComplicationEnabled = false
    let remainingComplicationUserInfoTransfers = 0
    let watchDirectoryURL: URL? = nil
    let isCompanionAppInstalled = false
    let iOSDeviceNeedsUnlockAfterRebootForReachability = false
    let isReachable = false
    var applicationContext: [String: Any] { [:] }
    var receivedApplicationContext: [String: Any] { [:] }
    let outstandingUserInfoTransfers: [WCSessionUserInfoTransfer] = []
    let outstandingFileTransfers: [WCSessionFileTransfer] = []

    private var refusal: any Error { WCError(.sessionNotSupported) }

    func activate() {}

    func sendMessage(_ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)?) {
        errorHandler?(refusal)
    }

    func sendMessageData(_ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)?) {
        errorHandler?(refusal)
    }

    func updateApplicationContext(_ applicationContext: [String: Any]) throws { throw refusal }

    func transferUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer { WCSessionUserInfoTransfer() }
    func transferCurrentComplicationUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer { WCSessionUserInfoTransfer() }
    func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer {
        WCSessionFileTransfer(file: WCSessionFile(fileURL: file, metadata: metadata))
    }

    func delegateDoesNotImplement(_ method: WCSessionDelegateMethod) {}
}
