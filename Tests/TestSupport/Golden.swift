import Foundation
import Testing

/// The repository's folder, found from this file's place in it.
public let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// A file that holds, word for word, what people are to read.
///
/// With `UPDATE_GOLDENS` set the file is written where the text differs, the run says so and passes: what changed is in the diff of the commit.
/// Where `CI` is set too, nothing is ever written.
public struct Golden {
    /// In the repository.
    public let path: String
    private let file: URL
    private let environment: [String: String]

    /// - Parameters:
    ///   - name: Of the file.
    ///   - folder: In the repository.
    public init(
        _ name: String, in folder: String, root: URL = repository, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        path = "\(folder)/\(name)"
        file = root.appendingPathComponent(folder).appendingPathComponent(name)
        self.environment = environment
    }

    /// What came of a comparison.
    public enum Outcome: Sendable, Equatable {
        case same, written
        /// With what stands in the file; `nil` where there is none.
        case different(from: String?)
    }

    /// Compares the text with the file, or writes the file.
    /// - Throws: An error of the file system where the file cannot be written.
    public func compare(_ text: String) throws -> Outcome {
        let golden = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
        guard text != golden else { return .same }
        guard environment["UPDATE_GOLDENS"] != nil, environment["CI"] == nil else { return .different(from: golden) }
        try Data(text.utf8).write(to: file, options: .atomic)
        return .written
    }

    /// Expects the text to be what the file holds.
    public func check(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        do {
            switch try compare(text) {
            case .same: break
            case .written: print("written: \(path)")
            case .different(let golden):
                #expect(text == golden, "differs from \(path); UPDATE_GOLDENS=1 writes it anew", sourceLocation: sourceLocation)
            }
        } catch {
            Issue.record(error, "\(path) cannot be written", sourceLocation: sourceLocation)
        }
    }
}
