import DeviceSim

@testable import SampleWatch

/// The watch app, as a person uses it.
final class WatchApp: HostedApp, @unchecked Sendable {
    init() { super.init(watch: { WatchDelegate() }) }

    @MainActor override func perform(_ action: String, with value: ScenarioValue) async throws {
        switch (action, value) {
        case ("write", .string(let entry)): await JournalModel.shared.add(entry)
        case ("choose theme", .string(let name)):
            guard let theme = Theme(rawValue: name) else { throw AppActionError("there is no theme '\(name)'") }
            await SettingsModel.shared.choose(theme)
        case ("set haptics", .bool(let haptics)): await SettingsModel.shared.setHaptics(haptics)
        case ("buy", .string(let thing)): await DocumentsModel.shared.buy(thing)
        case ("save code", .string(let code)): await VaultModel.shared.saveUnlockCode(code)
        case ("show code", .null): await VaultModel.shared.showUnlockCode()
        case ("save secret", .string(let secret)): await VaultModel.shared.save(secret, as: .password)
        default: throw AppActionError("the app has no action '\(action)'")
        }
    }

    /// What a screen shows is loaded when somebody looks, as its `task` does.
    @MainActor override func shown(_ name: String) async throws -> ScenarioValue {
        switch name {
        case "theme": return .string(SettingsModel.shared.theme.rawValue)
        case "journal": return texts(JournalModel.shared.entries)
        case "profile", "goal", "haptics":
            await SettingsModel.shared.load()
            let model = SettingsModel.shared
            return switch name {
            case "profile": .string("\(model.profile.firstName) \(model.profile.lastName)")
            case "goal": .integer(Int64(model.goal))
            default: .bool(model.haptics)
            }
        case "shopping", "portrait", "preview":
            await DocumentsModel.shared.load()
            let model = DocumentsModel.shared
            return switch name {
            case "shopping": texts(model.shopping)
            case "portrait": .integer(Int64(model.portraitByteCount))
            default: .integer(Int64(model.previewByteCount))
            }
        case "secret": return VaultModel.shared.shown.map { .string($0) } ?? .null
        case "vault problem": return VaultModel.shared.problem.map { .string($0) } ?? .null
        case "settings problem": return SettingsModel.shared.problem.map { .string($0) } ?? .null
        default: throw AppActionError("the app shows no '\(name)'")
        }
    }

    private func texts(_ texts: [String]) -> ScenarioValue { .array(texts.map { .string($0) }) }
}
