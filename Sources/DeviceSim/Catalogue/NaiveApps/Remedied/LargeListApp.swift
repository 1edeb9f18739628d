import DeviceSimCore
import Foundation
import WatchConnectivity

/// The remedy of P15: what a context refuses as too large goes as a file, which has no limit; any other refusal is not hidden either.
final class LargeListApp: GrowingContextApp, @unchecked Sendable {
    private(set) var failure: String?

    override var screen: [String: ScenarioValue] { super.screen.merging(["failure": .shown(failure)]) { $1 } }

    override func send(_ episodes: [String]) {
        do {
            do {
                try WCSession.default.updateApplicationContext(["episodes": episodes])
            } catch WCError.payloadTooLarge {
                let url = try NaiveFiles.url(of: "Library/episodes.json")
                try NaiveFiles.write(try JSONEncoder().encode(episodes), to: url)
                WCSession.default.transferFile(url, metadata: ["count": episodes.count])
            }
        } catch {
            failure = "\(error)"
        }
    }

    override func session(_ session: WCSession, didReceive file: WCSessionFile) {
        do {
            apply(try JSONDecoder().decode([String].self, from: NaiveFiles.read(file.fileURL)))
        } catch {
            failure = "\(error)"
        }
    }
}
