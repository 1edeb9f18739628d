import Foundation

/// What a ``WCSession`` does. A simulation supplies one for each app process; not part of Apple's interface.
///
/// The members mirror those of ``WCSession``. Calls come from the app's code, on the thread that runs it.
public protocol WCSessionBackend: AnyObject, Sendable {
    /// The process-wide session of this backend.
    var session: WCSession { get }
    var isSupported: Bool { get }

    func activate()
    var activationState: WCSessionActivationState { get }
    var hasContentPending: Bool { get }
    var isPaired: Bool { get }
    var isWatchAppInstalled: Bool { get }
    var isComplicationEnabled: Bool { get }
    var remainingComplicationUserInfoTransfers: Int { get }
    var watchDirectoryURL: URL? { get }
    var isCompanionAppInstalled: Bool { get }
    var iOSDeviceNeedsUnlockAfterRebootForReachability: Bool { get }
    var isReachable: Bool { get }

    func sendMessage(_ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)?)
    func sendMessageData(_ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)?)

    var applicationContext: [String: Any] { get }
    var receivedApplicationContext: [String: Any] { get }
    func updateApplicationContext(_ applicationContext: [String: Any]) throws

    func transferUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer
    func transferCurrentComplicationUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer
    var outstandingUserInfoTransfers: [WCSessionUserInfoTransfer] { get }
    func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer
    var outstandingFileTransfers: [WCSessionFileTransfer] { get }

    /// Told by the default implementation of an optional delegate method that the delegate does not implement it.
    func delegateDoesNotImplement(_ method: WCSessionDelegateMethod)
}
