import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P40. Both devices edit one list. Each sends the whole of it, and takes what comes for an addition: nothing that was removed on one device ever goes from the
/// other, which gives it back with its next edit.
class UnitedListApp: NSObject, NaiveApp, @unchecked Sendable {
    typealias UserDefaults = SystemShims.UserDefaults

    var items: [String] {
        get { UserDefaults.standard.stringArray(forKey: "items") ?? [] }
        set { UserDefaults.standard.set(newValue, forKey: "items") }
    }

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "add": { value in
                self.items.append(String(value) ?? "")
                try self.tell()
            },
            "remove": { value in
                self.remove(String(value) ?? "")
                try self.tell()
            },
        ]
    }

    var screen: [String: ScenarioValue] { ["items": .array(items.map(ScenarioValue.string))] }

    func remove(_ item: String) { items.removeAll { $0 == item } }

    var state: [String: Any] { ["items": items] }

    private func tell() throws { try WCSession.default.updateApplicationContext(state) }

    func merge(_ state: [String: Any]) {
        items += (state["items"] as? [String] ?? []).filter { !items.contains($0) }
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) { merge(applicationContext) }
}
