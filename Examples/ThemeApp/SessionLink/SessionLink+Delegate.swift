import Foundation
import WatchConnectivity

extension SessionLink: WCSessionDelegate {
    public func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?) {
        update(session)
    }

    #if os(iOS)
        public func sessionDidBecomeInactive(_ session: WCSession) {
            update(session)
        }

        public func sessionDidDeactivate(_ session: WCSession) {
            session.activate()
        }

        public func sessionWatchStateDidChange(_ session: WCSession) {
            update(session)
        }
    #endif

    #if os(watchOS)
        public func sessionCompanionAppInstalledDidChange(_ session: WCSession) {
            update(session)
        }
    #endif

    public func sessionReachabilityDidChange(_ session: WCSession) {
        update(session)
    }

    // MARK: Messages

    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        receive(Envelope(message))
    }

    public func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        receive(Envelope(message)) { body in replyHandler(body.map { ["body": $0] } ?? [:]) }
    }

    public func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        receive(try? JSONDecoder().decode(Envelope.self, from: messageData))
    }

    public func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void) {
        receive(try? JSONDecoder().decode(Envelope.self, from: messageData)) { body in replyHandler(body ?? Data()) }
    }

    // MARK: In the background

    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        for (_, value) in applicationContext.sorted(by: { $0.key < $1.key }) {
            receive((value as? [String: Any]).flatMap { Envelope($0) })
        }
    }

    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        receive(Envelope(userInfo))
    }

    public func session(_ session: WCSession, didReceive file: WCSessionFile) {
        let metadata = file.metadata ?? [:]
        // The file is gone when this method returns.
        if metadata["isMessage"] as? Bool == true {
            let data = try? Data(contentsOf: file.fileURL)
            receive(data.flatMap { try? JSONDecoder().decode(Envelope.self, from: $0) })
            return
        }
        do {
            let folder = try FileManager.default.url(for: .documentDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
                .appendingPathComponent("Received")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let destination = folder.appendingPathComponent(file.fileURL.lastPathComponent)
            if FileManager.default.fileExists(atPath: destination.path) {
                try FileManager.default.removeItem(at: destination)
            }
            try FileManager.default.moveItem(at: file.fileURL, to: destination)
            DispatchQueue.main.async { self.onReceiveFile?(destination, metadata) }
        } catch {
            NSLog("SessionLink: a received file is lost: %@", "\(error)")
        }
        completeTasks()
    }

    public func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: Error?) {
        let name = userInfoTransfer.userInfo["name"] as? String ?? ""
        DispatchQueue.main.async { self.onFinish?(.userInfo, name, error) }
    }

    public func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: Error?) {
        let name = fileTransfer.file.metadata?["name"] as? String ?? ""
        try? FileManager.default.removeItem(at: fileTransfer.file.fileURL)
        DispatchQueue.main.async { self.onFinish?(.file, name, error) }
    }
}
