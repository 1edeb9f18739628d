import Foundation

/// Makes the directories that files are put in, and collects what a crashed process left there: each once per process and directory, and again when
/// something is removed from where it is known, or possible, that more was left since.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock. The lock is held during the first use of a directory, so that nobody
///   writes into one that is not durable yet, and nobody's new file is taken for a leftover.
final class DurableDirectories: @unchecked Sendable {
    private let environment: StorageEnvironment
    private let lock = NSLock()
    private var collected: Set<String> = [] { didSet { lastCollected = nil } }
    /// The one of them that was used last, which mostly is the one that is used next.
    private var lastCollected: String?
    /// The temporary files that this process writes now.
    private var underWay: [String] = []
    /// Directories that were not there when they were looked at, and that this process has not made since.
    private var missing: Set<String> = []
    private var durable: Set<String> = []
    /// Directories that this process made, and whose entries in their parents it could not make durable.
    private var doubtful: Set<String> = []

    init(environment: StorageEnvironment) {
        self.environment = environment
    }

    /// Called before the first and every other write.
    func prepareForWriting(_ place: FilePath) throws {
        try lock.withLock {
            guard !durable.contains(place.directory) else { return }
            try settle(above: place.directory)
            if collect(in: place) == false || missing.contains(place.directory) {
                try make(place.directory)
            } else {
                // A process that made it may have died before it was durable. What it lies in was durable before that.
                do {
                    try synchronize(FilePath.parent(of: place.directory))
                } catch let error as FileSystemError where error.errno == ENOENT {
                    try make(place.directory)
                }
            }
            durable.insert(place.directory)
            missing.remove(place.directory)
        }
    }

    /// Called before a read: leftovers go at the first use, whatever it is, except a mere look at the device.
    func collectLeftovers(in place: FilePath) {
        guard !ReadOnly.isOn else { return }
        lock.withLock { _ = collect(in: place) }
    }

    /// Called before the removal of what may lie readable in such a file.
    /// - Throws: Why one stays.
    func removeLeftovers(in place: FilePath) throws {
        var failure: (any Error)?
        lock.withLock { _ = collect(in: place) { failure = $0 } }
        if let failure { throw failure }
    }

    /// Called before a removal: a temporary file may hold what is to be removed. Where other processes write, one may have died since.
    func collectLeftovers(inShared place: FilePath) {
        lock.withLock {
            collected.remove(place.directory)
            _ = collect(in: place)
        }
    }

    /// A temporary file of this process is no leftover while it is written.
    func begin(_ temporary: String) { lock.withLock { underWay.append(temporary) } }

    /// - Parameter isGone: Whether nothing is left under that name. What could not be removed is collected at the next use of its directory.
    func end(_ temporary: String, isGone: Bool) {
        lock.withLock {
            if let place = underWay.lastIndex(of: temporary) { underWay.remove(at: place) }
            if !isGone { collected.remove(FilePath.parent(of: temporary)) }
        }
    }

    /// Makes a directory that turned out to be missing, which is where the write found that out.
    func restore(_ place: FilePath) throws {
        try lock.withLock {
            durable.remove(place.directory)
            try settle(above: place.directory)
            try make(place.directory)
            durable.insert(place.directory)
            missing.remove(place.directory)
        }
    }

    /// Failures are left to the operation itself, which meets them too. What could not be collected is tried again at the next use.
    /// - Returns: Whether the directory exists; `nil` where that was not looked at.
    private func collect(in place: FilePath, onFailure: (any Error) -> Void = { _ in }) -> Bool? {
        guard place.directory != lastCollected else { return nil }
        if !collected.contains(place.directory) { return collectNow(in: place, onFailure: onFailure) }
        lastCollected = place.directory
        return nil
    }

    private func collectNow(in place: FilePath, onFailure: (any Error) -> Void) -> Bool? {
        collected.insert(place.directory)
        do {
            for name in try environment.fileSystem.list(place.directory) where TemporaryFile.isName(name) {
                let path = place.directory + "/" + name
                guard !underWay.contains(path) else { continue }
                do {
                    try environment.fileSystem.removeFile(at: path)
                } catch let error as FileSystemError where error.errno == ENOENT {
                } catch {
                    collected.remove(place.directory)
                    onFailure(error)
                }
            }
            return true
        } catch let error as FileSystemError where error.errno == ENOENT {
            missing.insert(place.directory)
            return false
        } catch {
            collected.remove(place.directory)
            return nil
        }
    }

    /// Level by level, each durable before anything is put into it. The last level that is there may have been left in doubt by a crash, like the one
    /// that ``prepareForWriting(_:)`` finds.
    private func make(_ path: String) throws {
        guard path != "/" else { return }
        let parent = FilePath.parent(of: path)
        if try environment.fileSystem.attributes(of: path) == nil {
            try make(parent)
            try environment.fileSystem.createDirectory(at: path)
            doubtful.insert(path)
            return try settle(path)
        }
        try synchronize(parent)
    }

    /// Makes durable what an earlier attempt made and left in doubt: a directory, and those that it lies in.
    private func settle(above path: String) throws {
        guard !doubtful.isEmpty else { return }
        for directory in doubtful.sorted(by: { $0.utf8.count < $1.utf8.count }) where path == directory || path.hasPrefix(directory + "/") {
            do {
                try settle(directory)
            } catch let error as FileSystemError where error.errno == ENOENT {
                // Gone again with its parent.
                doubtful.remove(directory)
            }
        }
    }

    /// Where the app may make a directory it may synchronize it; a refusal is no matter of whose directory it is.
    private func settle(_ directory: String) throws {
        try environment.fileSystem.synchronizeDirectory(at: FilePath.parent(of: directory))
        doubtful.remove(directory)
    }

    private func synchronize(_ directory: String) throws {
        do {
            try environment.fileSystem.synchronizeDirectory(at: directory)
        } catch let error as FileSystemError where error.errno == EACCES || error.errno == EPERM {
            // A directory of the system above the app's own: not the app's to synchronize.
        }
    }
}
