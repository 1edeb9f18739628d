import Foundation

/// Receives a session's events, serially on one background queue (W11).
///
/// Apple's optional methods have default implementations here that tell the backend "not implemented", because what happens then
/// differs from an empty method (W64, W66). The two that only iOS requires have them too, so that a watch's delegate compiles.
///
/// On Apple's systems an optional method is found by its selector, here by the conformance. So the class that declares the conformance has
/// to implement it, or an extension of that class: what only a subclass adds counts as not implemented here.
public protocol WCSessionDelegate: NSObjectProtocol {
    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?)

    func sessionDidBecomeInactive(_ session: WCSession)
    func sessionDidDeactivate(_ session: WCSession)
    func sessionWatchStateDidChange(_ session: WCSession)
    func sessionCompanionAppInstalledDidChange(_ session: WCSession)
    func sessionReachabilityDidChange(_ session: WCSession)
    func session(_ session: WCSession, didReceiveMessage message: [String: Any])
    func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void)
    func session(_ session: WCSession, didReceiveMessageData messageData: Data)
    func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void)
    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any])
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any])
    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?)
    func session(_ session: WCSession, didReceive file: WCSessionFile)
    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?)
}

/// The methods of ``WCSessionDelegate`` that a delegate may leave out. The raw values are Apple's selectors.
public enum WCSessionDelegateMethod: String, Sendable, Hashable, CaseIterable {
    case didBecomeInactive = "sessionDidBecomeInactive:"
    case didDeactivate = "sessionDidDeactivate:"
    case watchStateDidChange = "sessionWatchStateDidChange:"
    case companionAppInstalledDidChange = "sessionCompanionAppInstalledDidChange:"
    case reachabilityDidChange = "sessionReachabilityDidChange:"
    case didReceiveMessage = "session:didReceiveMessage:"
    case didReceiveMessageWithReply = "session:didReceiveMessage:replyHandler:"
    case didReceiveMessageData = "session:didReceiveMessageData:"
    case didReceiveMessageDataWithReply = "session:didReceiveMessageData:replyHandler:"
    case didReceiveApplicationContext = "session:didReceiveApplicationContext:"
    case didReceiveUserInfo = "session:didReceiveUserInfo:"
    case didFinishUserInfoTransfer = "session:didFinishUserInfoTransfer:error:"
    case didReceiveFile = "session:didReceiveFile:"
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
