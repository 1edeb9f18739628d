import Foundation

/// A folder on the real disk, removed when the last reference goes.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let name = "localdata-tests-\(UUID().uuidString)"
        path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // A test may have taken permissions away.
        try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        try? FileManager.default.removeItem(atPath: path)
    }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ data: Data, to name: String) throws {
        try data.write(to: URL(fileURLWithPath: self(name)))
    }

    func read(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: self(name)))
    }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
