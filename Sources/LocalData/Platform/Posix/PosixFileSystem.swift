import Foundation

/// The real file system, by POSIX calls.
///
/// New files are readable by their owner only. Descriptors are not inherited by child processes. Protection classes and exclusion from
/// backups are what the system has of them: see `FileMetadata`.
public struct PosixFileSystem: FileSystem {
    /// Where an app's directories are.
    public struct Roots: Sendable {
        /// The directory for ``ContainerDirectory/documents``.
        public var documents: String
        /// The directory for ``ContainerDirectory/caches``.
        public var caches: String
        /// The directory for ``ContainerDirectory/applicationSupport``.
        public var applicationSupport: String
        /// The directory for ``ContainerDirectory/temporary``.
        public var temporary: String
        /// The container of an App Group by its identifier; `nil` for a group that the app does not belong to.
        public var appGroup: @Sendable (String) -> String?

        /// Absolute paths. Nothing is created.
        public init(
            documents: String, caches: String, applicationSupport: String, temporary: String,
            appGroup: @escaping @Sendable (String) -> String?
        ) {
            self.documents = documents
            self.caches = caches
            self.applicationSupport = applicationSupport
            self.temporary = temporary
            self.appGroup = appGroup
        }
    }

    private let roots: Roots

    /// A file system whose containers are at `roots`.
    public init(roots: Roots) {
        self.roots = roots
    }

    /// - Throws: ``StorageError/Code/unsupported`` for an App Group that the app does not belong to.
    public func path(of directory: ContainerDirectory) throws -> String {
        switch directory {
        case .documents: return roots.documents
        case .caches: return roots.caches
        case .applicationSupport: return roots.applicationSupport
        case .temporary: return roots.temporary
        case .appGroup(let identifier):
            guard Self.isFolderName(identifier), let path = roots.appGroup(identifier) else {
                throw StorageError(.unsupported, facts: ["App Group '\(identifier)' has no container here"])
            }
            return path
        }
    }

    public func createFile(at path: String, protection: FileProtection) throws -> any WritableFile {
        let path = try Posix.checked(path, for: "open")
        let file = PosixFile(descriptor: try FileMetadata.openNew(path, protection), path: path)
        guard !FileMetadata.isProtectedFromTheStart(protection) else { return file }
        do {
            // Before the first byte is written: none may ever lie there in a weaker class.
            try FileMetadata.setProtection(protection, at: path)
        } catch {
            try? file.close()
            unlink(path)
            throw error
        }
        return file
    }

    public func contents(of path: String) throws -> Data { try contents(of: path, upTo: .max) }

