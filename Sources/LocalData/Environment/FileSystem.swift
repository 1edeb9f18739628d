import Foundation

/// A file system as LocalData needs it: the steps of a durable write one by one, so that a crash can come between any two.
///
/// Paths are absolute and use `/`. Every operation may throw ``FileSystemError``. Calls are synchronous and may come from any thread.
///
/// No requirement has a default: one that wraps another and forgets to pass a call on would then take something away, unseen.
public protocol FileSystem: Sendable {
    /// The absolute path of a directory of this app. Does not create it.
    func path(of directory: ContainerDirectory) throws -> String
    /// Creates a new, empty file for writing (`O_CREAT | O_EXCL`).
    func createFile(at path: String, protection: FileProtection) throws -> any WritableFile
    /// All bytes of a file. A link in its place is not followed (`O_NOFOLLOW`): it is refused with ELOOP, since it can lead to anybody's file.
    func contents(of path: String) throws -> Data
    /// The first bytes of a file: all of them, if it has no more than `count`.
    func contents(of path: String, upTo count: Int) throws -> Data
    /// Renames within one file system, atomically replacing `destination` (POSIX `rename`). The result has the protection of `source`.
    func rename(_ source: String, to destination: String) throws
    /// Renames within one file system, atomically, and only where nothing has the new name: else `EEXIST` (`RENAME_EXCL`, or `link` and `unlink`).
    func rename(_ source: String, toNew destination: String) throws
    /// Removes a file, not a directory (POSIX `unlink`). The removal is durable after ``synchronizeDirectory(at:)``.
    func removeFile(at path: String) throws
    /// Makes the entries of a directory durable (`fsync` of the directory).
    func synchronizeDirectory(at path: String) throws
    /// Creates a directory and what is missing above it. Succeeds where it exists.
    func createDirectory(at path: String) throws
    /// The names in a directory, sorted by their UTF-8 bytes.
    func list(_ path: String) throws -> [String]
    /// What is at `path`, without reading it; `nil` where there is nothing. Of a link: the link's own (POSIX `lstat`). Works on a locked device.
    func attributes(of path: String) throws -> FileAttributes?
    /// Where a directory really is: links and other names of one place are followed as far as there is something. Works on a locked device.
    ///
    /// Two paths of one directory give one answer, which one path may give another of tomorrow: links come and go.
    func canonicalDirectory(at path: String) throws -> CanonicalDirectory
    /// Keeps a file or directory out of backups, or lets it in again.
    func setExcludedFromBackup(_ excluded: Bool, at path: String) throws
    /// The bytes of a file's extended attribute; `nil` where it has none of that name, and where the file system has no extended attributes.
    func extendedAttribute(_ name: String, of path: String) throws -> Data?
}

/// A file open for writing. Release closes it; an explicit ``close()`` reports errors.
public protocol WritableFile: Sendable {
    /// Writes all of the bytes after those written before.
    /// - Throws: ``FileSystemError``, such as `ENOSPC`; some of the bytes may be written then.
    func write(_ data: Data) throws
    /// Makes the bytes written so far durable (`fsync`, on Apple systems `F_FULLFSYNC`).
    func synchronize() throws
    /// Closes the file. Calling it again has no effect.
    /// - Throws: ``FileSystemError`` where the system reports then that something was not written.
    func close() throws
    /// Sets an extended attribute of the file, as durable as its bytes: by ``synchronize()``.
    /// - Throws: ``FileSystemError``, with `ENOTSUP` where the file system has none.
    func setExtendedAttribute(_ data: Data, named name: String) throws
}

/// A directory of an app's sandbox.
public enum ContainerDirectory: Sendable, Hashable {
    /// What the person's data is kept in. Backed up.
    case documents
    /// What can be made again. Not backed up; the system may purge it.
    case caches
    /// What the app needs and a person does not see, such as LocalData's own records. Backed up.
    case applicationSupport
    /// What nobody needs after the app has ended. Not backed up; the system may purge it.
    case temporary
    /// The container that the apps of one App Group share.
    case appGroup(String)
}

