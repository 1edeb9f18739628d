import Foundation

/// A durable write, step by step: temporary file, write, synchronize, close, rename, synchronize the directory; and a durable removal. Synchronous, from
/// any thread.
extension FileStorageHelper {
    /// How often a write begins anew when another process took its temporary file for a leftover, or its directory away.
    private static let maximumAttempts = 3

    /// Temporary file in the same directory, write, synchronize, close, rename, synchronize the directory. Until the rename the old file is untouched.
    /// - Parameter note: What to set as the file's ``SyncFileNote/attribute``, so that both are there together. Left out where the file system refuses
    ///   it, except for want of room.
    nonisolated func write(_ data: Data, to place: FilePath, protection: FileProtection, note: Data? = nil) throws {
        _ = try write(data, to: place, protection: protection, note: note) { true }
    }

    /// Writes a file where there is none.
    /// - Returns: False where there is one by the moment in which the new one would get its name: another process's, which stays.
    nonisolated func create(_ data: Data, at place: FilePath, protection: FileProtection, note: Data? = nil) throws -> Bool {
        try write(data, to: place, protection: protection, note: note, isNew: true) { true }
    }

    /// Replaces a file that is still `old` just before the new one takes its place.
    /// - Returns: False where it is another one by then, or gone, which then stays so.
    nonisolated func replace(
        _ old: Data, with new: Data, at place: FilePath, protection: FileProtection, note: Data? = nil
    ) throws -> Bool {
        try write(new, to: place, protection: protection, note: note) {
            do {
                return try self.environment.fileSystem.contents(of: place.path) == old
            } catch let error as FileSystemError where error.errno == ENOENT {
                return false
            }
        }
    }

    /// - Parameter mayReplace: Asked just before the rename.
    /// - Returns: What it answered.
    private nonisolated func write(
        _ data: Data, to place: FilePath, protection: FileProtection, note: Data? = nil, isNew: Bool = false,
        if mayReplace: () throws -> Bool
    ) throws -> Bool {
        try mapped {
            try directories.prepareForWriting(place)
            var attempt = 1
            while true {
                do {
                    guard try writeOnce(data, to: place, protection: protection, note: note, isNew: isNew, if: mayReplace) else {
                        return false
                    }
                    break
                } catch let error as FileSystemError
                    where (error.errno == ENOENT || error.errno == EEXIST) && attempt < Self.maximumAttempts
                {
                    attempt += 1
                    if error.errno == ENOENT { try directories.restore(place) }
                }
            }
            try environment.fileSystem.synchronizeDirectory(at: place.directory)
            return true
        }
    }

    private nonisolated func writeOnce(
        _ data: Data, to place: FilePath, protection: FileProtection, note: Data?, isNew: Bool, if mayReplace: () throws -> Bool
    ) throws -> Bool {
        let temporary = place.directory + "/" + (try TemporaryFile.name(from: environment.entropy))
        directories.begin(temporary)
        var isGone = true
        defer { directories.end(temporary, isGone: isGone) }
        let file = try environment.fileSystem.createFile(at: temporary, protection: protection)
        do {
            try file.write(data)
            if let note { try set(note, of: file) }
            try file.synchronize()
            try file.close()
            guard try mayReplace(), try take(temporary, to: place, isNew: isNew) else {
                try environment.fileSystem.removeFile(at: temporary)
                return false
            }
            return true
        } catch {
            isGone = isRemoved(temporary)
            throw error
        }
    }

    private nonisolated func isRemoved(_ temporary: String) -> Bool {
        do {
            try environment.fileSystem.removeFile(at: temporary)
            return true
        } catch {
            return (error as? FileSystemError)?.errno == ENOENT
        }
    }

    /// - Returns: False where the name is taken, and is not to be.
    private nonisolated func take(_ temporary: String, to place: FilePath, isNew: Bool) throws -> Bool {
        guard isNew else {
            try environment.fileSystem.rename(temporary, to: place.path)
            return true
        }
        do {
            try environment.fileSystem.rename(temporary, toNew: place.path)
            return true
        } catch let error as FileSystemError where error.errno == EEXIST {
            return false
        } catch let error as FileSystemError where error.errno == ENOTSUP {
            // A volume that cannot: looking first leaves an instant in which both may write.
            guard try environment.fileSystem.attributes(of: place.path) == nil else { return false }
            try environment.fileSystem.rename(temporary, to: place.path)
            return true
        }
    }

    /// Of a value in a newer form the note is what keeps an older app from it: only where a volume has no such notes is it stored without.
    private nonisolated func set(_ note: Data, of file: any WritableFile) throws {
        do {
            try file.setExtendedAttribute(note, named: SyncFileNote.attribute)
        } catch let error as FileSystemError where !error.isOutOfSpace {
            guard let form = try? SyncFileNote(encoded: note).schema, form > 1, error.errno != ENOTSUP else { return }
            throw error
        }
    }

    /// The directory is synchronized even where there was no file: an earlier removal may have failed after its first step.
    /// - Parameter leavesNothing: Whether a temporary file beside it may hold what is to be removed, as a write that was cut short left it: then nothing is removed
    ///   where such a file cannot be.
    nonisolated func remove(_ place: FilePath, leavesNothing: Bool = false) throws {
        try mapped {
            if leavesNothing { try directories.removeLeftovers(in: place) } else { directories.collectLeftovers(in: place) }
            do {
                try environment.fileSystem.removeFile(at: place.path)
            } catch let error as FileSystemError where error.errno == ENOENT {}
            do {
                try environment.fileSystem.synchronizeDirectory(at: place.directory)
            } catch let error as FileSystemError where error.errno == ENOENT {}
        }
    }

    /// Makes durable what the directory shows at a place, a file or its absence: a process that died may have renamed or removed it and not come to
    /// that. The bytes of a file have been durable since before it got its name.
    nonisolated func settle(_ place: FilePath) throws {
        try mapped {
            do {
                try environment.fileSystem.synchronizeDirectory(at: place.directory)
            } catch let error as FileSystemError where error.errno == ENOENT {}
        }
    }
}
