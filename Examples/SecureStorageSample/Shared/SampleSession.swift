import Foundation
import LocalData
import WatchConnectivity
import os

/// The app's part in the session with the other device: what arrives is LocalData's to apply.
nonisolated final class SampleSession: NSObject, WCSessionDelegate, Sendable {
    static let shared = SampleSession()

    /// Is called when all that arrived has been dealt with.
    @MainActor static var onIdle: @MainActor () -> Void = {}

    /// How much of what arrived is being dealt with.
    private let running = OSAllocatedUnfairLock(initialState: 0)

    /// Whether nothing is being dealt with: the system may suspend the app.
    var isIdle: Bool { running.withLock { $0 } == 0 }

    func start() {
        guard WCSession.isSupported() else { return }
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        guard activationState == .activated else { return }
        sync()
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        guard let snapshot = try? StorageRouter.shared.snapshot(in: applicationContext) else { return }
        work { _ = try? await StorageRouter.shared.apply(snapshot) }
    }

    func sessionReachabilityDidChange(_ session: WCSession) {
        if session.isReachable { sync() }
    }

    private func sync() {
        work { try? await StorageRouter.shared.syncRegisteredKeysIfNeeded() }
    }

    /// Counted before the callback returns: what is left then is what the system sees of it.
    private func work(_ body: @escaping @Sendable () async -> Void) {
        running.withLock { $0 += 1 }
        Task {
            await body()
            running.withLock { $0 -= 1 }
            if isIdle { await Self.onIdle() }
        }
    }

    #if os(iOS)
        func sessionDidBecomeInactive(_ session: WCSession) {}

        /// The person has put on another watch.
        func sessionDidDeactivate(_ session: WCSession) {
            Task {
                await StorageRouter.shared.counterpartMayHaveChanged()
                WCSession.default.activate()
            }
        }
    #endif
}
