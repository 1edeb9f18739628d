import DeviceSim
import LocalData

@testable import SamplePhone

/// The phone app, as a person uses it screen by screen. Its delegate does the rest.
final class PhoneApp: HostedApp, @unchecked Sendable {
    /// The row of the vault that the person has open.
    @MainActor private var row = VaultItem.password

    init() { super.init { PhoneDelegate() } }

    @MainActor override func perform(_ action: String, with value: ScenarioValue) async throws {
        if try await performSettings(action, value) { return }
        if try await performDocuments(action, value) { return }
        switch (action, value) {
        case ("open item", .string(let name)): row = try item(name)
        case ("save secret", .string(let secret)): await VaultModel.shared.save(secret, as: row)
        case ("show secret", .null): await VaultModel.shared.show(row)
        case ("remove secret", .null): await VaultModel.shared.remove(row)
        case ("save token", .string(let token)): await VaultModel.shared.saveAccountToken(token)
        case ("show token", .null): await VaultModel.shared.showAccountToken()
        case ("send", .null): await SyncModel.shared.send()
        case ("sync journal", .bool(let syncs)): await SyncModel.shared.setSyncsJournal(syncs)
        case ("rotate", .null): await SecurityModel.shared.rotate()
        case ("reseal", .null): await SecurityModel.shared.reseal()
        case ("retire", .null): await SecurityModel.shared.retire()
        default: throw AppActionError("the app has no action '\(action)'")
        }
    }

    @MainActor private func performSettings(_ action: String, _ value: ScenarioValue) async throws -> Bool {
        switch (action, value) {
        case ("choose theme", .string(let name)):
            guard let theme = Theme(rawValue: name) else { throw AppActionError("there is no theme '\(name)'") }
            await SettingsModel.shared.choose(theme)
        case ("rename", .array(let names)):
            guard case .string(let first)? = names.first, case .string(let last)? = names.last else { return false }
            await SettingsModel.shared.rename(first: first, last: last)
        case ("set goal", .integer(let goal)): await SettingsModel.shared.setGoal(Int(goal))
        case ("set haptics", .bool(let haptics)): await SettingsModel.shared.setHaptics(haptics)
        case ("remind", .string(let time)): await SettingsModel.shared.setReminders([time])
        default: return false
        }
        return true
    }

    @MainActor private func performDocuments(_ action: String, _ value: ScenarioValue) async throws -> Bool {
        switch (action, value) {
        case ("write", .string(let entry)): await JournalModel.shared.add(entry)
        case ("keep draft", .string(let text)): await JournalModel.shared.keepDraft(text, of: "today")
        case ("finish draft", .null): await JournalModel.shared.finishDraft(of: "today")
        case ("export", .null): await JournalModel.shared.export()
        case ("scan", .data(let scan)): await DocumentsModel.shared.keepScan(scan)
        case ("choose portrait", .data(let portrait)): await DocumentsModel.shared.choosePortrait(portrait)
        case ("spend", .string(let purpose)): await DocumentsModel.shared.spend(Expense(cents: 1000, purpose: purpose))
        case ("buy", .string(let thing)): await DocumentsModel.shared.buy(thing)
        case ("open diary", .string(let passphrase)): await DiaryModel.shared.open(with: passphrase)
        case ("write diary", .string(let text)): await DiaryModel.shared.write(text)
        case ("close diary", .null): await DiaryModel.shared.close()
        case ("write team note", .string(let note)): await DiaryModel.shared.writeTeamNote(note)
        default: return false
        }
        return true
    }

    /// What a screen shows is loaded when somebody looks, as its `task` does.
    @MainActor override func shown(_ name: String) async throws -> ScenarioValue {
        switch name {
        case "theme": return .string(SettingsModel.shared.theme.rawValue)
        case "profile":
            await SettingsModel.shared.load()
            return .string("\(SettingsModel.shared.profile.firstName) \(SettingsModel.shared.profile.lastName)")
        case "goal":
            await SettingsModel.shared.load()
            return .integer(Int64(SettingsModel.shared.goal))
        case "reminders":
            await SettingsModel.shared.load()
            return texts(SettingsModel.shared.reminders)
        case "settings problem": return text(SettingsModel.shared.problem)
        case "secret": return text(VaultModel.shared.shown)
        case "stored":
            await VaultModel.shared.load()
            return texts(VaultItem.allCases.filter { VaultModel.shared.stored.contains($0) }.map(\.rawValue))
        case "vault problem": return text(VaultModel.shared.problem)
        case "waiting":
            await SyncModel.shared.load()
            return texts(SyncModel.shared.waiting)
        case "moved": return texts(SampleModel.shared.moved)
        case "not moved": return texts(SampleModel.shared.notMoved)
        case "launch problem": return text(SampleModel.shared.problem)
        default: return try await shownOfDocuments(name)
        }
    }

    @MainActor private func shownOfDocuments(_ name: String) async throws -> ScenarioValue {
        switch name {
        case "journal": return texts(JournalModel.shared.entries)
        case "draft":
            await JournalModel.shared.loadDraft(of: "today")
            return .string(JournalModel.shared.draft)
        case "export": return text(await JournalModel.shared.exported())
        case "journal problem": return text(JournalModel.shared.problem)
        case "scan", "portrait", "preview", "shopping", "expenses", "documents problem":
            await DocumentsModel.shared.load()
            return shownAmongDocuments(name)
        case "diary": return text(DiaryModel.shared.text)
        case "team note":
            await DiaryModel.shared.loadTeamNote()
            return text(DiaryModel.shared.teamNote)
        case "diary problem": return text(DiaryModel.shared.problem)
        case "due":
            await SecurityModel.shared.load()
            return texts(SecurityModel.shared.due)
        case "kept keys": return texts(SecurityModel.shared.keptKeys)
        case "retired": return .integer(Int64(SecurityModel.shared.retiredCount))
        case "keys problem": return text(SecurityModel.shared.problem)
        case "warnings", "leaving", "leftovers":
            await AuditModel.shared.load()
            let model = AuditModel.shared
            return texts(name == "warnings" ? model.warnings : name == "leaving" ? model.leaving : model.leftovers)
        default: throw AppActionError("the app shows no '\(name)'")
        }
    }

    @MainActor private func shownAmongDocuments(_ name: String) -> ScenarioValue {
        let model = DocumentsModel.shared
        return switch name {
        case "scan": .integer(Int64(model.scanByteCount))
        case "portrait": .integer(Int64(model.portraitByteCount))
        case "preview": .integer(Int64(model.previewByteCount))
        case "shopping": texts(model.shopping)
        case "expenses": texts(model.expenses.map { "\($0.cents) \($0.purpose)" })
        default: text(model.problem)
        }
    }

    private func item(_ name: String) throws -> VaultItem {
        guard let item = VaultItem(rawValue: name) else { throw AppActionError("the vault has no '\(name)'") }
        return item
    }

    private func text(_ text: String?) -> ScenarioValue { text.map { .string($0) } ?? .null }
    private func texts(_ texts: [String]) -> ScenarioValue { .array(texts.map { .string($0) }) }
}
