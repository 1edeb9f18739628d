import Foundation

/// The names of LocalData's own files that are about something with a name or an identity of any length, which may hold what file names
/// may not: each is digested once in a process, and not at every use.
/// - Note: `@unchecked Sendable`: the memory is only touched under the lock.
final class DigestedNames: @unchecked Sendable {
    private let prefix: String
    private let lock = NSLock()
    private var known: [String: String] = [:]

    /// - Parameter prefix: Stands before each name, such as a folder with its slash.
    init(in prefix: String = "") {
        self.prefix = prefix
    }

    func file(of text: String) -> String {
        // What is equal as text may differ in its bytes; what is ASCII does not.
        guard text.isASCII else { return prefix + Self.file(of: text) }
        return lock.withLock {
            if let file = known[text] { return file }
            let file = prefix + Self.file(of: text)
            known[text] = file
            return file
        }
    }

    /// Without a memory.
    static func file(of text: String) -> String { SHA256Digest.digest(of: Data(text.utf8)).prefix(16).hexadecimal + ".json" }
}
