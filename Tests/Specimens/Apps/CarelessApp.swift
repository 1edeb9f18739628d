import DeviceSim
import Foundation
import LocalData
import WatchConnectivity

/// An app that uses LocalData, and makes one mistake in doing so.
final class CarelessApp: NSObject, ValueKeeping, WCSessionDelegate, @unchecked Sendable {
    enum Mistake: Sendable {
        /// Received contexts are looked at by nobody.
        case ignoresContexts
        /// Contexts are taken only while the app is in the foreground.
        case ignoresContextsInBackground
        /// Deletions in received snapshots are left out, "to be safe".
        case dropsDeletions
        /// What a received snapshot had no room for is nothing to look at.
        case dropsOmissions
        /// Received values are taken without the version of their form.
        case forgetsForms
        /// What cannot be set because a newer app has set it is removed first.
        case makesRoom
        /// A smaller form that was received is taken for an edit of this device.
        case takesSmallerFormForEdit
        /// A copy of every secret is written to a file, to look into while debugging.
        case writesPlaintext
        /// Every value is kept in a file of the app's besides, unsealed, "for speed", and read from there.
        case readsOwnCopy
        /// Values are kept in memory after they were read once.
        case staleCache
        /// Any error of a read counts as "there is nothing".
        case errorIsAbsent
        /// A value that cannot be read is made anew.
        case regenerates
        /// The session is told of every value, those of this device included.
        case sendsEverything
        /// A value is set by removing it first.
        case removesBeforeSetting
        /// An error of `set` is kept from the caller.
        case swallowsErrors
        /// A removal is noted in memory, and done when the app goes to the background.
        case removesLater
        /// What could not be stored while the device was locked waits for the next launch.
        case waitsForRelaunch
        /// The greatest number of a snapshot is kept, and contexts with lower ones are not looked at any more, whoever claimed it.
        case believesNumbers
        /// A `set` returns at once, and is done in a task that nobody waits for.
        case setsInTask
        /// What the system gives the app to complete is left open.
        case leavesTasksOpen
        /// The session is not activated again when the person has put on another watch (P18).
        case neverReactivates
        /// The newer version deletes the files of keys that it has no more, though the older one may come back.
        case clearsWhatItDropped
    }

    private let reference: ReferenceApp
    private let mistake: Mistake
    private var cache: [String: ScenarioValue] = [:]
    private var isInForeground = false
    private var toRemove: [AppKey] = []

    init(behaviour: AppBehaviour, mistake: Mistake) {
        reference = ReferenceApp(catalogs: behaviour.catalogs, activatesSession: false)
        self.mistake = mistake
    }

