import Foundation

/// Receives a session's events, serially on one background queue (W11).
///
/// Apple's optional methods have default implementations here that tell the backend "not implemented", because what happens then
/// differs from an empty method (W64, W66). The two that only iOS requires have them too, so that a watch's delegate compiles.
///
/// On Apple's systems an optional method is found by its selector, here by the conformance. So the class that declares the conformance has
/// to implement it, or an extension of that class: what only a subclass adds counts as not implemented here.
public protocol WCSessionDelegate: NSObjectProtocol {
    /// The activation came to its end, in success or with an error.
    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?)

    /// On the phone: another watch is being put on. What the old one sent still comes; nothing more can be sent.
    func sessionDidBecomeInactive(_ session: WCSession)
    /// On the phone: everything of the old watch was given. Activate again for the new one.
    func sessionDidDeactivate(_ session: WCSession)
    /// On the phone: pairing, installation or the complication changed.
    func sessionWatchStateDidChange(_ session: WCSession)
    /// On the watch: the phone's app was installed or removed.
    func sessionCompanionAppInstalledDidChange(_ session: WCSession)
    /// The counterpart came into reach or left it.
    func sessionReachabilityDidChange(_ session: WCSession)
    /// A message without a reply handler.
    func session(_ session: WCSession, didReceiveMessage message: [String: Any])
    /// A message whose sender waits for a reply. Call the handler once, from any thread.
    func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void)
    /// Message data without a reply handler.
    func session(_ session: WCSession, didReceiveMessageData messageData: Data)
    /// Message data whose sender waits for a reply. Call the handler once, from any thread.
    func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void)
    /// The counterpart's latest application context.
    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any])
    /// A user info, in the order in which they were sent.
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any])
    /// A user info of this device has arrived, or failed.
    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?)
    /// A file. Move it before the method returns: the system deletes it afterwards (P21).
    func session(_ session: WCSession, didReceive file: WCSessionFile)
    /// A file of this device has arrived, or failed.
    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?)
}

/// The methods of ``WCSessionDelegate`` that a delegate may leave out. The raw values are Apple's selectors.
public enum WCSessionDelegateMethod: String, Sendable, Hashable, CaseIterable {
    /// `sessionDidBecomeInactive(_:)`.
    case didBecomeInactive = "sessionDidBecomeInactive:"
    /// `sessionDidDeactivate(_:)`.
    case didDeactivate = "sessionDidDeactivate:"
    /// `sessionWatchStateDidChange(_:)`.
    case watchStateDidChange = "sessionWatchStateDidChange:"
    /// `sessionCompanionAppInstalledDidChange(_:)`.
    case companionAppInstalledDidChange = "sessionCompanionAppInstalledDidChange:"
    /// `sessionReachabilityDidChange(_:)`.
    case reachabilityDidChange = "sessionReachabilityDidChange:"
    /// `session(_:didReceiveMessage:)`.
    case didReceiveMessage = "session:didReceiveMessage:"
    /// `session(_:didReceiveMessage:replyHandler:)`.
    case didReceiveMessageWithReply = "session:didReceiveMessage:replyHandler:"
    /// `session(_:didReceiveMessageData:)`.
    case didReceiveMessageData = "session:didReceiveMessageData:"
    /// `session(_:didReceiveMessageData:replyHandler:)`.
    case didReceiveMessageDataWithReply = "session:didReceiveMessageData:replyHandler:"
    /// `session(_:didReceiveApplicationContext:)`.
    case didReceiveApplicationContext = "session:didReceiveApplicationContext:"
    /// `session(_:didReceiveUserInfo:)`.
    case didReceiveUserInfo = "session:didReceiveUserInfo:"
    /// `session(_:didFinish:error:)` of a user info.
    case didFinishUserInfoTransfer = "session:didFinishUserInfoTransfer:error:"
    /// `session(_:didReceive:)` of a file.
    case didReceiveFile = "session:didReceiveFile:"
    /// `session(_:didFinish:error:)` of a file.
    case didFinishFileTransfer = "session:didFinishFileTransfer:error:"
}

extension WCSessionDelegate {
    public func sessionDidBecomeInactive(_ session: WCSession) {
        session.backend?.delegateDoesNotImplement(.didBecomeInactive)
    }

    public func sessionDidDeactivate(_ session: WCSession) {
        session.backend?.delegateDoesNotImplement(.didDeactivate)
    }

    public func sessionWatchStateDidChange(_ session: WCSession) {
        session.backend?.delegateDoesNotImplement(.watchStateDidChange)
    }

    public func sessionCompanionAppInstalledDidChange(_ session: WCSession) {
        session.backend?.delegateDoesNotImplement(.companionAppInstalledDidChange)
    }

    public func sessionReachabilityDidChange(_ session: WCSession) {
        session.backend?.delegateDoesNotImplement(.reachabilityDidChange)
    }

    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        session.backend?.delegateDoesNotImplement(.didReceiveMessage)
    }

    public func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        session.backend?.delegateDoesNotImplement(.didReceiveMessageWithReply)
    }

    public func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        session.backend?.delegateDoesNotImplement(.didReceiveMessageData)
    }

    public func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void) {
        session.backend?.delegateDoesNotImplement(.didReceiveMessageDataWithReply)
    }

    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        session.backend?.delegateDoesNotImplement(.didReceiveApplicationContext)
    }

    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        session.backend?.delegateDoesNotImplement(.didReceiveUserInfo)
    }

    public func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {
        session.backend?.delegateDoesNotImplement(.didFinishUserInfoTransfer)
    }

    public func session(_ session: WCSession, didReceive file: WCSessionFile) {
        session.backend?.delegateDoesNotImplement(.didReceiveFile)
    }

    public func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        session.backend?.delegateDoesNotImplement(.didFinishFileTransfer)
    }
}
