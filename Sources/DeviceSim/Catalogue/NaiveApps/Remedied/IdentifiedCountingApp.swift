import DeviceSimCore
import SimulatedSystem

/// The remedy of P5: each report has an identifier of its own, whichever way it goes and however often, and is counted once.
final class IdentifiedCountingApp: CountingApp, @unchecked Sendable {
    override func report() -> [String: Any] {
        ["glasses": 1, "id": SystemShims.uuid().uuidString]
    }

    override func count(_ report: [String: Any]) {
        var counted = UserDefaults.standard.stringArray(forKey: "counted") ?? []
        guard let id = report["id"] as? String, !counted.contains(id) else { return }
        super.count(report)
        counted.append(id)
        UserDefaults.standard.set(counted, forKey: "counted")
    }
}
