import Foundation

/// What a ``WCSession`` does. A simulation supplies one for each app process; not part of Apple's interface.
///
/// The members mirror those of ``WCSession``. Calls come from the app's code, on the thread that runs it.
public protocol WCSessionBackend: AnyObject, Sendable {
    /// The process-wide session of this backend.
    var session: WCSession { get }
    /// Behind `WCSession.isSupported()`.
    var isSupported: Bool { get }

    /// Behind `WCSession.activate()`. Returns at once; the delegate is told later.
    func activate()
    /// Behind `WCSession.activationState`.
    var activationState: WCSessionActivationState { get }
    /// Behind `WCSession.hasContentPending`.
    var hasContentPending: Bool { get }
    /// Behind `WCSession.isPaired`.
    var isPaired: Bool { get }
    /// Behind `WCSession.isWatchAppInstalled`.
    var isWatchAppInstalled: Bool { get }
    /// Behind `WCSession.isComplicationEnabled`.
    var isComplicationEnabled: Bool { get }
    /// Behind `WCSession.remainingComplicationUserInfoTransfers`.
    var remainingComplicationUserInfoTransfers: Int { get }
    /// Behind `WCSession.watchDirectoryURL`.
    var watchDirectoryURL: URL? { get }
    /// Behind `WCSession.isCompanionAppInstalled`.
    var isCompanionAppInstalled: Bool { get }
    /// Behind `WCSession.iOSDeviceNeedsUnlockAfterRebootForReachability`.
    var iOSDeviceNeedsUnlockAfterRebootForReachability: Bool { get }
    /// Behind `WCSession.isReachable`.
    var isReachable: Bool { get }

    /// Behind `WCSession.sendMessage(_:replyHandler:errorHandler:)`. Calls one of the handlers once, later.
    func sendMessage(_ message: [String: Any], replyHandler: (([String: Any]) -> Void)?, errorHandler: ((any Error) -> Void)?)
    /// Behind `WCSession.sendMessageData(_:replyHandler:errorHandler:)`. Calls one of the handlers once, later.
    func sendMessageData(_ data: Data, replyHandler: ((Data) -> Void)?, errorHandler: ((any Error) -> Void)?)

    /// Behind `WCSession.applicationContext`: what was sent last.
    var applicationContext: [String: Any] { get }
    /// Behind `WCSession.receivedApplicationContext`: what was received last.
    var receivedApplicationContext: [String: Any] { get }
    /// Behind `WCSession.updateApplicationContext(_:)`. Throws ``WCError`` where it is refused.
    func updateApplicationContext(_ applicationContext: [String: Any]) throws

    /// Behind `WCSession.transferUserInfo(_:)`. A refusal comes through the delegate.
    func transferUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer
    /// Behind `WCSession.transferCurrentComplicationUserInfo(_:)`. A refusal comes through the delegate.
    func transferCurrentComplicationUserInfo(_ userInfo: [String: Any]) -> WCSessionUserInfoTransfer
    /// Behind `WCSession.outstandingUserInfoTransfers`.
    var outstandingUserInfoTransfers: [WCSessionUserInfoTransfer] { get }
    /// Behind `WCSession.transferFile(_:metadata:)`. A refusal comes through the delegate.
    func transferFile(_ file: URL, metadata: [String: Any]?) -> WCSessionFileTransfer
    /// Behind `WCSession.outstandingFileTransfers`.
    var outstandingFileTransfers: [WCSessionFileTransfer] { get }

    /// Told by the default implementation of an optional delegate method that the delegate does not implement it.
    func delegateDoesNotImplement(_ method: WCSessionDelegateMethod)
}
