import Foundation
import WatchConnectivity

/// The remedy of P21: reads the file, or moves it to a place of its own, before the delegate's method returns. What is shown may wait.
final class PromptReaderApp: LateReaderApp, @unchecked Sendable {
    override func handle(_ file: WCSessionFile) {
        guard let photo = try? NaiveFiles.read(file.fileURL) else { return }
        show(photo)
    }
}
