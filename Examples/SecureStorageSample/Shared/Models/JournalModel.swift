import LocalData
import Observation

/// The journal's screen: entries that both devices have, and the one that is being written.
@MainActor
@Observable
final class JournalModel: ShowsProblems {
    static let shared = JournalModel()

    private(set) var entries: [String] = []
    private(set) var draft = ""
    var problem: String?

    /// Shows the journal, whichever device changes it. Ends with the task that calls it.
    func follow() async {
        await attempt {
            for try await change in StorageRouter.shared.changes(of: StorageKeys.JournalKey()) { entries = change.value?.entries ?? [] }
        }
    }

    /// Adds to what is stored, and not to what is shown: that may be older.
    func add(_ entry: String) async {
        await attempt {
            var journal = try await StorageRouter.shared.value(of: StorageKeys.JournalKey()) ?? Journal()
            journal.entries.append(entry)
            try await StorageRouter.shared.set(journal, for: StorageKeys.JournalKey())
        }
    }

    func keepDraft(_ text: String, of entry: String) async {
        await attempt {
            try await StorageRouter.shared.set(text, for: StorageKeys.DraftKey(id: entry))
            draft = text
        }
    }

    func loadDraft(of entry: String) async {
        await attempt { draft = try await StorageRouter.shared.value(of: StorageKeys.DraftKey(id: entry)) ?? "" }
    }

    /// The draft becomes an entry. A crash between the two leaves both, and never neither.
    func finishDraft(of entry: String) async {
        await add(draft)
        guard problem == nil else { return }
        await attempt {
            try await StorageRouter.shared.remove(StorageKeys.DraftKey(id: entry))
            draft = ""
        }
    }

    func export() async {
        await attempt { try await StorageRouter.shared.set(entries.joined(separator: "\n"), for: StorageKeys.ExportKey()) }
    }

    func exported() async -> String? {
        var text: String?
        await attempt { text = try await StorageRouter.shared.value(of: StorageKeys.ExportKey()) }
        return text
    }
}
