import Foundation

/// Durable, atomic files.
///
/// Operations on different files do not wait for each other: nothing in here is isolated to the actor. The asynchronous operations never run on the
/// main thread's actor.
public actor FileStorageHelper {
    /// The helper of the current device (see ``StorageRouter/shared``).
    public static var shared: FileStorageHelper { StorageRouter.shared.files }

    let environment: StorageEnvironment
    nonisolated let directories: DurableDirectories

    init(environment: StorageEnvironment) {
        self.environment = environment
        directories = DurableDirectories(environment: environment)
    }
}

/// What apps call. `name` is a file name without separators; `group` an App Group identifier, `nil` for the app's own container.
///
/// All of these throw ``StorageError``: `locked`, `lockedBeforeFirstUnlock`, `accessDenied`, `noSpace`, `inputOutput`, `invalidKey` for a name that
/// cannot be, and `unsupported` for a group without a container.
extension FileStorageHelper {
    /// Writes a file, atomically replacing one of that name. When it returns, the file survives a power loss; if it throws, the old one or the new one does.
    public nonisolated func write(
        _ data: Data, to name: String, in directory: FileDirectory, group: String? = nil,
        protection: FileProtection = .completeUntilFirstUserAuthentication
    ) async throws {
        try write(data, to: place(of: name, in: directory, group: group), protection: protection)
    }

    /// The bytes of a file, or `nil` on verified absence.
    public nonisolated func read(_ name: String, in directory: FileDirectory, group: String? = nil) async throws -> Data? {
        try contents(of: place(of: name, in: directory, group: group))
    }

    /// Removes a file, durably. Succeeds where there is none.
    public nonisolated func delete(_ name: String, in directory: FileDirectory, group: String? = nil) async throws {
        try remove(place(of: name, in: directory, group: group))
    }

    /// Whether a file of that name is there. A directory is none, nor is a link, which is not followed.
    public nonisolated func exists(_ name: String, in directory: FileDirectory, group: String? = nil) async throws -> Bool {
        try attributes(of: place(of: name, in: directory, group: group))?.isFile == true
    }

    /// The size of a file in bytes, or `nil` on verified absence. Works on a locked device.
    public nonisolated func size(of name: String, in directory: FileDirectory, group: String? = nil) async throws -> Int? {
        try attributes(of: place(of: name, in: directory, group: group)).flatMap { $0.isFile ? $0.size : nil }
    }

    /// The names in a directory, sorted by their UTF-8 bytes, without files under construction. Empty where there is no such directory.
    public nonisolated func list(_ directory: FileDirectory, group: String? = nil) async throws -> [String] {
        try list(directoryPath(directory, group: group))
    }
}

/// Reading, and what every operation on files needs. Synchronous, from any thread.
extension FileStorageHelper {
    /// The version that lies with a file, if one does (see ``SyncFileNote``); `nil` also where that cannot be told.
    nonisolated func note(of place: FilePath) -> SyncFileNote? {
        guard let data = try? storedNote(of: place) else { return nil }
        return try? SyncFileNote(encoded: data)
    }

    /// The bytes of that version as they lie there, also where a newer version of LocalData wrote them; `nil` on verified absence.
    nonisolated func storedNote(of place: FilePath) throws -> Data? {
        try mapped {
            do {
                return try environment.fileSystem.extendedAttribute(SyncFileNote.attribute, of: place.path)
            } catch let error as FileSystemError where error.errno == ENOENT {
                return nil
            }
        }
    }

    nonisolated func contents(of place: FilePath) throws -> Data? {
        try mapped {
            directories.collectLeftovers(in: place)
            do {
                return try environment.fileSystem.contents(of: place.path)
            } catch let error as FileSystemError where error.errno == ENOENT {
                return nil
            }
        }
    }

