import Foundation
import LocalData
import Observation

/// What happens at launch, and what came of it.
@MainActor
@Observable
final class SampleModel {
    static let shared = SampleModel()

    /// Keys whose values an earlier version had left elsewhere, as the launch found them.
    private(set) var moved: [String] = []
    /// What could not be moved, with the reason; it is tried again when the device is unlocked.
    private(set) var notMoved: [String] = []
    private(set) var problem: String?

    /// Providers and keys come first: whatever the session delivers is then known.
    func start() async {
        for source in [AccountMaterial.first, AccountMaterial.current] {
            await EncryptionHelper.shared.registerKeyMaterialProvider(AccountMaterial(source: source), for: source)
        }
        await EncryptionHelper.shared.registerKeyMaterialProvider(DiaryPassphrase.shared, for: DiaryPassphrase.source)
        do {
            for outcome in try await StorageRouter.shared.registerCatalog(SampleCatalog(), migrateImmediately: true) {
                note(outcome)
            }
        } catch {
            problem = String(describing: error)
        }
        SampleSession.shared.start()
        Task { await SettingsModel.shared.follow() }
        Task { await JournalModel.shared.follow() }
    }

    /// What had to wait for the device to be unlocked: migrations, and values that arrived meanwhile.
    func catchUp() async {
        do {
            try await StorageRouter.shared.protectedDataBecameAvailable()
            problem = nil
        } catch {
            problem = String(describing: error)
        }
    }

    private func note(_ outcome: MigrationOutcome) {
        switch outcome.result {
        case .migrated: moved.append(outcome.key)
        case .deferred(let error): notMoved.append("\(outcome.key): \(error.code.rawValue)")
        case .failed(let error): notMoved.append("\(outcome.key): \(error)")
        case .nothingToDo: break
        }
    }
}
