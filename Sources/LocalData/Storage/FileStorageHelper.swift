import Foundation

/// Durable, atomic files.
///
/// A write goes to a temporary file in the same directory, which is made durable, renamed over the old one, and its directory made durable:
/// after a crash or a power loss there is the old value or the new one. What a crash leaves behind is removed when the directory is next
/// written to in another process. The operations touch no state of the actor, so files do not wait for each other.
public actor FileStorageHelper {
    /// The helper of the current device (see ``StorageRouter/shared``).
    public static var shared: FileStorageHelper { StorageRouter.shared.files }

    nonisolated let environment: StorageEnvironment
    private nonisolated let sweeper = LeftoverSweeper()

    init(environment: StorageEnvironment) {
        self.environment = environment
    }

    /// Stores `data` durably under `name`.
    /// - Parameter protection: The class of the file; it is the new file's from the first byte on.
    /// - Throws: ``StorageError``; the earlier contents are then intact.
    public nonisolated func write(
        _ data: Data, name: String, in directory: FileDirectory, appGroup: String? = nil,
        protection: FileProtection = .completeUntilFirstUserAuthentication
    ) throws {
        try mapped { try write(data, to: name, in: path(of: directory, appGroup: appGroup), protection: protection) }
    }

    /// - Returns: `nil` where there is no such file.
    public nonisolated func read(name: String, in directory: FileDirectory, appGroup: String? = nil) throws -> Data? {
        try mapped { try contents(of: path(of: directory, appGroup: appGroup) + "/" + name) }
    }

    /// Removes a file durably. Removing what is not there succeeds.
    public nonisolated func delete(name: String, in directory: FileDirectory, appGroup: String? = nil) throws {
        try mapped { try remove(name, in: path(of: directory, appGroup: appGroup)) }
    }

    public nonisolated func exists(name: String, in directory: FileDirectory, appGroup: String? = nil) throws -> Bool {
        try size(name: name, in: directory, appGroup: appGroup) != nil
    }

    /// The number of bytes, without reading them: also of a locked file. `nil` where there is no such file.
    public nonisolated func size(name: String, in directory: FileDirectory, appGroup: String? = nil) throws -> Int? {
        try mapped { try environment.fileSystem.attributes(of: path(of: directory, appGroup: appGroup) + "/" + name)?.size }
    }

    /// The names in a directory, sorted, without LocalData's temporary files. Empty where there is no such directory.
    public nonisolated func list(_ directory: FileDirectory, appGroup: String? = nil) throws -> [String] {
        try mapped { try names(in: path(of: directory, appGroup: appGroup)) }
    }

    // MARK: LocalData's own files

    /// Stores a file of LocalData's own, under Application Support. `name` may have folders in it.
    nonisolated func writeInternal(_ data: Data, name: String) throws {
        try mapped {
            let (folder, file) = try internalPlace(name)
            try write(data, to: file, in: folder, protection: .completeUntilFirstUserAuthentication)
        }
    }

    nonisolated func readInternal(name: String) throws -> Data? {
        try mapped {
            let (folder, file) = try internalPlace(name)
            return try contents(of: folder + "/" + file)
        }
    }

    nonisolated func removeInternal(name: String) throws {
        try mapped {
            let (folder, file) = try internalPlace(name)
            try remove(file, in: folder)
        }
    }

    nonisolated func listInternal(_ folder: String) throws -> [String] {
        try mapped { try names(in: internalPlace(folder + "/.").folder) }
    }

    private nonisolated func internalPlace(_ name: String) throws -> (folder: String, file: String) {
        let root = try environment.fileSystem.path(of: .applicationSupport) + "/LocalData"
        // By bytes: in a file's name a slash is one, whatever follows it.
        guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (root, name) }
        return (root + "/" + name[..<slash], String(name[name.utf8.index(after: slash)...]))
    }

    // MARK: Paths

    private nonisolated func path(of directory: FileDirectory, appGroup: String?) throws -> String {
        let files = environment.fileSystem
        switch (directory, appGroup) {
        case (.documents, nil): return try files.path(of: .documents)
        case (.caches, nil): return try files.path(of: .caches)
        case (.documents, let group?): return try files.path(of: .appGroup(group)) + "/Documents"
        case (.caches, let group?): return try files.path(of: .appGroup(group)) + "/Library/Caches"
        case (.custom(let url), _): return url.path
        }
    }

    // MARK: The durable steps

    private nonisolated func write(_ data: Data, to name: String, in directory: String, protection: FileProtection) throws {
        let files = environment.fileSystem
        sweeper.sweepOnce(directory, of: files)
        let temporary = directory + "/" + TemporaryName.make(try environment.entropy.bytes(8))
        let file = try create(temporary, in: directory, protection: protection)
        do {
            try file.write(data)
            try file.synchronize()
            try file.close()
            try files.rename(temporary, to: directory + "/" + name)
        } catch {
            try? files.removeFile(at: temporary)
            throw error
        }
        try files.synchronizeDirectory(at: directory)
    }

    private nonisolated func create(_ path: String, in directory: String, protection: FileProtection) throws -> any WritableFile {
        do {
            return try environment.fileSystem.createFile(at: path, protection: protection)
        } catch let error as FileSystemError where error.errno == ENOENT {
            try createDirectory(directory)
            return try environment.fileSystem.createFile(at: path, protection: protection)
        }
    }

    /// Level by level, each durable in the one above before anything is put into it.
    private nonisolated func createDirectory(_ path: String) throws {
        let files = environment.fileSystem
        if try files.attributes(of: path) != nil { return }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else {
            return try files.createDirectory(at: path)
        }
        let parent = String(path[..<slash])
        try createDirectory(parent)
        try files.createDirectory(at: path)
        try files.synchronizeDirectory(at: parent)
    }

    private nonisolated func contents(of path: String) throws -> Data? {
        do {
            return try environment.fileSystem.contents(of: path)
        } catch let error as FileSystemError where error.errno == ENOENT || error.errno == ENOTDIR {
            return nil
        }
    }

    private nonisolated func remove(_ name: String, in directory: String) throws {
        let files = environment.fileSystem
        do {
            try files.removeFile(at: directory + "/" + name)
        } catch let error as FileSystemError where error.errno == ENOENT {
            // An earlier removal may have been cut short before it was durable.
            if try files.attributes(of: directory) == nil { return }
        }
        try files.synchronizeDirectory(at: directory)
    }

    private nonisolated func names(in directory: String) throws -> [String] {
        do {
            return try environment.fileSystem.list(directory).filter { !TemporaryName.isOne($0) }
        } catch let error as FileSystemError where error.errno == ENOENT {
            return []
        }
    }

    private nonisolated func mapped<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FileSystemError {
            throw error.storageError(lockState: environment.device.lockState)
        }
    }
}

/// The names of files that are being written.
enum TemporaryName {
    static let prefix = ".com.localdata.tmp-"

    static func make(_ entropy: Data) -> String {
        prefix + entropy.hexadecimal
    }

    static func isOne(_ name: String) -> Bool { name.hasPrefix(prefix) }
}

/// Removes what a crash left of writes, once for each directory in the life of a process, before the process's first write there.
private final class LeftoverSweeper: @unchecked Sendable {
    private let lock = NSLock()
    private var swept: Set<String> = []

    func sweepOnce(_ directory: String, of files: any FileSystem) {
        lock.lock()
        defer { lock.unlock() }
        guard swept.insert(directory).inserted else { return }
        for name in (try? files.list(directory)) ?? [] where TemporaryName.isOne(name) {
            // A leftover that cannot be removed now does no harm: nothing reads it.
            try? files.removeFile(at: directory + "/" + name)
        }
    }
}
