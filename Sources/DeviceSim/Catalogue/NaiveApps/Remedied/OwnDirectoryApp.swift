import DeviceSimCore
import Foundation
import WatchConnectivity

/// The remedy of P33: what cannot be made anew is in a directory of the app's own. The session's directory is for what a watch can be given again.
final class OwnDirectoryApp: WatchDirectoryApp, @unchecked Sendable {
    override func place() throws -> URL? { try NaiveFiles.url(of: "Documents/note") }
}
