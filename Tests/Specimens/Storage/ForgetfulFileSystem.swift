import Foundation
import LocalData

/// A file system that leaves out a part of what makes a file durable, or stores something else than it was given.
package struct ForgetfulFileSystem: FileSystem {
    package enum Flaw: Sendable {
        /// `sync` of a file does nothing.
        case fileSync
        /// `sync` of a directory does nothing.
        case directorySync
        /// What is written to a file of this name reads as other bytes, which nobody is told.
        case contents(name: String)
        /// Files have no identity but their paths: what has two names is two.
        case identities
        /// Nothing can be created in a directory whose path ends so.
        case noRoom(in: String)
        /// A file of this name is said to be missing when it is read.
        case forgets(name: String)
        /// A directory whose path ends so is said to be empty.
        case lists(nothingIn: String)
        /// Lists leave out files of these names.
        case passesOver(names: Set<String>)
    }

    let base: any FileSystem
    let flaw: Flaw

    package init(base: any FileSystem, flaw: Flaw) {
        self.base = base
        self.flaw = flaw
    }

    private struct File: WritableFile {
        let base: any WritableFile

        func write(_ data: Data) throws { try base.write(data) }
        func synchronize() throws {}
        func setExtendedAttribute(_ data: Data, named name: String) throws { try base.setExtendedAttribute(data, named: name) }
        func close() throws { try base.close() }
    }

    package func createFile(at path: String, protection: FileProtection) throws -> any WritableFile {
        if case .noRoom(let directory) = flaw, path.split(separator: "/").dropLast().last.map({ "/" + $0 }) == directory {
            throw FileSystemError(errno: ENOSPC, operation: "open", path: path)
        }
        let file = try base.createFile(at: path, protection: protection)
        if case .fileSync = flaw { return File(base: file) }
        return file
    }

    package func synchronizeDirectory(at path: String) throws {
        if case .directorySync = flaw { return }
        try base.synchronizeDirectory(at: path)
    }

    package func contents(of path: String) throws -> Data {
        let contents = try base.contents(of: path)
        if case .forgets(let name) = flaw, path.hasSuffix("/" + name) {
            throw FileSystemError(errno: ENOENT, operation: "open", path: path)
        }
        guard case .contents(let name) = flaw, path.hasSuffix("/" + name) else { return contents }
        return Data(contents.map { ~$0 })
    }

    package func contents(of path: String, upTo count: Int) throws -> Data {
        switch flaw {
        case .contents, .forgets: try Data(contents(of: path).prefix(count))
        case .fileSync, .directorySync, .identities, .noRoom, .lists, .passesOver: try base.contents(of: path, upTo: count)
        }
    }

    package func path(of directory: ContainerDirectory) throws -> String { try base.path(of: directory) }
    package func rename(_ source: String, to destination: String) throws { try base.rename(source, to: destination) }
    package func rename(_ source: String, toNew destination: String) throws { try base.rename(source, toNew: destination) }
    package func removeFile(at path: String) throws { try base.removeFile(at: path) }
    package func createDirectory(at path: String) throws { try base.createDirectory(at: path) }
    package func list(_ path: String) throws -> [String] {
        if case .lists(nothingIn: let directory) = flaw, path.hasSuffix(directory) { return [] }
        if case .passesOver(let names) = flaw { return try base.list(path).filter { !names.contains($0) } }
        return try base.list(path)
    }
    package func attributes(of path: String) throws -> FileAttributes? {
        var attributes = try base.attributes(of: path)
        if case .identities = flaw { attributes?.identity = nil }
        return attributes
    }
    package func extendedAttribute(_ name: String, of path: String) throws -> Data? { try base.extendedAttribute(name, of: path) }
    package func canonicalDirectory(at path: String) throws -> CanonicalDirectory {
        if case .identities = flaw { return CanonicalDirectory(path: path, isCaseSensitive: true) }
        return try base.canonicalDirectory(at: path)
    }
    package func setExcludedFromBackup(_ excluded: Bool, at path: String) throws { try base.setExcludedFromBackup(excluded, at: path) }
}
