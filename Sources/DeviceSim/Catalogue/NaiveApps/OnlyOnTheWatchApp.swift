import DeviceSimCore
import Foundation
import WatchConnectivity

/// P34. Keeps what the watch records in the watch's documents. Unpairing erases the watch (W26), and the backup that is made of it then may hold no documents
/// of apps (W27).
class OnlyOnTheWatchApp: NSObject, NaiveApp, @unchecked Sendable {
    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "record": { value in
                try self.add([String(value) ?? ""])
                self.recorded()
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["runs": .array(runs.map(ScenarioValue.string))] }

    /// One on each line.
    var runs: [String] {
        let data = (try? NaiveFiles.url(of: "Documents/runs")).flatMap { try? NaiveFiles.read($0) } ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    func add(_ new: [String]) throws {
        let all = runs + new.filter { !runs.contains($0) }
        try NaiveFiles.write(Data(all.joined(separator: "\n").utf8), to: try NaiveFiles.url(of: "Documents/runs"))
    }

    func recorded() {}

    func sessionWatchStateDidChange(_ session: WCSession) {}

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        try? add(userInfo["runs"] as? [String] ?? [])
    }

    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {}
}
