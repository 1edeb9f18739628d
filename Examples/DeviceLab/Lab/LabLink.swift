import Foundation
import WatchConnectivity

/// The app's own delegate: keeps the names of what came, and answers what the counterpart's probes ask.
final class LabLink: NSObject, WCSessionDelegate, @unchecked Sendable {
    /// Told of each activation, on the session's queue.
    var onActivation: ((WCSessionActivationState, (any Error)?) -> Void)?
    /// Told when nothing is pending any more, on the session's queue.
    var onIdle: (() -> Void)?
    weak var recorder: SessionRecorder?
    private let lock = NSLock()
    private var inbox: [String: [String]] = [:]
    private var depth = 0
    private var changes = 0
    private var onMain = false
    private var overlapped = false
    private var unanswered: [([String: Any]) -> Void] = []
    private var finished: [String: Int] = [:]

    var wasOnMain: Bool { locked { onMain } }
    var hasOverlapped: Bool { locked { overlapped } }
    var changeCount: Int { locked { changes } }

    /// The names of what came of a kind, in order.
    func received(_ kind: String) -> [String] { locked { inbox[kind] ?? [] } }

    /// How often `didFinish` was called for the transfer of that name, and with which code at last; 0 for none.
    func endings(of id: String) -> [Int] { locked { inbox["end.\(id)"]?.compactMap(Int.init) ?? [] } }

    private func locked<Value>(_ body: () -> Value) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }

    /// Every callback goes through here.
    private func callback(_ body: () -> Void) {
        locked {
            depth += 1
            if depth > 1 { overlapped = true }
            if Thread.isMainThread { onMain = true }
        }
        body()
        locked { depth -= 1 }
        onIdle?()
    }

    private func keep(_ id: Any?, as kind: String) {
        let name = id as? String ?? "?"
        locked { inbox[kind, default: []].append(name) }
    }

    // MARK: The session

    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?) {
        callback {
            keep("\(activationState.rawValue)", as: "activation")
            onActivation?(activationState, error)
        }
    }

    #if os(iOS)
        func sessionDidBecomeInactive(_ session: WCSession) {}
        func sessionDidDeactivate(_ session: WCSession) { recorder?.activate() }
        func sessionWatchStateDidChange(_ session: WCSession) { changed("watchState") }
    #else
        func sessionCompanionAppInstalledDidChange(_ session: WCSession) { changed("companion") }
    #endif

    func sessionReachabilityDidChange(_ session: WCSession) { changed("reachability") }

    private func changed(_ what: String) {
        callback {
            locked { changes += 1 }
            keep(what, as: "change")
        }
    }

    // MARK: What came

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        callback {
            keep(message["id"], as: "message")
            if message["lab"] as? String == "context" {
                try? recorder?.updateApplicationContext(["id": message["id"] as? String ?? "?"])
            }
        }
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        callback {
            keep(message["id"], as: "message")
            switch message["lab"] as? String {
            case "inbox":
                let kind = message["kind"] as? String ?? ""
                replyHandler(["ids": received(kind)])
            case "keys": replyHandler(["keys": session.receivedApplicationContext.keys.sorted()])
            case "never": locked { unanswered.append(replyHandler) }
            case "bad": replyHandler(["bad": NSNull()])
            case "large": replyHandler(["large": Data(count: 200_000)])
            case "late":
                let seconds = message["seconds"] as? Double ?? 3
                DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { replyHandler(["id": "late"]) }
            default: replyHandler(["id": message["id"] as? String ?? "?"])
            }
        }
    }

    func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        callback { keep("\(messageData.count)", as: "data") }
    }

    func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void) {
        callback {
            keep("\(messageData.count)", as: "data")
            replyHandler(Data(messageData.reversed()))
        }
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        callback { keep(applicationContext.isEmpty ? "empty" : applicationContext["id"], as: "context") }
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        callback { keep(userInfo["id"], as: "userInfo") }
    }

    /// The first letter of a lab's file says which version of it came.
    func session(_ session: WCSession, didReceive file: WCSessionFile) {
        callback {
            let first = (try? Data(contentsOf: file.fileURL))?.first.map { String(UnicodeScalar($0)) } ?? "?"
            keep("\(file.metadata?["id"] as? String ?? "?").\(first)", as: "file")
        }
    }

    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {
        callback { ended(userInfoTransfer.userInfo["id"], error) }
    }

    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        callback { ended(fileTransfer.file.metadata?["id"], error) }
    }

    private func ended(_ id: Any?, _ error: (any Error)?) {
        keep("\(error.map { ($0 as NSError).code } ?? 0)", as: "end.\(id as? String ?? "?")")
    }
}
