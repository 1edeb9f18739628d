import DeviceSim
import Foundation
import LocalData

/// Files as they are, but for what a test has changed: what a careless LocalData would see, or say.
struct AlteredFileSystem: FileSystem {
    let base: any FileSystem
    /// Paths that are neither told of nor listed. Their contents can be read all the same.
    var hides: @Sendable (String) -> Bool = { _ in false }
    /// What follows on the contents of a path.
    var appends: @Sendable (String) -> Data = { _ in Data() }
    /// Whether whoever lists a folder makes it durable.
    var settlesWhatItLists = false

    func attributes(of path: String) throws -> FileAttributes? { hides(path) ? nil : try base.attributes(of: path) }
    func list(_ path: String) throws -> [String] {
        if settlesWhatItLists { try base.synchronizeDirectory(at: path) }
        return try base.list(path).filter { !hides("\(path)/\($0)") }
    }
    func contents(of path: String) throws -> Data { try base.contents(of: path) + appends(path) }
    func contents(of path: String, upTo count: Int) throws -> Data {
        try Data((base.contents(of: path, upTo: count) + appends(path)).prefix(count))
    }
    func canonicalDirectory(at path: String) throws -> CanonicalDirectory { try base.canonicalDirectory(at: path) }
    func createFile(at path: String, protection: FileProtection) throws -> any WritableFile {
        try base.createFile(at: path, protection: protection)
    }
    func synchronizeDirectory(at path: String) throws { try base.synchronizeDirectory(at: path) }
    func path(of directory: ContainerDirectory) throws -> String { try base.path(of: directory) }
    func rename(_ source: String, to destination: String) throws { try base.rename(source, to: destination) }
    func rename(_ source: String, toNew destination: String) throws { try base.rename(source, toNew: destination) }
    func extendedAttribute(_ name: String, of path: String) throws -> Data? { try base.extendedAttribute(name, of: path) }
    func removeFile(at path: String) throws { try base.removeFile(at: path) }
    func createDirectory(at path: String) throws { try base.createDirectory(at: path) }
    func setExcludedFromBackup(_ excluded: Bool, at path: String) throws { try base.setExcludedFromBackup(excluded, at: path) }
}

extension RunOptions {
    /// Apps see other files than there are.
    static func altering(_ alter: @escaping @Sendable (any FileSystem) -> AlteredFileSystem) -> RunOptions { wrapping { alter($0) } }

    /// Apps reach their files through something that a test made.
    static func wrapping(_ wrap: @escaping @Sendable (any FileSystem) -> any FileSystem) -> RunOptions {
        var options = RunOptions()
        options.adaptEnvironment = { _, environment in
            var changed = environment
            changed.fileSystem = wrap(environment.fileSystem)
            return changed
        }
        return options
    }
}
