import Foundation
import WatchConnectivity

/// What is sent at once, to a reachable counterpart.
extension SessionLink {
    /// Asks the counterpart, and gives up after a while.
    /// - Parameter channel: `.message` or `.data`.
    public func ask<Message: LinkMessage, Reply: Codable>(
        _ message: Message, for type: Reply.Type, over channel: LinkChannel = .message, timeout: TimeInterval = 5,
        completion: @escaping (Result<Reply, Error>) -> Void
    ) {
        guard let session = session, let envelope = try? Envelope(message) else { return }
        var isDone = false
        let finish: (Result<Reply, Error>) -> Void = { result in
            DispatchQueue.main.async {
                guard !isDone else { return }
                isDone = true
                completion(result)
            }
        }
        let expiry = DispatchWorkItem { finish(.failure(LinkError.timeout)) }
        DispatchQueue.main.asyncAfter(deadline: .now() + timeout, execute: expiry)
        let decode: (Data?) -> Void = { data in
            expiry.cancel()
            guard let data = data, let value = try? JSONDecoder().decode(Reply.self, from: data) else {
                return finish(.failure(LinkError.undecodable))
            }
            finish(.success(value))
        }
        switch channel {
        case .message:
            session.sendMessage(envelope.dictionary) {
                decode($0["body"] as? Data)
            } errorHandler: {
                finish(.failure($0))
            }
        case .data:
            guard let data = try? JSONEncoder().encode(envelope) else { return }
            session.sendMessageData(data) {
                decode($0.isEmpty ? nil : $0)
            } errorHandler: {
                finish(.failure($0))
            }
        default:
            finish(.failure(LinkError.unsupported))
        }
    }

    /// Sends as soon as the counterpart is reachable, trying every two seconds.
    public func sendWhenReachable<Message: LinkMessage>(_ message: Message) {
        guard let envelope = try? Envelope(message) else { return }
        queue.async {
            self.outbox.append(envelope.dictionary)
            DispatchQueue.main.async { self.startRetrying() }
        }
    }

    private func startRetrying() {
        guard retry == nil else { return }
        retry = Timer.scheduledTimer(withTimeInterval: 2, repeats: true) { [weak self] _ in self?.flush() }
    }

    private func flush() {
        guard let session = session, session.isReachable else { return }
        let waiting: [[String: Any]] = queue.sync {
            defer { outbox = [] }
            return outbox
        }
        for dictionary in waiting {
            session.sendMessage(dictionary, replyHandler: nil, errorHandler: nil)
        }
        retry?.invalidate()
        retry = nil
    }
}
