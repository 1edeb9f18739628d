import Foundation

/// The file system as commands use it.
protocol FileAccess: Sendable {
    /// What is there; `nil` when nothing is.
    func kind(of path: String) throws(FileError) -> FileKind?
    /// The names in a folder, in no particular order. What is not UTF-8 in one is shown as U+FFFD; nothing is found under that name then.
    func names(in folder: String) throws(FileError) -> [String]
    /// Replaces the file as a whole, or leaves it as it was. Makes the folders on the way.
    func write(_ data: Data, to path: String) throws(FileError)
    /// Writes a file that is not there yet, as a whole or not at all. Makes the folders on the way.
    /// - Returns: `false` when something is there.
    func create(_ data: Data, at path: String) throws(FileError) -> Bool
    func read(_ path: String) throws(FileError) -> Data
    /// What tells one file or folder from all others, whichever name or link leads to it; `nil` when nothing is there or it cannot be told.
    func identity(of path: String) -> String?
    /// Makes a folder and those on the way to it.
    func makeFolder(_ path: String) throws(FileError)
}

enum FileKind: Equatable, Sendable {
    case file
    /// A folder; the identity is the same whichever name or link leads to it.
    case folder(identity: String)
    /// A device, a pipe, a socket.
    case other
}

/// Why a file or folder could not be used.
struct FileError: Error, Equatable, Sendable {
    let path: String
    /// As it ends a sentence: "permission denied".
    let reason: String

    /// - Parameter verb: What was tried: "read", "write".
    func text(_ verb: String) -> String { "cannot \(verb) \(SafeText.line(path)): \(reason)" }
}
