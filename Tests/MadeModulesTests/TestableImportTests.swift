import Foundation
import Testing

@testable import MadePhone

/// A test that sees what is internal to a made module means Foundation's members by their names, and not the simulated device's.
@Suite struct TestableImportTests {
    @Test func membersOfFoundationAreFoundations() throws {
        let file = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("testable-\(UUID().uuidString)")
        defer { try? Foundation.FileManager.default.removeItem(at: file) }
        try Data("written".utf8).write(to: file)
        #expect(try Data(contentsOf: file) == Data("written".utf8))
        #expect(try String(contentsOf: file, encoding: .utf8) == "written")
        let now = Date()
        #expect(Date.now >= now && Date(timeIntervalSinceNow: 60) > now)
        #expect(Foundation.FileManager.default.fileExists(atPath: file.path))
    }
}
