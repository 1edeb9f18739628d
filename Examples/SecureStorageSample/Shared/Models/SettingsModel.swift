import LocalData
import Observation

/// The settings' screen.
@MainActor
@Observable
final class SettingsModel: ShowsProblems {
    static let shared = SettingsModel()

    private(set) var theme = Theme.system
    private(set) var profile = Profile()
    private(set) var goal = 0
    private(set) var reminders: [String] = []
    private(set) var haptics = false
    var problem: String?

    /// Shows the theme, whichever device changes it. Ends with the task that calls it.
    func follow() async {
        await attempt {
            for try await change in StorageRouter.shared.changes(of: StorageKeys.ThemeKey()) { theme = change.value ?? .system }
        }
    }

    func load() async {
        await attempt {
            profile = try await StorageRouter.shared.value(of: StorageKeys.ProfileKey()) ?? Profile()
            goal = try await StorageRouter.shared.value(of: StorageKeys.GoalKey()) ?? 0
            reminders = try await StorageRouter.shared.value(of: StorageKeys.RemindersKey()) ?? []
            #if os(watchOS)
                haptics = try await StorageRouter.shared.value(of: StorageKeys.HapticsKey()) ?? false
            #endif
        }
    }

    func choose(_ theme: Theme) async {
        await attempt { try await StorageRouter.shared.set(theme, for: StorageKeys.ThemeKey()) }
    }

    func rename(first: String, last: String) async {
        await attempt {
            let profile = Profile(firstName: first, lastName: last)
            try await StorageRouter.shared.set(profile, for: StorageKeys.ProfileKey())
            self.profile = profile
        }
    }

    func setGoal(_ goal: Int) async {
        await attempt {
            try await StorageRouter.shared.set(goal, for: StorageKeys.GoalKey())
            self.goal = goal
        }
    }

    func setReminders(_ reminders: [String]) async {
        await attempt {
            try await StorageRouter.shared.set(reminders, for: StorageKeys.RemindersKey())
            self.reminders = reminders
        }
    }

    /// Of the watch. On the phone it is an error, `watchOnly`.
    func setHaptics(_ haptics: Bool) async {
        await attempt {
            try await StorageRouter.shared.set(haptics, for: StorageKeys.HapticsKey())
            self.haptics = haptics
        }
    }
}
