import DeviceSimCore
import SimulatedSystem
import WatchConnectivity

/// The remedy of P47: every way out resumes the continuation, and the first of them alone.
final class ResumedOnceApp: AwaitedReplyApp, @unchecked Sendable {
    private var isWaiting = false

    override func send(_ question: [String: Any], _ continuation: NaiveContinuation<String?>) {
        isWaiting = true
        WCSession.default.sendMessage(
            question, replyHandler: { self.resume(continuation, $0["theme"] as? String) },
            errorHandler: { _ in self.resume(continuation, nil) })
    }

    override func timeIsUp(_ continuation: NaiveContinuation<String?>) { resume(continuation, nil) }

    /// The handlers come on the session's queue and the time limit on the main one: a real app has a lock here, or an actor.
    private func resume(_ continuation: NaiveContinuation<String?>, _ theme: String?) {
        SystemShims.DispatchQueue.main.async {
            guard self.isWaiting else { return }
            self.isWaiting = false
            continuation.resume(returning: theme)
        }
    }
}
