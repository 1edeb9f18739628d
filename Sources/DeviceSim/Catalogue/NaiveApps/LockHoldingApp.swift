import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P51. Keeps a database in an App Group, and a transaction open while somebody writes. The system ends an app that it would suspend while that holds a lock on a
/// shared file (0xdead10cc), and the draft goes with it.
class LockHoldingApp: NSObject, NaiveApp, @unchecked Sendable {
    private typealias UserDefaults = SystemShims.UserDefaults

    private static let database = "group.com.example/notes.sqlite"
    private var draft: String?

    func didEnterBackground() async {}

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "write": { value in
                // An open transaction: SQLite holds a lock until it is committed.
                ProcessContext.lockFile(Self.database)
                self.draft = String(value)
            },
            "done": { _ in self.commit() },
        ]
    }

    var screen: [String: ScenarioValue] { ["note": .shown(UserDefaults(suiteName: "group.com.example")?.string(forKey: "note"))] }

    func commit() {
        UserDefaults(suiteName: "group.com.example")?.set(draft, forKey: "note")
        ProcessContext.unlockFile(Self.database)
    }
}