    public func contents(of path: String, upTo count: Int) throws -> Data {
        guard count > 0 else { return Data() }
        let path = try Posix.checked(path, for: "open")
        // Not blocking: a named pipe in the place of a file would wait for a writer for ever.
        // Nor following a link: who may write in an App Group's folder could make this app read any file of its own, and send it.
        let descriptor = try Posix.call("open", path) { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW) }
        defer { try? Posix.close(descriptor: descriptor, path: path) }
        var information = stat()
        try Posix.call("fstat", path) { fstat(descriptor, &information) }
        switch information.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw FileSystemError(errno: EISDIR, operation: "read", path: path)
        default: throw FileSystemError(errno: EINVAL, operation: "read", path: path)
        }
        guard let size = Int(exactly: information.st_size) else { throw FileSystemError(errno: EFBIG, operation: "read", path: path) }
        return try Posix.readAll(of: descriptor, sizeHint: size, limit: count, path: path)
    }

    public func rename(_ source: String, to destination: String) throws {
        let source = try Posix.checked(source, for: "rename")
        let destination = try Posix.checked(destination, for: "rename")
        try Posix.call("rename", destination) { renameFile(source, destination) }
    }

    public func rename(_ source: String, toNew destination: String) throws {
        let source = try Posix.checked(source, for: "rename")
        let destination = try Posix.checked(destination, for: "rename")
        try Posix.call("rename", destination) { renameFileToNew(source, destination) }
    }

    public func removeFile(at path: String) throws {
        let path = try Posix.checked(path, for: "unlink")
        do {
            try Posix.call("unlink", path) { unlink(path) }
        } catch let error as FileSystemError where error.errno == EPERM {
            // What Apple's systems say of a directory; it must not be taken for a locked file.
            let isDirectory = (try? attributes(of: path))??.isDirectory ?? false
            throw isDirectory ? FileSystemError(errno: EISDIR, operation: "unlink", path: path) : error
        }
    }

    public func attributes(of path: String) throws -> FileAttributes? {
        let path = try Posix.checked(path, for: "stat")
        var information = stat()
        do {
            try Posix.call("stat", path) { lstat(path, &information) }
        } catch let error as FileSystemError where error.errno == ENOENT || error.errno == ENOTDIR {
            return nil
        }
        let isLink = information.st_mode & S_IFMT == S_IFLNK
        return FileAttributes(
            size: Int(clamping: information.st_size),
            isDirectory: information.st_mode & S_IFMT == S_IFDIR,
            isLink: isLink,
            // What is asked for by path is that of the link's destination.
            protection: isLink ? nil : FileMetadata.protection(at: path),
            isExcludedFromBackup: isLink ? false : FileMetadata.isExcludedFromBackup(path),
            identity: FileIdentity(
                device: UInt64(truncatingIfNeeded: information.st_dev), number: UInt64(truncatingIfNeeded: information.st_ino)))
    }

    /// Does nothing where the system has no such mark.
    public func setExcludedFromBackup(_ excluded: Bool, at path: String) throws {
        try FileMetadata.setExcludedFromBackup(excluded, at: try Posix.checked(path, for: "setxattr"))
    }

    #if canImport(Darwin)
        public func extendedAttribute(_ name: String, of path: String) throws -> Data? {
            let path = try Posix.checked(path, for: "getxattr")
            var bytes = [UInt8](repeating: 0, count: SyncFileNote.maximumByteCount)
            do {
                let count = try Posix.call("getxattr", path) { getxattr(path, name, &bytes, bytes.count, 0, 0) }
                return Data(bytes.prefix(count))
            } catch let error as FileSystemError where [ENOATTR, ENOTSUP, ENOENT, ERANGE].contains(error.errno) {
                return nil
            }
        }
    #else
        /// Not used on hosts, whose file systems need not have any.
        public func extendedAttribute(_ name: String, of path: String) throws -> Data? { nil }
    #endif

    /// Whether a name is one folder below its parent, and not a way out of it.
    static func isFolderName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
    }
}

extension PosixFileSystem.Roots {
    /// Of folders that all apps of a person share, as they are for a Mac app outside of the sandbox: the part that belongs to one app. Values of one name
    /// would be one value of all apps, and so would LocalData's own records.
    func ownPart(of app: String) -> PosixFileSystem.Roots {
        let folder = PosixFileSystem.isFolderName(app) ? app : "LocalData"
        let own = "\(applicationSupport)/\(folder)"
        return PosixFileSystem.Roots(
            documents: "\(own)/Documents", caches: "\(caches)/\(folder)", applicationSupport: own, temporary: "\(temporary)/\(folder)",
            appGroup: appGroup)
    }
}

// Under a name that the method does not hide.
private func renameFile(_ source: String, _ destination: String) -> Int32 { rename(source, destination) }

#if canImport(Darwin)
    private func renameFileToNew(_ source: String, _ destination: String) -> Int32 {
        renamex_np(source, destination, UInt32(RENAME_EXCL))
    }
#else
    /// A crash between the two leaves both names, of which the old one is a temporary file's.
    private func renameFileToNew(_ source: String, _ destination: String) -> Int32 {
        guard link(source, destination) == 0 else { return -1 }
        _ = unlink(source)
        return 0
    }
#endif
