import DeviceSimCore
import Foundation
import WatchConnectivity

/// P35. Hands a photo over, and says in a context that there is one. Files and contexts are in lines of their own (W72): what was handed over last arrives
/// first, and the watch shows a photo that has not come.
class AnnouncedFileApp: NSObject, NaiveApp, @unchecked Sendable {
    private var photo: Data?
    private var status = "no photo"

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "share photo": { value in
                let url = try NaiveFiles.url(of: "Documents/photo")
                try NaiveFiles.write(Data(value) ?? Data(), to: url)
                try self.share(url)
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["status": .shown(status)] }

    func share(_ url: URL) throws {
        WCSession.default.transferFile(url, metadata: nil)
        try WCSession.default.updateApplicationContext(["hasPhoto": true])
    }

    func show() {
        status = photo == nil ? "the photo cannot be opened" : "photo shown"
    }

    func session(_ session: WCSession, didReceive file: WCSessionFile) {
        photo = try? NaiveFiles.read(file.fileURL)
        if file.metadata?["isToBeShown"] != nil { show() }
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) { show() }
    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {}
}
