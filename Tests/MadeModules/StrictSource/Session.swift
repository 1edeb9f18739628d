public import WatchConnectivity

// Apple's WatchConnectivity brings in Foundation: nothing else is imported here.

@MainActor public final class LedgerSession: NSObject {
    public static let shared = LedgerSession()
    private let receiver = Receiver()
    public private(set) var received: [String] = []

    public func activate(_ session: WCSession = .default) {
        receiver.tell = { [weak self] text in DispatchQueue.main.async { MainActor.assumeIsolated { self?.received.append(text) } } }
        session.delegate = receiver
        session.activate()
    }

    public func send(_ text: String) throws {
        try WCSession.default.updateApplicationContext(["text": text])
    }
}

nonisolated private final class Receiver: NSObject, WCSessionDelegate, @unchecked Sendable {
    var tell: (@Sendable (String) -> Void)?

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {}
    #if os(iOS)
        func sessionDidBecomeInactive(_ session: WCSession) {}
        func sessionDidDeactivate(_ session: WCSession) { session.activate() }
    #endif

    func session(_ session: WCSession, didReceiveApplicationContext context: [String: Any]) {
        tell?(context["text"] as? String ?? "")
    }
}

#if os(watchOS)
    @MainActor public func complete(_ tasks: [WKWatchConnectivityRefreshBackgroundTask]) {
        for task in tasks { task.setTaskCompletedWithSnapshot(false) }
    }
#endif