    /// The first bytes of a file, or `nil` on verified absence. Unlike ``contents(of:)`` it leaves leftovers where they are.
    nonisolated func front(of place: FilePath, byteCount: Int) throws -> Data? {
        try mapped {
            do {
                return try environment.fileSystem.contents(of: place.path, upTo: byteCount)
            } catch let error as FileSystemError where error.errno == ENOENT {
                return nil
            }
        }
    }

    /// What is known of a file without reading it, or `nil` on verified absence.
    nonisolated func attributes(of place: FilePath) throws -> FileAttributes? {
        try mapped { try environment.fileSystem.attributes(of: place.path) }
    }

    /// Whether a file lies at a place.
    /// - Throws: What reading it would, where something else does: neither a directory nor a link is a value, or the absence of one.
    nonisolated func holdsFile(at place: FilePath) throws -> Bool {
        guard let attributes = try attributes(of: place) else { return false }
        guard attributes.isFile else {
            throw mappedError(FileSystemError(errno: attributes.isLink ? ELOOP : EISDIR, operation: "stat", path: place.path))
        }
        return true
    }

    nonisolated func list(_ directory: String) throws -> [String] {
        try mapped {
            do {
                return try environment.fileSystem.list(directory).filter { !TemporaryFile.isName($0) }
            } catch let error as FileSystemError where error.errno == ENOENT {
                return []
            }
        }
    }

    /// Runs `body` with the errors of the file system made ``StorageError``s. Other errors pass.
    nonisolated func mapped<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FileSystemError {
            throw mappedError(error)
        }
    }

    private nonisolated func mappedError(_ error: FileSystemError) -> StorageError {
        let problem = error.storageError(lockState: environment.device.lockState)
        // Where absence is an answer it was given already. Here something else is missing: a part of the path.
        return problem.code == .notFound ? StorageError(.inputOutput, facts: problem.facts) : problem
    }
}

/// Where files lie on this installation.
extension FileStorageHelper {
    /// The place of a file-domain key's value.
    nonisolated func place(of key: any StorageKey) throws -> FilePath {
        let group: String? = if case .appGroupFileSystem(let identifier, _) = key.domain { identifier } else { nil }
        guard let directory = key.domain.directory else {
            throw StorageError(.invalidKey, facts: ["the domain '\(key.domain.kind)' has no files"])
        }
        return FilePath(directory: try directoryPath(directory, group: group), name: key.name)
    }

    /// The place of a file that an app names itself. The name must be one that a key could have.
    nonisolated func place(of name: String, in directory: FileDirectory, group: String?) throws -> FilePath {
        let domain: StorageDomain =
            group.map { .appGroupFileSystem(identifier: $0, directory: directory) } ?? .fileSystem(directory: directory)
        let problems = KeyRules.problems(name: name, domain: domain, security: .none)
        guard problems.isEmpty else { throw StorageError(.invalidKey, key: name, domain: domain.kind, facts: problems) }
        return FilePath(directory: try directoryPath(directory, group: group), name: name)
    }

    nonisolated func directoryPath(_ directory: FileDirectory, group: String?) throws -> String {
        guard let group else {
            switch directory {
            case .documents: return try containerPath(.documents)
            case .caches: return try containerPath(.caches)
            case .custom:
                let path = try customPath(directory)
                try requireNotInternal(path)
                return path
            }
        }
        let container = try containerPath(.appGroup(group))
        let (path, isCustom) =
            switch directory {
            case .documents: (container + "/Documents", false)
            case .caches: (container + "/Library/Caches", false)
            case .custom: (try customPath(directory), true)
            }
        try requireInGroup(path, container: container, group: group, isCustom: isCustom)
        return path
    }

    private nonisolated func customPath(_ directory: FileDirectory) throws -> String {
        guard let path = directory.customPath else {
            throw StorageError(.invalidKey, facts: ["the custom directory is no absolute file URL"])
        }
        return path
    }

    nonisolated func containerPath(_ directory: ContainerDirectory) throws -> String {
        try mapped { try environment.fileSystem.path(of: directory) }
    }
}
