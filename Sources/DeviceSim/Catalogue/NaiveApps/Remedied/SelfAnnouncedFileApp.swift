import DeviceSimCore
import Foundation
import WatchConnectivity

/// The remedy of P35: what is to be known of a file goes with it, as its metadata.
final class SelfAnnouncedFileApp: AnnouncedFileApp, @unchecked Sendable {
    override func share(_ url: URL) throws {
        WCSession.default.transferFile(url, metadata: ["isToBeShown": true])
    }
}