    func didFinishLaunching(inBackground: Bool) async {
        isInForeground = !inBackground
        if mistake == .clearsWhatItDropped, StorageRouter.shared.environment.device.appVersion != AppVersion.first.description {
            for name in ["memo", "slip"] { try? await StorageRouter.shared.files.delete(name, in: .documents) }
        }
        await reference.start()
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func didEnterForeground() async {
        isInForeground = true
        await catchUp()
    }

    func protectedDataDidBecomeAvailable() async { await catchUp() }

    private func catchUp() async {
        switch mistake {
        case .waitsForRelaunch, .ignoresContexts, .ignoresContextsInBackground, .dropsDeletions: break
        default: await reference.didEnterForeground()
        }
    }

    func didEnterBackground() async {
        isInForeground = false
        for key in toRemove { try? await key.remove() }
        toRemove = []
    }

    func handleBackgroundTask(_ task: ConnectivityRefreshTask) async {
        if mistake != .leavesTasksOpen { TaskCompletion.complete(task) }
    }

    // MARK: Values

    func set(_ value: ScenarioValue, for key: AppKey) async throws {
        switch mistake {
        case .removesBeforeSetting:
            try await key.remove()
            try await key.set(value)
        case .makesRoom:
            do {
                try await key.set(value)
            } catch let error as StorageError where error.code == .superseded {
                try await key.remove()
                try await key.set(value)
            }
        case .swallowsErrors: try? await key.set(value)
        case .setsInTask: Task { try? await key.set(value) }
        default: try await key.set(value)
        }
        switch mistake {
        case .staleCache: cache[key.name] = value
        case .writesPlaintext, .readsOwnCopy: try? writeCopy(of: value, key.name)
        case .sendsEverything: try? WCSession.default.updateApplicationContext(["all.\(key.name)": value.foundationValue])
        default: break
        }
    }

    func value(of key: AppKey) async throws -> ScenarioValue {
        switch mistake {
        case .staleCache:
            if let cached = cache[key.name] { return cached }
            let value = try await key.value()
            cache[key.name] = value
            return value
        case .readsOwnCopy:
            let files = StorageRouter.shared.environment.fileSystem
            if let path = try? copyPath(key.name), let data = try? files.contents(of: path), key.key.type == .string {
                return .string(String(decoding: data, as: UTF8.self))
            }
            return try await key.value()
        case .errorIsAbsent:
            do {
                return try await key.value()
            } catch {
                throw StorageError(.notFound, key: key.name)
            }
        case .regenerates:
            do {
                return try await key.value()
            } catch let error as StorageError where error.code != .notFound {
                try? await key.remove()
                throw error
            }
        default: return try await key.value()
        }
    }

    func remove(_ key: AppKey) async throws {
        if mistake == .removesLater { toRemove.append(key) } else { try await key.remove() }
        cache[key.name] = nil
    }

    private func copyPath(_ name: String) throws -> String {
        try StorageRouter.shared.environment.fileSystem.path(of: .caches) + "/copy-\(name)"
    }

    private func writeCopy(of value: ScenarioValue, _ name: String) throws {
        let text: String
        switch value {
        case .string(let string): text = string
        case _ where mistake == .writesPlaintext: text = value.notation
        default: return
        }
        let files = StorageRouter.shared.environment.fileSystem
        let path = try copyPath(name)
        try files.createDirectory(at: files.path(of: .caches))
        if try files.attributes(of: path) != nil { try files.removeFile(at: path) }
        let file = try files.createFile(at: path, protection: .completeUntilFirstUserAuthentication)
        try file.write(Data(text.utf8))
        try file.close()
    }

    private func isLatest(_ context: [String: Any]) -> Bool {
        let files = StorageRouter.shared.environment.fileSystem
        guard let root = context[SyncSnapshot.entryKey] as? [String: Any], let number = root["sequence"] as? NSNumber,
            let path = try? copyPath("number")
        else { return true }
        let greatest = (try? files.contents(of: path)).flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
        guard number.int64Value >= greatest else { return false }
        try? files.createDirectory(at: files.path(of: .caches))
        try? files.removeFile(at: path)
        let file = try? files.createFile(at: path, protection: .completeUntilFirstUserAuthentication)
        try? file?.write(Data("\(number.int64Value)".utf8))
        try? file?.close()
        return true
    }

    // MARK: WCSessionDelegate

    func session(_ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?) {
        reference.session(session, activationDidCompleteWith: activationState, error: error)
    }

    func sessionDidBecomeInactive(_ session: WCSession) {}
    func sessionDidDeactivate(_ session: WCSession) {
        if mistake != .neverReactivates { reference.sessionDidDeactivate(session) }
    }
    func sessionWatchStateDidChange(_ session: WCSession) { reference.sessionWatchStateDidChange(session) }
    func sessionCompanionAppInstalledDidChange(_ session: WCSession) { reference.sessionCompanionAppInstalledDidChange(session) }
    func sessionReachabilityDidChange(_ session: WCSession) {
        switch mistake {
        // An app that syncs whenever its counterpart comes into reach takes up everything then.
        case .waitsForRelaunch, .ignoresContextsInBackground: break
        default: reference.sessionReachabilityDidChange(session)
        }
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        switch mistake {
        case .ignoresContexts: return
        case .ignoresContextsInBackground where !isInForeground: return
        case .believesNumbers where !isLatest(applicationContext): return
        case .dropsDeletions: apply(applicationContext) { $0.entries = $0.entries.filter { !$0.value.isDeletion } }
        case .dropsOmissions: apply(applicationContext) { $0.omittedVersions = [:] }
        case .forgetsForms:
            apply(applicationContext) { for name in $0.entries.keys { $0.entries[name]?.schemaVersion = 1 } }
        case .takesSmallerFormForEdit:
            apply(applicationContext) { snapshot in
                for (name, entry) in snapshot.entries where entry.isReduced {
                    let stamp = SyncStamp(counter: entry.stamp.counter + 1, device: entry.stamp.device)
                    snapshot.entries[name] = SyncEntry(stamp: stamp, value: entry.value)
                }
            }
        default: reference.session(session, didReceiveApplicationContext: applicationContext)
        }
    }

    private func apply(_ context: [String: Any], changed change: (inout SyncSnapshot) -> Void) {
        guard var snapshot = try? SyncSnapshot(in: context) else { return }
        change(&snapshot)
        let changed = snapshot
        Task { _ = try? await StorageRouter.shared.apply(changed) }
    }
}
