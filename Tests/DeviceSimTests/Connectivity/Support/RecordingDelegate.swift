import DeviceSim
import Foundation
import WatchConnectivity

/// What a delegate was told.
final class Journal {
    var entries: [String] = []
    /// Done in each callback, after it was written down.
    var inCallback: (WCSession) -> Void = { _ in }
}

/// A delegate that writes down what it is told.
///
/// Each is a class of its own: what a subclass adds to a conforming class is not seen through the protocol.
protocol LoggingDelegate: WCSessionDelegate {
    var journal: Journal { get }
}

extension LoggingDelegate {
    var log: [String] {
        get { journal.entries }
        set { journal.entries = newValue }
    }

    var inCallback: (WCSession) -> Void {
        get { journal.inCallback }
        set { journal.inCallback = newValue }
    }

    func note(_ text: String, _ session: WCSession) {
        journal.entries.append(text)
        journal.inCallback(session)
    }

    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?) {
        note("activated \(activationState.rawValue) \(error.map(code) ?? "-")", session)
    }
}

/// A delegate that implements nothing but what is required.
final class BareDelegate: NSObject, LoggingDelegate {
    let journal = Journal()
}

/// A delegate that implements all.
final class RecordingDelegate: NSObject, LoggingDelegate {
    let journal = Journal()
    /// Called with a message that wants a reply, and the handler for that.
    var onRequest: ([String: Any], @escaping ([String: Any]) -> Void) -> Void = { message, reply in reply(["echo": message["n"] ?? 0]) }
    var onDataRequest: (Data, @escaping (Data) -> Void) -> Void = { data, reply in reply(data) }
    /// The contexts that came, as they came.
    var contexts: [[String: Any]] = []
    var messages: [[String: Any]] = []

    /// Whether the app activates the session again for another watch (W14).
    var activatesAgain = true

    func sessionDidBecomeInactive(_ session: WCSession) { note("inactive", session) }

    func sessionDidDeactivate(_ session: WCSession) {
        note("deactivated", session)
        if activatesAgain { session.activate() }
    }

    func sessionWatchStateDidChange(_ session: WCSession) {
        note("watchState \(session.isPaired) \(session.isWatchAppInstalled)", session)
    }

    func sessionCompanionAppInstalledDidChange(_ session: WCSession) {
        note("companion \(session.isCompanionAppInstalled)", session)
    }

    func sessionReachabilityDidChange(_ session: WCSession) { note("reachable \(session.isReachable)", session) }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        messages.append(message)
        note("message \(text(message))", session)
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        messages.append(message)
        note("request \(text(message))", session)
        onRequest(message, replyHandler)
    }

    func session(_ session: WCSession, didReceiveMessageData messageData: Data) { note("data \(messageData.count)", session) }

    func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void) {
        note("data request \(messageData.count)", session)
        onDataRequest(messageData, replyHandler)
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        contexts.append(applicationContext)
        note("context \(text(applicationContext))", session)
    }

    /// Done with a received file while it is there.
    var onFile: (WCSessionFile) -> Void = { _ in }
    /// The objects of the transfers that ended.
    var finished: [NSObject] = []

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) { note("userInfo \(text(userInfo))", session) }

    func session(_ session: WCSession, didReceive file: WCSessionFile) {
        onFile(file)
        note("file \(file.fileURL.lastPathComponent) \(text(file.metadata ?? [:]))", session)
    }

    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {
        finished.append(userInfoTransfer)
        note("finished \(text(userInfoTransfer.userInfo)) \(error.map(code) ?? "-")", session)
    }

    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        finished.append(fileTransfer)
        note("finished \(fileTransfer.file.fileURL.lastPathComponent) \(error.map(code) ?? "-")", session)
    }
}

/// Implements the plain variants only (P12).
final class PlainMessageDelegate: NSObject, LoggingDelegate {
    let journal = Journal()

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) { note("message \(text(message))", session) }
    func session(_ session: WCSession, didReceiveMessageData messageData: Data) { note("data \(messageData.count)", session) }
}

/// Implements the reply variants only (P12).
final class ReplyMessageDelegate: NSObject, LoggingDelegate {
    let journal = Journal()

    func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        note("request \(text(message))", session)
        replyHandler([:])
    }

    func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void) {
        note("data request \(messageData.count)", session)
        replyHandler(Data())
    }
}

/// A dictionary of a test, sorted by key.
func text(_ dictionary: [String: Any]) -> String {
    dictionary.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
}

/// The number of an error's code.
func code(_ error: any Error) -> String {
    (error as? WCError).map { "\($0.code.rawValue)" } ?? "\(error)"
}

/// Writes down what becomes of messages.
final class Outcomes {
    private(set) var all: [String] = []

    func note(_ text: String) { all.append(text) }

    func send(_ message: [String: Any], as name: String = "m", from session: WCSession) {
        session.sendMessage(
            message, replyHandler: { self.note("\(name) reply \(text($0))") }, errorHandler: { self.note("\(name) error \(code($0))") })
    }

    func sendPlain(_ message: [String: Any], as name: String = "m", from session: WCSession) {
        session.sendMessage(message, replyHandler: nil, errorHandler: { self.note("\(name) error \(code($0))") })
    }
}
