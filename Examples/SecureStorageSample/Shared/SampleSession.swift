import Foundation
import LocalData
import WatchConnectivity

/// The app's part in the session with the other device: what arrives is LocalData's to apply.
nonisolated final class SampleSession: NSObject, WCSessionDelegate, Sendable {
    static let shared = SampleSession()

    /// Is called when something that arrived has been dealt with.
    @MainActor static var onIdle: @MainActor () -> Void = {}

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
        Task {
            _ = try? await StorageRouter.shared.apply(snapshot)
            await Self.onIdle()
        }
    }

    func sessionReachabilityDidChange(_ session: WCSession) {
        if session.isReachable { sync() }
    }

    private func sync() {
        Task {
            try? await StorageRouter.shared.syncRegisteredKeysIfNeeded()
            await Self.onIdle()
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
