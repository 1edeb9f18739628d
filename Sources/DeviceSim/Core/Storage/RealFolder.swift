import Foundation
import LocalData

/// A folder of the host in which one device keeps what it stores.
///
/// Nothing in it is synchronized with the host's disk: a simulated power loss is the simulation's doing, and a real one takes the run
/// with it.
package struct RealFolder {
    /// Without a slash at its end.
    package let root: String
    package let files = PosixFileSystem(
        roots: .init(documents: "/", caches: "/", applicationSupport: "/", temporary: "/", appGroup: { _ in nil }))

    package init(_ url: URL) {
        let path = url.standardizedFileURL.path
        root = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    package enum Kind {
        case directory
        case file(size: Int)
        case link(to: String)
        /// A pipe, a socket: nothing that a device has.
        case other
    }

    /// Where a path of the simulated disk really is.
    package func real(_ path: String) -> String { root + path }

    /// Runs `body` with errors named as the app knows the place.
    func translating<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FileSystemError {
            throw FileSystemError(errno: error.errno, operation: error.operation, path: path)
        }
    }

    /// What is at a path of the simulated disk. Links of the host are not followed: they could lead anywhere. The simulated disk follows them itself.
    package func kind(of path: String) throws -> Kind? {
        var information = stat()
        guard lstat(real(path), &information) == 0 else {
            let code = errno
            if code == ENOENT || code == ENOTDIR { return nil }
            throw FileSystemError(errno: code, operation: "stat", path: path)
        }
        switch information.st_mode & S_IFMT {
        case S_IFDIR: return .directory
        case S_IFREG: return .file(size: Int(clamping: information.st_size))
        case S_IFLNK: return try destination(ofLink: path).map { .link(to: $0) } ?? .other
        default: return .other
        }
    }

    /// `nil` for a text that is not UTF-8.
    private func destination(ofLink path: String) throws -> String? {
        var bytes = [UInt8](repeating: 0, count: DiskPath.pathLimit)
        let count = bytes.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { readlink(real(path), $0.assumingMemoryBound(to: CChar.self), buffer.count) } ?? 0
        }
        guard count >= 0 else { throw FileSystemError(errno: errno, operation: "readlink", path: path) }
        return String(bytes: bytes.prefix(count), encoding: .utf8)
    }

    /// Creates a link. Where it leads is a path of the simulated disk, and means nothing to the host.
    func createLink(at path: String, to destination: String) throws {
        guard symlink(destination, real(path)) == 0 else { throw FileSystemError(errno: errno, operation: "symlink", path: path) }
    }

    /// All bytes of a file, by its path relative to the folder; `nil` where there is none.
    package func read(_ path: String) throws -> Data? {
        guard try kind(of: "/" + path) != nil else { return nil }
        return try files.contents(of: root + "/" + path)
    }

    /// Replaces a file in one step: whoever looks sees the old bytes or the new ones.
    package func replace(_ path: String, with bytes: Data) throws {
        let destination = root + "/" + path
        let temporary = destination + ".new"
        try createDirectory(at: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        try? files.removeFile(at: temporary)
        do {
            let file = try files.createFile(at: temporary, protection: .none)
            try file.write(bytes)
            try file.close()
            try files.rename(temporary, to: destination)
        } catch {
            try? files.removeFile(at: temporary)
            throw error
        }
    }

    /// Creates a directory, by its path relative to the folder, and what is missing above it.
    func createDirectory(at path: String) throws {
        let real = path.isEmpty ? root : root + "/" + path
        if mkdir(real, 0o700) == 0 { return }
        switch errno {
        case EEXIST:
            guard try files.attributes(of: real)?.isDirectory == true else {
                throw FileSystemError(errno: ENOTDIR, operation: "mkdir", path: path)
            }
        case ENOENT where !path.isEmpty:
            try createDirectory(at: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
            guard mkdir(real, 0o700) == 0 else { throw FileSystemError(errno: errno, operation: "mkdir", path: path) }
        case ENOENT: try files.createDirectory(at: root)
        case let code: throw FileSystemError(errno: code, operation: "mkdir", path: path)
        }
    }

    /// Removes what is at a path of the simulated disk, with all that is in it; links themselves, not what they lead to.
    func removeTree(at path: String) throws {
        switch try kind(of: path) {
        case nil: return
        case .directory:
            for name in try files.list(real(path)) { try removeTree(at: path + "/" + name) }
            guard rmdir(real(path)) == 0 else { throw FileSystemError(errno: errno, operation: "rmdir", path: path) }
        case .file, .link, .other: try files.removeFile(at: real(path))
        }
    }

    /// The paths of all folders in it, relative to it.
    package func folders() throws -> [String] {
        var found: [String] = []
        func descend(_ path: String) throws {
            for name in try files.list(real(path)) {
                guard case .directory? = try kind(of: path + "/" + name) else { continue }
                found.append(String((path + "/" + name).dropFirst()))
                try descend(path + "/" + name)
            }
        }
        try descend("")
        return found
    }

    /// Removes what is in it, but for the paths in `kept`, relative to it. A folder among them stays, and what is in it goes unless it is kept too.
    package func removeAll(but kept: Set<String>) throws {
        func empty(_ path: String) throws {
            for name in try files.list(real(path)) {
                let child = path + "/" + name
                if !kept.contains(String(child.dropFirst())) {
                    try removeTree(at: child)
                } else if case .directory? = try kind(of: child) {
                    try empty(child)
                }
            }
        }
        try empty("")
    }
}
