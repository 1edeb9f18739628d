import LocalData
import Observation

/// The vault's screen: secrets, each under a protection of its own. A secret is shown until the screen is left, and kept nowhere else.
@MainActor
@Observable
final class VaultModel: ShowsProblems {
    static let shared = VaultModel()

    private(set) var shown: String?
    private(set) var stored: Set<VaultItem> = []
    var problem: String?

    /// Asks nobody to authenticate: whether something is there says the audit.
    func load() async {
        let report = await StorageRouter.shared.auditReport(opensValues: false)
        stored = Set(
            VaultItem.allCases.filter { item in
                let name = StorageKeys.VaultKey(item: item).name
                guard case .present = report.items.first(where: { $0.key.name == name })?.presence else { return false }
                return true
            })
    }

    func save(_ secret: String, as item: VaultItem) async {
        await attempt {
            try await StorageRouter.shared.set(secret, for: StorageKeys.VaultKey(item: item))
            stored.insert(item)
        }
    }

    /// May ask the person to authenticate, so only a person's tap calls it.
    func show(_ item: VaultItem) async {
        shown = nil
        await attempt { shown = try await StorageRouter.shared.get(StorageKeys.VaultKey(item: item)) }
    }

    func hide() {
        shown = nil
    }

    func remove(_ item: VaultItem) async {
        await attempt {
            try await StorageRouter.shared.remove(StorageKeys.VaultKey(item: item))
            stored.remove(item)
        }
    }

    func saveAccountToken(_ token: String) async {
        await attempt { try await StorageRouter.shared.set(token, for: StorageKeys.AccountTokenKey()) }
    }

    func showAccountToken() async {
        shown = nil
        await attempt { shown = try await StorageRouter.shared.get(StorageKeys.AccountTokenKey()) }
    }

    /// The watch's own.
    func saveUnlockCode(_ code: String) async {
        await attempt { try await StorageRouter.shared.set(code, for: StorageKeys.UnlockCodeKey()) }
    }

    func showUnlockCode() async {
        shown = nil
        await attempt { shown = try await StorageRouter.shared.get(StorageKeys.UnlockCodeKey()) }
    }
}
