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
    /// Writes a file, atomically replacing one of that name. When it returns, the file survives a power loss; if it throws, the old one does.
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
