import Foundation
import TestSupport
import Testing

/// What `UPDATE_GOLDENS` does, and what it never does.
@Suite struct GoldenTests {
    @Test(arguments: [
        (environment: [:], outcome: Golden.Outcome.different(from: "old"), content: "old"),
        (environment: ["UPDATE_GOLDENS": "1"], outcome: .written, content: "new"),
        (environment: ["UPDATE_GOLDENS": "1", "CI": "true"], outcome: .different(from: "old"), content: "old"),
    ])
    func isWrittenWhereAPersonAsksForIt(environment: [String: String], outcome: Golden.Outcome, content: String) throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("golden-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root.appendingPathComponent("Goldens"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let file = root.appendingPathComponent("Goldens/a.txt")
        try Data("old".utf8).write(to: file)
        let golden = Golden("a.txt", in: "Goldens", root: root, environment: environment)
        #expect(try golden.compare("old") == .same)
        #expect(try golden.compare("new") == outcome)
        #expect(try String(contentsOf: file, encoding: .utf8) == content)
    }

    @Test func aGoldenThatIsNotThereIsDifferent() throws {
        #expect(try Golden("none.txt", in: "Goldens", environment: [:]).compare("") == .different(from: nil))
    }
}
