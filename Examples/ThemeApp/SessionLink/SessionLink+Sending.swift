import Foundation
import WatchConnectivity

/// One message over any channel, and what is on its way.
extension SessionLink {
    public func send<Message: LinkMessage>(_ message: Message, over channel: LinkChannel, failure: Failure? = nil) {
        guard let session = session else { return }
        let report: Failure = { error in
            DispatchQueue.main.async { failure?(error) }
        }
        do {
            let envelope = try Envelope(message)
            switch channel {
            case .message:
                session.sendMessage(envelope.dictionary, replyHandler: nil, errorHandler: report)
            case .data:
                session.sendMessageData(try JSONEncoder().encode(envelope), replyHandler: nil, errorHandler: report)
            case .context:
                // One context for all: what other messages are in it stays.
                var context = session.applicationContext
                context[envelope.name] = envelope.dictionary
                try session.updateApplicationContext(context)
            case .userInfo:
                session.transferUserInfo(envelope.dictionary)
            case .file:
                try transfer(JSONEncoder().encode(envelope), named: envelope.id, metadata: ["name": envelope.name, "isMessage": true])
            case .complication:
                #if os(iOS)
                    session.transferCurrentComplicationUserInfo(envelope.dictionary)
                    update(session)
                #else
                    session.transferUserInfo(envelope.dictionary)
                #endif
            }
        } catch {
            report(error)
        }
    }

    /// Sends a file with these bytes. The counterpart's `onReceiveFile` is told.
    @discardableResult
    public func send(_ data: Data, fileNamed name: String, metadata: [String: Any] = [:]) throws -> LinkTransfer {
        try transfer(data, named: name, metadata: metadata.merging(["name": name]) { _, new in new })
    }

    @discardableResult
    private func transfer(_ data: Data, named name: String, metadata: [String: Any]) throws -> LinkTransfer {
        guard let session = session else { throw LinkError.unsupported }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try data.write(to: file, options: .atomic)
        return LinkTransfer(session.transferFile(file, metadata: metadata))
    }

    /// What has not arrived, user infos first.
    public var outstanding: [LinkTransfer] {
        guard let session = session else { return [] }
        return session.outstandingUserInfoTransfers.map { LinkTransfer($0) } + session.outstandingFileTransfers.map { LinkTransfer($0) }
    }

    public func cancelAll() {
        for transfer in outstanding {
            transfer.cancel()
        }
    }
}
