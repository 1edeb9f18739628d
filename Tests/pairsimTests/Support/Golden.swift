import Foundation
import Testing

/// Compares text with a file beside the tests. With `UPDATE_GOLDENS` set, the file is written instead, and the test fails so that
/// nobody takes such a run for a green one.
enum Golden {
    static func check(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Goldens").appendingPathComponent(name)
        guard ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == nil else {
            let isWritten = (try? Data(text.utf8).write(to: file)) != nil
            Issue.record("\(isWritten ? "wrote" : "could not write") Goldens/\(name)", sourceLocation: sourceLocation)
            return
        }
        let golden = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
        #expect(text == golden, "differs from Goldens/\(name)", sourceLocation: sourceLocation)
    }
}
