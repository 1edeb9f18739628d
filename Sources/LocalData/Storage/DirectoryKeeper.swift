import Foundation

/// Makes the directories that files are put in, and collects what a crashed process left there: each once per process and directory.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock. The lock is held during the first use of a directory, so that nobody
///   writes into one that is not durable yet, and nobody's new file is taken for a leftover.
final class DirectoryKeeper: @unchecked Sendable {
    private let environment: StorageEnvironment
    private let lock = NSLock()
    private var collected: Set<String> = []
    private var durable: Set<String> = []

    init(environment: StorageEnvironment) {
        self.environment = environment
    }

    /// Called before the first and every other write.
    func prepareForWriting(_ place: FilePlace) throws {
        try lock.withLock {
            collect(in: place)
            guard !durable.contains(place.directory) else { return }
            try make(place)
            durable.insert(place.directory)
        }
    }

    /// Called before a read: leftovers go at the first use, whatever it is.
    func collectLeftovers(in place: FilePlace) {
        lock.withLock { collect(in: place) }
    }

    /// Makes a directory again that was taken away while the process was running.
    func restore(_ place: FilePlace) throws {
        try lock.withLock { try make(place) }
    }

    /// Failures are left to the operation itself, which meets them too.
    private func collect(in place: FilePlace) {
        guard collected.insert(place.directory).inserted, let names = try? environment.fileSystem.list(place.directory) else { return }
        for name in names where TemporaryFile.isName(name) { try? environment.fileSystem.removeFile(at: place.directory + "/" + name) }
    }

    private func make(_ place: FilePlace) throws {
        let fileSystem = environment.fileSystem
        var missing: [String] = []
        var path = place.directory
        while try fileSystem.attributes(of: path) == nil {
            missing.append(path)
            guard path != "/" else { break }
            path = FilePlace.parent(of: path)
        }
        if !missing.isEmpty { try fileSystem.createDirectory(at: place.directory) }
        // Also those that were there: a process that made them may have died before it synchronized.
        let parents = Set(missing.map(FilePlace.parent)).union(place.directories.dropLast())
        for parent in parents.sorted(by: { $0.utf8.count < $1.utf8.count }) {
            do {
                try fileSystem.synchronizeDirectory(at: parent)
            } catch let error as FileSystemError where error.errno == EACCES || error.errno == EPERM {
                // A directory of the system above the app's own: not the app's to synchronize.
            }
        }
    }
}
