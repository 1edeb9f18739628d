import LocalData
import Observation

/// The diary's screen: what opens with a passphrase, and what opens with the server's material.
@MainActor
@Observable
final class DiaryModel: ShowsProblems {
    static let shared = DiaryModel()

    private(set) var text: String?
    private(set) var teamNote: String?
    var problem: String?

    /// A wrong passphrase is `decryptionFailed`: nothing is lost by it.
    func open(with passphrase: String) async {
        text = nil
        await attempt {
            await DiaryPassphrase.shared.open(with: passphrase)
            text = try await StorageRouter.shared.value(of: StorageKeys.DiaryKey()) ?? ""
        }
    }

    func write(_ text: String) async {
        await attempt {
            try await StorageRouter.shared.set(text, for: StorageKeys.DiaryKey())
            self.text = text
        }
    }

    /// Whenever the app leaves the screen.
    func close() async {
        text = nil
        await DiaryPassphrase.shared.close()
    }

    func loadTeamNote() async {
        await attempt { teamNote = try await StorageRouter.shared.value(of: StorageKeys.TeamNoteKey()) }
    }

    func writeTeamNote(_ note: String) async {
        await attempt {
            try await StorageRouter.shared.set(note, for: StorageKeys.TeamNoteKey())
            teamNote = note
        }
    }
}
