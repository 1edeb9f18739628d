import Dispatch
import Foundation

#if canImport(WatchConnectivity)
    import WatchConnectivity
#endif

/// Sends typed messages between an iPhone app and its watch app.
///
/// All callbacks come on the main queue.
public final class SessionLink: NSObject {
    public static let shared = SessionLink()

    /// How a message travels.
    public enum Channel: String, CaseIterable {
        /// At once, to a reachable counterpart.
        case message
        /// The latest one only, when it suits the system.
        case context
    }

    public typealias Failure = (Error) -> Void

    public private(set) var isReachable = false
    public private(set) var isActivated = false
    /// Told when a property changed.
    public var onChange: (() -> Void)?

    private let session: WCSession?
    private var handlers: [String: (Data) -> Data?] = [:]
    private let queue = DispatchQueue(label: "SessionLink.outbox")
    private var outbox: [[String: Any]] = []
    private var retry: Timer?

    private override init() {
        session = WCSession.isSupported() ? WCSession.default : nil
        super.init()
        session?.delegate = self
        session?.activate()
    }

    // MARK: Receiving

    public func onReceive<Message: LinkMessage>(_ type: Message.Type, perform handler: @escaping (Message) -> Void) {
        handlers[Message.name] = { data in
            guard let message = try? JSONDecoder().decode(Message.self, from: data) else { return nil }
            handler(message)
            return nil
        }
    }

    public func answer<Message: LinkMessage, Reply: Codable>(_ type: Message.Type, with handler: @escaping (Message) -> Reply) {
        handlers[Message.name] = { data in
            guard let message = try? JSONDecoder().decode(Message.self, from: data) else { return nil }
            return try? JSONEncoder().encode(handler(message))
        }
    }

    // MARK: Sending

    public func send<Message: LinkMessage>(_ message: Message, over channel: Channel, failure: Failure? = nil) {
        guard let session = session else { return }
        do {
            let dictionary = try Envelope.dictionary(of: message)
            switch channel {
            case .message:
                session.sendMessage(dictionary, replyHandler: nil) { error in
                    DispatchQueue.main.async { failure?(error) }
                }
            case .context:
                try session.updateApplicationContext(dictionary)
            }
        } catch {
            failure?(error)
        }
    }

    /// Asks the counterpart, and gives up after a while.
    public func ask<Message: LinkMessage, Reply: Codable>(
        _ message: Message, for type: Reply.Type, timeout: TimeInterval = 5, completion: @escaping (Result<Reply, Error>) -> Void
    ) {
        guard let session = session, let dictionary = try? Envelope.dictionary(of: message) else { return }
        var isDone = false
        let finish: (Result<Reply, Error>) -> Void = { result in
            DispatchQueue.main.async {
                guard !isDone else { return }
                isDone = true
                completion(result)
            }
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + timeout) {
            finish(.failure(LinkError.timeout))
        }
        session.sendMessage(dictionary) { reply in
            guard let data = Envelope.body(in: reply), let value = try? JSONDecoder().decode(Reply.self, from: data) else {
                return finish(.failure(LinkError.undecodable))
            }
            finish(.success(value))
        } errorHandler: { error in
            finish(.failure(error))
        }
    }

    /// Sends as soon as the counterpart is reachable, trying every two seconds.
    public func sendWhenReachable<Message: LinkMessage>(_ message: Message) {
        guard let dictionary = try? Envelope.dictionary(of: message) else { return }
        queue.async {
            self.outbox.append(dictionary)
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

    // MARK: Dispatching

    fileprivate func receive(_ dictionary: [String: Any], reply: (([String: Any]) -> Void)? = nil) {
        DispatchQueue.main.async {
            guard let name = Envelope.name(in: dictionary), let body = Envelope.body(in: dictionary) else {
                reply?([:])
                return
            }
            UserDefaults.standard.set(Date(), forKey: "SessionLink.lastReceived")
            let answer = self.handlers[name]?(body)
            reply?(answer.map { ["body": $0] } ?? [:])
        }
    }

    fileprivate func update(_ session: WCSession) {
        DispatchQueue.main.async {
            self.isActivated = session.activationState == .activated
            self.isReachable = session.isReachable
            self.onChange?()
        }
    }
}

public enum LinkError: Error {
    case timeout
    case undecodable
}

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

    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        receive(message)
    }

    public func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        receive(message, reply: replyHandler)
    }

    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        receive(applicationContext)
    }
}
