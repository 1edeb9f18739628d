import Foundation

@testable import LocalData

/// A form in which LocalData persists something: its fixture of version 1, how it was made, and how it reads.
///
/// Fixtures are what is on people's devices. They are written once and never again; a new format gets a list and a folder of its own beside these.
struct PersistedFormat: Sendable {
    let file: String
    /// What the fixture reads as, in words.
    let meaning: String
    /// Made the fixture. Only asked where there is none.
    let make: @Sendable () async throws -> Data
    /// Reads the fixture with LocalData's own code of today.
    let read: @Sendable (Data) async throws -> String
}

extension PersistedFormat {
    static let value = "The quick brown fox"

    /// The folder, beside this file.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Version1")

    var url: URL { Self.folder.appendingPathComponent(file) }

    func fixture() throws -> Data { try Data(contentsOf: url) }

    static let all: [PersistedFormat] = envelopes + marks + sync + serialized + portable + process
}

extension PersistedFormat: CustomStringConvertible {
    var description: String { file }
}
