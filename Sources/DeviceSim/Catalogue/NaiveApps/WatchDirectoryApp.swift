import DeviceSimCore
import Foundation
import WatchConnectivity

/// P33. Keeps what belongs to the watch in `watchDirectoryURL`, and nowhere else. The system empties that when the watch's app is removed, or the watch
/// unpaired (W24).
class WatchDirectoryApp: NSObject, NaiveApp, @unchecked Sendable {
    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "write note": { value in
                guard let url = try self.place() else { return }
                try NaiveFiles.write(Data((String(value) ?? "").utf8), to: url)
            }
        ]
    }

    var screen: [String: ScenarioValue] {
        let data = (try? place()).flatMap { try? NaiveFiles.read($0) }
        return ["note": .shown(data.map { String(decoding: $0, as: UTF8.self) })]
    }

    func place() throws -> URL? {
        WCSession.default.watchDirectoryURL?.appendingPathComponent("note")
    }
}
