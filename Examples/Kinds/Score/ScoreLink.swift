import Foundation
import WatchConnectivity

/// The session with the other device as an actor: what is asked is answered by an async call, and what arrives is a stream.
actor ScoreLink {
    static let shared = ScoreLink()

    enum Event: Sendable {
        case asked([String: Int], reply: @Sendable ([String: Int]) -> Void)
        case received([String: Int])
    }

    nonisolated let events: AsyncStream<Event>
    private let delegate: Delegate

    init() {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        delegate = Delegate(continuation)
    }

    /// Returns once the session is activated.
    func activate() async throws {
        guard WCSession.isSupported() else { return }
        let session = WCSession.default
        session.delegate = delegate
        try await withCheckedThrowingContinuation { continuation in
            delegate.activation = continuation
            session.activate()
        }
    }

    /// What the other device answers.
    func ask(_ question: [String: Int]) async throws -> [String: Int] {
        try await withCheckedThrowingContinuation { continuation in
            WCSession.default.sendMessage(question) { reply in
                continuation.resume(returning: reply.compactMapValues { $0 as? Int })
            } errorHandler: { error in
                continuation.resume(throwing: error)
            }
        }
    }

    /// Is there when the other device looks, however late.
    func tell(_ state: [String: Int]) throws {
        try WCSession.default.updateApplicationContext(state)
    }
}

/// The session's delegate, which hands everything to the stream.
private final class Delegate: NSObject, WCSessionDelegate, @unchecked Sendable {
    var activation: CheckedContinuation<Void, any Error>?
    private let events: AsyncStream<ScoreLink.Event>.Continuation

    init(_ events: AsyncStream<ScoreLink.Event>.Continuation) {
        self.events = events
    }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        // A session that was given to another watch is activated again, and nobody waits for that.
        let waiting = activation
        activation = nil
        if let error { waiting?.resume(throwing: error) } else { waiting?.resume() }
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        events.yield(.received(applicationContext.compactMapValues { $0 as? Int }))
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        nonisolated(unsafe) let reply = replyHandler
        events.yield(.asked(message.compactMapValues { $0 as? Int }, reply: { reply($0) }))
    }

    #if os(iOS)
        func sessionDidBecomeInactive(_ session: WCSession) {}
        func sessionDidDeactivate(_ session: WCSession) { session.activate() }
    #endif
}
