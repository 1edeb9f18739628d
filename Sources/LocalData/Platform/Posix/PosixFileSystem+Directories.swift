import Foundation

extension PosixFileSystem {
    public func synchronizeDirectory(at path: String) throws {
        let path = try Posix.checked(path, for: "open")
        let descriptor = try Posix.call("open", path) { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { try? Posix.close(descriptor: descriptor, path: path) }
        do {
            try Posix.synchronize(descriptor, path: path)
        } catch let error as FileSystemError where error.errno == EINVAL {
            // Some network and overlay file systems keep their directories themselves and refuse the call.
        }
    }

    /// Creates a directory and what is missing above it, each durable before the next is put into it. Succeeds where it exists.
    public func createDirectory(at path: String) throws {
        let path = try Posix.checked(path, for: "mkdir")
        if try isDirectory(path) { return }
        let parent = Self.parent(of: path)
        if parent != path { try createDirectory(at: parent) }
        do {
            try Posix.call("mkdir", path) { mkdir(path, 0o700) }
        } catch let error as FileSystemError where error.errno == EEXIST {
            // Somebody else was faster, or something else has the name.
            guard try isDirectory(path) else {
                throw FileSystemError(errno: ENOTDIR, operation: "mkdir", path: path)
            }
        }
        try synchronizeDirectory(at: parent)
    }

    /// Whether a path leads to a directory, be it through links.
    private func isDirectory(_ path: String) throws -> Bool {
        var information = stat()
        do {
            try Posix.call("stat", path) { stat(path, &information) }
        } catch let error as FileSystemError where error.errno == ENOENT || error.errno == ENOTDIR {
            return false
        }
        return information.st_mode & S_IFMT == S_IFDIR
    }

    /// Names that are not UTF-8 are left out: LocalData made none of them and cannot name them.
    public func list(_ path: String) throws -> [String] {
        let path = try Posix.checked(path, for: "opendir")
        guard let directory = opendir(path) else { throw FileSystemError(errno: errno, operation: "opendir", path: path) }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            // The end and a failure are both nil; only the latter sets errno.
            errno = 0
            guard let entry = readdir(directory) else {
                let code = errno
                guard code == 0 else { throw FileSystemError(errno: code, operation: "readdir", path: path) }
                break
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
                    String(validatingCString: $0)
                }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The path without its last component; the path itself at the top.
    static func parent(of path: String) -> String {
        var bytes = Array(path.utf8)
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        while bytes.count > max(slash, 1) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
