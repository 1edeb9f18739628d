import Foundation
import LocalData
import WatchConnectivity

/// An app that uses LocalData and WatchConnectivity the way their documents tell apps to. The same code is its phone and its watch app.
///
/// Nothing in this file knows of the simulation: with `BackgroundWork.swift` it compiles for iOS and watchOS as it stands.
public nonisolated final class ReferenceApp: NSObject, WCSessionDelegate, Sendable {
    let catalogs: [any StorageKeyCatalog]
    let activatesSession: Bool
    let report: @Sendable (String, any Error) -> Void
    /// What a launch in the background was for.
    public let work = BackgroundWork()

    /// - Parameters:
    ///   - catalogs: Registered at launch, with a sweep of their migrations.
    ///   - activatesSession: Whether the launch activates the session. An app that does not must call ``activateSession()`` later.
    ///   - report: Told of every failure that no caller is told of: what was being done, and the error.
    public init(
        catalogs: [any StorageKeyCatalog] = [], activatesSession: Bool = true,
        report: @escaping @Sendable (String, any Error) -> Void = { _, _ in }
    ) {
        self.catalogs = catalogs
        self.activatesSession = activatesSession
        self.report = report
    }

    // MARK: Life cycle

    /// What an app does first. The keys are known before the session can deliver anything for them, and all of them before the first value is moved.
    public func start() async {
        for catalog in catalogs {
            do {
                try await StorageRouter.shared.registerCatalog(catalog)
            } catch {
                report("register \(catalog.name)", error)
            }
        }
        do {
            for try await progress in StorageRouter.shared.migrations() {
                if case .failed(let error) = progress.outcome.result { report("migrate \(progress.outcome.key)", error) }
            }
        } catch {
            report("migrate", error)
        }
        if activatesSession { activateSession() }
    }

    /// Registers a catalog that was left out at the launch, as that of a part of the app which is opened later. What came for its keys before is in the context
    /// that the session keeps, so the app syncs then.
    public func register(_ catalog: any StorageKeyCatalog) async throws {
        try await StorageRouter.shared.registerCatalog(catalog, migrateImmediately: true)
        guard WCSession.isSupported(), WCSession.default.activationState == .activated else { return }
        await syncIfNeeded()
    }

    /// A person has brought the app to the foreground: `applicationDidBecomeActive(_:)`, or the scene's phase is active. What waited for that, such as a
    /// value that arrived while the device was locked, is stored now.
    public func didEnterForeground() async { await catchUp() }

    /// The device was unlocked while the app runs: `applicationProtectedDataDidBecomeAvailable(_:)`. A watch app is not told; it comes to the foreground.
    public func protectedDataDidBecomeAvailable() async { await catchUp() }

    private func catchUp() async {
        do {
            try await StorageRouter.shared.protectedDataBecameAvailable()
        } catch {
            report("catch up", error)
        }
    }

    /// Sets the delegate and activates the session, where the device has one.
    public func activateSession() {
        guard WCSession.isSupported() else { return }
        let session = WCSession.default
        session.delegate = self
        session.activate()
    }

    // MARK: WCSessionDelegate

    public func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        if let error {
            report("activate", error)
            return work.giveUp()
        }
        // Inactive: what a watch sent that is no longer worn comes first, and then `sessionDidDeactivate(_:)` (W3).
        guard activationState == .activated else { return }
        doWork { await $0.syncIfNeeded() }
    }

    public func sessionDidBecomeInactive(_ session: WCSession) {}

    /// The person switched to another watch; the session must be activated again for it (W14). Only after what was known of the other one is forgotten:
    /// what the new activation syncs must not be held back as something that this watch has.
    public func sessionDidDeactivate(_ session: WCSession) {
        Task {
            await StorageRouter.shared.counterpartMayHaveChanged()
            WCSession.default.activate()
        }
    }

    public func sessionReachabilityDidChange(_ session: WCSession) {
        guard session.isReachable else { return }
        Task { await syncIfNeeded() }
    }

    /// The counterpart was paired or installed: it has nothing yet.
    public func sessionWatchStateDidChange(_ session: WCSession) {
        Task { await syncIfNeeded() }
    }

    public func sessionCompanionAppInstalledDidChange(_ session: WCSession) {
        Task { await syncIfNeeded() }
    }

    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        apply(applicationContext)
    }

    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        apply(message)
    }

    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        apply(userInfo)
    }

    public func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {
        if let error { report("transfer a user info", error) }
    }

    public func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        if let error { report("transfer a file", error) }
    }

    public func session(_ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void) {
        guard StorageRouter.isSyncRequest(message) else { return replyHandler([:]) }
        // The session's documentation lets the handler be called from any thread; the SDK does not say so in its type.
        nonisolated(unsafe) let reply = replyHandler
        Task {
            do {
                reply(try await StorageRouter.shared.syncSnapshot().payload)
            } catch {
                report("answer a sync request", error)
                reply([:])
            }
        }
    }

    // MARK: Sync

    /// Asks the counterpart for what it has, and applies that. For a watch app that starts before the phone sent anything.
    public func requestSnapshot() async throws {
        let snapshot: SyncSnapshot? = try await withCheckedThrowingContinuation { continuation in
            WCSession.default.sendMessage(
                StorageRouter.syncRequest,
                replyHandler: { reply in continuation.resume(with: Result { try StorageRouter.shared.snapshot(in: reply) }) },
                errorHandler: { continuation.resume(throwing: $0) }
            )
        }
        if let snapshot { _ = try await StorageRouter.shared.apply(snapshot) }
    }

    private func syncIfNeeded() async {
        do {
            try await StorageRouter.shared.syncRegisteredKeysIfNeeded()
        } catch {
            report("sync", error)
        }
    }

    private func apply(_ dictionary: [String: Any]) {
        do {
            guard let snapshot = try StorageRouter.shared.snapshot(in: dictionary) else { return work.check() }
            doWork { app in
                do {
                    _ = try await StorageRouter.shared.apply(snapshot)
                } catch {
                    app.report("apply a snapshot", error)
                }
            }
        } catch {
            report("read a snapshot", error)
            work.check()
        }
    }

    /// Does something that a launch in the background must last for.
    private func doWork(_ body: @escaping @Sendable (ReferenceApp) async -> Void) {
        work.begin()
        Task {
            await body(self)
            work.end()
        }
    }
}
