import DeviceSimCore
import Foundation
import SimulatedSystem
import WatchConnectivity

/// P21. Handles a received file on the main queue, as one does with what comes from a background queue. The file is deleted when the delegate's method
/// returns (W90), which is before that.
class LateReaderApp: NSObject, NaiveApp, @unchecked Sendable {
    private typealias DispatchQueue = SystemShims.DispatchQueue
    private var photo: Data?
    private var failure: String?

    var buttons: [String: (ScenarioValue) async throws -> Void] {
        [
            "share photo": { value in
                let url = try NaiveFiles.url(of: "Documents/photo")
                try NaiveFiles.write(Data(value) ?? Data(), to: url)
                WCSession.default.transferFile(url, metadata: nil)
            }
        ]
    }

    var screen: [String: ScenarioValue] { ["photo": .shown(photo), "failure": .shown(failure)] }

    func session(_ session: WCSession, didReceive file: WCSessionFile) {
        handle(file)
    }

    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {}

    func handle(_ file: WCSessionFile) {
        let url = file.fileURL
        DispatchQueue.main.async {
            do {
                self.photo = try NaiveFiles.read(url)
            } catch {
                self.failure = "no such file"
            }
        }
    }

    func show(_ photo: Data) {
        DispatchQueue.main.async { self.photo = photo }
    }
}
