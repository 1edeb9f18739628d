import DeviceSim
import Foundation
import LocalData

@testable import SamplePhone

/// Version 1 of the phone app: it registers what version 1 declared, and stores as that did. It knew no watch.
final class EarlierApp: SimulatedApp {
    func didFinishLaunching(inBackground: Bool) async {
        await EncryptionHelper.shared.registerKeyMaterialProvider(
            AccountMaterial(source: AccountMaterial.first), for: AccountMaterial.first)
        _ = try? await StorageRouter.shared.registerCatalog(Version1Catalog())
    }

    func perform(_ action: String, with value: ScenarioValue) async throws {
        let router = StorageRouter.shared
        switch (action, value) {
        case ("choose theme", .string(let name)): try await router.set(name, for: Version1.ThemeNameKey())
        case ("set first name", .string(let name)): try await router.set(name, for: Version1.FirstNameKey())
        case ("set last name", .string(let name)): try await router.set(name, for: Version1.LastNameKey())
        case ("set goal", .integer(let goal)): try await router.set(Int(goal), for: Version1.GoalKey())
        case ("write notes", .string(let text)): try await router.set(text, for: Version1.NotesKey())
        case ("save password", .string(let password)): try await router.set(password, for: Version1.PasswordKey())
        case ("spend", .string(let purpose)):
            try await router.set([Expense(cents: 1000, purpose: purpose)], for: Version1.ExpensesKey())
        case ("write team note", .string(let note)): try await router.set(note, for: Version1.TeamNoteKey())
        // What it kept without LocalData.
        case ("remind", .string(let time)):
            SystemShims.UserDefaults.standard.set([time], forKey: RemindersMigration.legacyName)
        default: throw AppActionError("version 1 has no action '\(action)'")
        }
    }

    func shown(_ name: String) async throws -> ScenarioValue {
        switch name {
        case "theme": .string(try await StorageRouter.shared.get(Version1.ThemeNameKey()))
        case "notes": .string(try await StorageRouter.shared.get(Version1.NotesKey()))
        default: throw AppActionError("version 1 shows no '\(name)'")
        }
    }
}

extension StorageRouter {
    /// Which version of the app is installed on the device whose code asks.
    static var isEarlierApp: Bool { shared.environment.device.appVersion.hasPrefix("1.") }
}
