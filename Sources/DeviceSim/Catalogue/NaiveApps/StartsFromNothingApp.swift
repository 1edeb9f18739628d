import DeviceSimCore
import Foundation
import WatchConnectivity

/// P44. Reads its notes at launch, and begins with none where they cannot be read. Before the first unlock they never can, and then content may start the app
/// (W144): what it stores next takes the place of all that was there.
class StartsFromNothingApp: NSObject, NaiveApp, @unchecked Sendable {
    var notes: [String] = []

    func didFinishLaunching(inBackground: Bool) async {
        load()
        startSession()
    }

    func didEnterForeground() async {}
    func protectedDataDidBecomeAvailable() async {}

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "add note": { value in
                let note = String(value) ?? ""
                self.add(note)
                WCSession.default.transferUserInfo(["note": note])
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["notes": .array(notes.map(ScenarioValue.string))] }

    func load() { notes = (try? stored()) ?? [] }

    /// One on each line.
    func stored() throws -> [String] {
        String(decoding: try NaiveFiles.read(NaiveFiles.url(of: "Documents/notes")), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    func add(_ note: String) {
        notes.append(note)
        save()
    }

    func save() {
        try? NaiveFiles.write(Data(notes.joined(separator: "\n").utf8), to: NaiveFiles.url(of: "Documents/notes"))
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        if let note = userInfo["note"] as? String { add(note) }
    }

    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {}
}
