import Foundation

extension PosixFileSystem {
    /// By `realpath`, on Apple's systems by `F_GETPATH`, of what is there; the rest is appended.
    ///
    /// - Throws: ``FileSystemError``: ENOENT for a link that leads nowhere, ELOOP for links in a circle.
    public func canonicalDirectory(at path: String) throws -> CanonicalDirectory {
        let path = try Posix.checked(path, for: "realpath")
        if let real = try Self.realPath(of: path) {
            return CanonicalDirectory(path: real, isCaseSensitive: Self.isCaseSensitive(real))
        }
        // A link is there, and where it leads is not: nobody can tell what would be there.
        var information = stat()
        guard lstat(path, &information) != 0 else { throw FileSystemError(errno: ENOENT, operation: "realpath", path: path) }
        let (parent, name) = (Self.parent(of: path), Self.lastComponent(of: path))
        guard parent != path, !name.isEmpty else { throw FileSystemError(errno: ENOENT, operation: "realpath", path: path) }
        var directory = try canonicalDirectory(at: parent)
        directory.path = directory.path == "/" ? "/" + name : directory.path + "/" + name
        return directory
    }

    /// `nil` where there is nothing.
    private static func realPath(of path: String) throws -> String? {
        if let spelled = volumeSpelling(of: path) { return spelled }
        guard let bytes = realpath(path, nil) else {
            let code = errno
            guard code != ENOENT, code != ENOTDIR else { return nil }
            throw FileSystemError(errno: code, operation: "realpath", path: path)
        }
        defer { free(bytes) }
        guard let real = String(validatingCString: bytes) else {
            throw FileSystemError(errno: EILSEQ, operation: "realpath", path: path)
        }
        return real
    }

    /// Apple's volumes may find a name in another case than they keep it in, which the descriptor knows. It asks nothing of the directories above, which a
    /// sandbox may keep to itself.
    private static func volumeSpelling(of path: String) -> String? {
        #if canImport(Darwin)
            let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
            guard descriptor != -1 else { return nil }
            defer { try? Posix.close(descriptor: descriptor, path: path) }
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(MAXPATHLEN)) { buffer in
                guard let bytes = buffer.baseAddress, fcntl(descriptor, F_GETPATH, bytes) != -1 else { return nil }
                return String(validatingCString: bytes)
            }
        #else
            return nil
        #endif
    }

    private static func isCaseSensitive(_ path: String) -> Bool {
        #if canImport(Darwin)
            // −1: the volume does not say.
            return pathconf(path, _PC_CASE_SENSITIVE) != 0
        #else
            return true
        #endif
    }

    private static func lastComponent(of path: String) -> String {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"))
        return parts.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
