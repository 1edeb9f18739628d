import DeviceSimCore
import Foundation
import WatchConnectivity

/// The remedy of P13: "sent" is what `didFinish` says without an error; with one, the person is told, and can try again.
final class ListensToTheEndApp: NSObject, NaiveApp, @unchecked Sendable {
    private var status = "nothing sent"

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "share photo": { _ in
                self.status = "sending"
                WCSession.default.transferFile(try NaiveFiles.url(of: "Documents/photo"), metadata: nil)
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["status": .shown(status)] }

    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        status = error == nil ? "sent" : "failed"
    }

    func session(_ session: WCSession, didReceive file: WCSessionFile) {}
}
