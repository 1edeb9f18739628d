import Foundation
import LocalData
import WatchConnectivity

#if os(iOS)
    /// What the phone app calls itself to the watch.
    let deviceName = "iPhone"
#elseif os(watchOS)
    let deviceName = "Apple Watch"
#else
    #error("the theme app is for iOS and watchOS")
#endif

/// What the app shows. The views observe it.
@MainActor
public final class ThemeModel {
    public static let shared = ThemeModel()

    public private(set) var theme = "system"
    /// The name of the counterpart that answered last.
    public private(set) var counterpart: String?
    /// When the theme was last read.
    public private(set) var refreshed: Date?

    public func refresh() async {
        do {
            theme = try await StorageRouter.shared.get(StorageKeys.ThemeKey())
        } catch {
            theme = "system"
        }
        refreshed = Date()
    }

    public func choose(_ theme: String) async throws {
        try await StorageRouter.shared.set(theme, for: StorageKeys.ThemeKey())
        await refresh()
    }

    func met(_ counterpart: String) {
        self.counterpart = counterpart
    }
}

/// Connects LocalData to the session, and says hello to the counterpart.
public final class ThemeSession: NSObject, WCSessionDelegate, Sendable {
    public func start() async throws {
        try await StorageRouter.shared.registerCatalog(ThemeCatalog(), migrateImmediately: true)
        guard WCSession.isSupported() else { return }
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    /// Asks the counterpart for its name.
    public func greet() {
        WCSession.default.sendMessage(["hello": deviceName]) { reply in
            guard let name = reply["name"] as? String else { return }
            Task { @MainActor in ThemeModel.shared.met(name) }
        } errorHandler: { error in
            NSLog("no greeting: %@", "\(error)")
        }
    }

    public func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        Task {
            try? await StorageRouter.shared.syncRegisteredKeysIfNeeded()
            await ThemeModel.shared.refresh()
        }
    }

    #if os(iOS)
        public func sessionDidBecomeInactive(_ session: WCSession) {}

        public func sessionDidDeactivate(_ session: WCSession) {
            session.activate()
        }
    #endif

    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        guard let snapshot = try? SyncSnapshot(in: applicationContext) else { return }
        Task.detached {
            _ = try await StorageRouter.shared.apply(snapshot)
            await ThemeModel.shared.refresh()
        }
    }

    public func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        replyHandler(["name": deviceName])
    }
}
