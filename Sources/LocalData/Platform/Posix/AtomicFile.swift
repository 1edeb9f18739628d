import Foundation

/// A small file that is always replaced as a whole, and changed by one process at a time.
///
/// Used for the stores that LocalData keeps itself on hosts without Apple's.
struct AtomicFile: Sendable {
    let path: String

    /// The last component of the path, for messages.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// What tells one version of the file from another, without reading it.
    struct Version: Sendable, Hashable {
        fileprivate var device: UInt64
        fileprivate var inode: UInt64
        fileprivate var size: Int64
        fileprivate var modifiedSeconds: Int64
        fileprivate var modifiedNanoseconds: Int64
    }

    private static let fileSystem = PosixFileSystem(
        roots: .init(documents: "/", caches: "/", applicationSupport: "/", temporary: "/", appGroup: { _ in nil }))

    /// `nil` where there is no file.
    func version() throws -> Version? {
        var information = stat()
        do {
            try Posix.call("stat", path) { stat(path, &information) }
        } catch let error as FileSystemError where error.errno == ENOENT || error.errno == ENOTDIR {
            return nil
        }
        #if canImport(Darwin)
            let modified = information.st_mtimespec
        #else
            let modified = information.st_mtim
        #endif
        return Version(
            device: UInt64(truncatingIfNeeded: information.st_dev), inode: UInt64(truncatingIfNeeded: information.st_ino),
            size: Int64(information.st_size), modifiedSeconds: Int64(modified.tv_sec), modifiedNanoseconds: Int64(modified.tv_nsec))
    }

    /// All bytes, or `nil` where there is no file.
    func read() throws -> Data? {
        do {
            return try Self.fileSystem.contents(of: path)
        } catch let error as FileSystemError where error.errno == ENOENT || error.errno == ENOTDIR {
            return nil
        }
    }

    /// Replaces the file: whoever reads meanwhile sees the old bytes or the new ones. To be called by ``withLock(_:)``'s body.
    /// - Parameter isDurable: whether the new bytes survive a power loss when this returns. Else the old ones may be there after it, and never neither.
    func replace(
        with data: Data, isDurable: Bool, protection: FileProtection = .completeUntilFirstUserAuthentication
    ) throws {
        // One name for the temporary file, under the lock: what a crash leaves behind is replaced by the next change.
        let temporary = path + ".new"
        if try Self.fileSystem.attributes(of: temporary) != nil { try Self.fileSystem.removeFile(at: temporary) }
        do {
            let file = try Self.fileSystem.createFile(at: temporary, protection: protection)
            try file.write(data)
            // Before the name is the file's: some file systems would keep the name and lose the bytes.
            try file.synchronize()
            try file.close()
            try Self.fileSystem.rename(temporary, to: path)
        } catch {
            try? Self.fileSystem.removeFile(at: temporary)
            throw error
        }
        if isDurable { try Self.fileSystem.synchronizeDirectory(at: PosixFileSystem.parent(of: path)) }
    }

    /// Makes the file as it is survive a power loss.
    func synchronize() throws {
        let descriptor: Int32
        do {
            descriptor = try Posix.call("open", path) { open(path, O_RDONLY | O_CLOEXEC) }
        } catch let error as FileSystemError where error.errno == ENOENT || error.errno == ENOTDIR {
            return
        }
        defer { try? Posix.close(descriptor: descriptor, path: path) }
        try Posix.synchronize(descriptor, path: path)
        try Self.fileSystem.synchronizeDirectory(at: PosixFileSystem.parent(of: path))
    }

    /// Runs `body` alone among all processes that change the file. Creates the directory, and beside the file an empty one to lock.
    func withLock<Result>(_ body: () throws -> Result) throws -> Result {
        try Self.fileSystem.createDirectory(at: PosixFileSystem.parent(of: path))
        let lockPath = path + ".lock"
        let descriptor = try Posix.call("open", lockPath) { open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        // Closing lets go of the lock, also when the process dies.
        defer { try? Posix.close(descriptor: descriptor, path: lockPath) }
        try Posix.call("flock", lockPath) { flock(descriptor, LOCK_EX) }
        return try body()
    }
}
