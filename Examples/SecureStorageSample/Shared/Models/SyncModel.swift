import LocalData
import Observation

/// The screen of sync: what waits and why, what travels when somebody says so, and what the person has switched off.
@MainActor
@Observable
final class SyncModel: ShowsProblems {
    static let shared = SyncModel()

    /// Such as `profile: notRequested`.
    private(set) var waiting: [String] = []
    private(set) var syncsJournal = true
    var problem: String?

    func load() async {
        waiting = await StorageRouter.shared.syncStatus().pending.map { "\($0.key): \($0.obstacle)" }
        syncsJournal = StorageRouter.shared.syncPolicy(of: StorageKeys.JournalKey()) != .never
    }

    /// Values that travel by hand only, such as the profile, travel by this.
    func send() async {
        await attempt { try await StorageRouter.shared.syncNow() }
        await load()
    }

    /// Switched off, what was not delivered yet is taken back.
    func setSyncsJournal(_ syncs: Bool) async {
        await attempt {
            try await StorageRouter.shared.setSyncPolicyOverride(syncs ? nil : .never, for: StorageKeys.JournalKey())
        }
        await load()
    }
}
