import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P47. Waits for a reply by a continuation. A message that fails never resumes it: the app shows that it is loading, and asks no more. So a time limit was added:
/// a reply that comes after it resumes the continuation once more, which ends the app.
class AwaitedReplyApp: NSObject, NaiveApp, @unchecked Sendable {
    private typealias DispatchQueue = SystemShims.DispatchQueue

    private var theme: String?
    private var isLoading = false
    private var hasTimeLimit = false

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "choose theme": { value in self.theme = String(value) },
            "add a time limit": { _ in self.hasTimeLimit = true },
            "refresh": { _ in self.refresh() },
        ]
    }

    var screen: [String: ScenarioValue] { ["theme": .shown(theme), "loading": .bool(isLoading)] }

    private func refresh() {
        guard !isLoading else { return }
        isLoading = true
        ask { [weak self] theme in
            self?.isLoading = false
            if let theme { self?.theme = theme }
        }
    }

    /// `withCheckedContinuation { … }`, and what comes after it.
    private func ask(_ goOn: @escaping (String?) -> Void) {
        let continuation = NaiveContinuation(goOn)
        send(["ask": "theme"], continuation)
        guard hasTimeLimit else { return }
        DispatchQueue.main.asyncAfter(deadline: .now().advanced(by: 5)) { [weak self] in
            self?.timeIsUp(continuation)
        }
    }

    func send(_ question: [String: Any], _ continuation: NaiveContinuation<String?>) {
        WCSession.default.sendMessage(question, replyHandler: { continuation.resume(returning: $0["theme"] as? String) })
    }

    func timeIsUp(_ continuation: NaiveContinuation<String?>) { continuation.resume(returning: nil) }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        replyHandler(["theme": theme ?? ""])
    }
}