/// The data protection class of a file.
public enum FileProtection: String, Sendable, Hashable, CaseIterable {
    /// `NSFileProtectionComplete`: readable while the device is unlocked.
    case complete
    /// `NSFileProtectionCompleteUnlessOpen`: a file that is open stays usable when the device is locked, and a new one can be made.
    case completeUnlessOpen
    /// The system's default.
    case completeUntilFirstUserAuthentication
    /// `NSFileProtectionNone`: readable always, even before the first unlock.
    case none
}

/// A directory as its volume knows it.
public struct CanonicalDirectory: Sendable, Hashable {
    /// Without links, and with names as the volume spells them. What is not there yet is as it was asked for.
    public var path: String
    /// Whether names in it that differ in case alone are two. They are one on most Macs' volumes.
    public var isCaseSensitive: Bool

    /// What a file system answers in ``FileSystem/canonicalDirectory(at:)``.
    public init(path: String, isCaseSensitive: Bool) {
        self.path = path
        self.isCaseSensitive = isCaseSensitive
    }
}

/// What tells a file from all others that are there at the same time, whatever its names (POSIX `st_dev` and `st_ino`).
public struct FileIdentity: Sendable, Hashable {
    /// The volume (`st_dev`).
    public var device: UInt64
    /// The number of the file on its volume (`st_ino`). It may be another file's once this one is deleted.
    public var number: UInt64

    /// The identity of a file by the numbers of its volume and of the file.
    public init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }
}

/// What is known of a file without reading it.
public struct FileAttributes: Sendable, Hashable {
    /// The length of the contents in bytes.
    public var size: Int
    /// Whether it is a directory.
    public var isDirectory: Bool
    /// Whether it is a symbolic link, which leads somewhere else or nowhere.
    public var isLink: Bool
    /// `nil` where the file system has no data protection.
    public var protection: FileProtection?
    /// Whether backups leave it out.
    public var isExcludedFromBackup: Bool
    /// `nil` where the file system does not say.
    public var identity: FileIdentity?

    /// What a file system answers in ``FileSystem/attributes(of:)``.
    public init(
        size: Int, isDirectory: Bool, isLink: Bool = false, protection: FileProtection?, isExcludedFromBackup: Bool,
        identity: FileIdentity? = nil
    ) {
        self.size = size
        self.isDirectory = isDirectory
        self.isLink = isLink
        self.identity = identity
        self.protection = protection
        self.isExcludedFromBackup = isExcludedFromBackup
    }
}

extension FileAttributes {
    /// Whether it is neither a directory nor a link.
    public var isFile: Bool { !isDirectory && !isLink }
}

/// A failed file system operation, as POSIX reports it.
public struct FileSystemError: Error, Sendable, Hashable {
    /// The `errno`, with the host's own numbering.
    public let errno: Int32
    /// Such as `open`, `write`, `fsync`, `rename`.
    public let operation: String
    /// The absolute path that the operation was asked for.
    public let path: String

    /// The failure of one call. LocalData turns it into a ``StorageError`` whose facts have the number and the operation.
    public init(errno: Int32, operation: String, path: String) {
        self.errno = errno
        self.operation = operation
        self.path = path
    }
}

extension FileSystemError: CustomStringConvertible, LocalizedError {
    /// Such as `rename of '/…/theme': errno 28 (ENOSPC), no space left on device`.
    public var description: String {
        "\(operation) of '\(path)': errno \(errno)\(name.map { " (\($0))" } ?? ""), \(meaning)"
    }

    public var errorDescription: String? { description }

    private var meaning: String {
        guard let text = strerror(errno) else { return "unknown" }
        let words = String(cString: text)
        return words.prefix(1).lowercased() + words.dropFirst()
    }
}
