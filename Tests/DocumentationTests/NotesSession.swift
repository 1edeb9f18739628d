import Foundation
import LocalData
import WatchConnectivity

nonisolated final class NotesSession: NSObject, WCSessionDelegate, Sendable {
    func start() async throws {
        try await StorageRouter.shared.registerCatalog(
            NotesCatalog(), migrateImmediately: true)
        guard WCSession.isSupported() else { return }
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func session(
        _ session: WCSession,
        activationDidCompleteWith activationState: WCSessionActivationState,
        error: (any Error)?
    ) {
        Task { try? await StorageRouter.shared.syncRegisteredKeysIfNeeded() }
    }

    func session(
        _ session: WCSession,
        didReceiveApplicationContext applicationContext: [String: Any]
    ) {
        guard let snapshot = try? StorageRouter.shared.snapshot(in: applicationContext)
        else { return }
        Task { try? await StorageRouter.shared.apply(snapshot) }
    }

    func sessionReachabilityDidChange(_ session: WCSession) {
        guard session.isReachable else { return }
        Task { try? await StorageRouter.shared.syncRegisteredKeysIfNeeded() }
    }

    // On the phone: the person may have put on another watch.
    func sessionDidBecomeInactive(_ session: WCSession) {}

    func sessionDidDeactivate(_ session: WCSession) {
        Task {
            await StorageRouter.shared.counterpartMayHaveChanged()
            WCSession.default.activate()
        }
    }
}
