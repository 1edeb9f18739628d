import DeviceSimCore
import SimulatedSystem

/// The remedy of P6: each state has a revision, and an older one than the state that is there is not applied, whichever way it came.
final class RevisionApp: TwoChannelsApp, @unchecked Sendable {
    private typealias UserDefaults = SystemShims.UserDefaults

    override func state() -> [String: Any] {
        UserDefaults.standard.set(revision + 1, forKey: "revision")
        return super.state().merging(["revision": revision]) { $1 }
    }

    override func apply(_ state: [String: Any]) {
        guard let revision = state["revision"] as? Int, revision > self.revision else { return }
        UserDefaults.standard.set(revision, forKey: "revision")
        super.apply(state)
    }

    private var revision: Int { UserDefaults.standard.integer(forKey: "revision") }
}
