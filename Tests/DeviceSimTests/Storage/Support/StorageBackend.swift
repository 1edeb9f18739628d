import DeviceSim
import Foundation
import LocalData
import Testing

/// What the conformance suites run over.
enum StorageBackend: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// A simulated device in memory.
    case memory
    /// A simulated device with real files.
    case realFiles
    /// LocalData's plain adapters.
    case plain

    var testDescription: String { rawValue }
}

/// One store of each kind, of one backend, empty.
final class ConformanceFixture {
    let files: any FileSystem
    let defaults: any DefaultsStore
    let keychain: any KeychainStore
    /// A directory to work in.
    let directory: String
    /// Puts a symbolic link at a path.
    let link: (String, String) throws -> Void
    private let scratch: ScratchFolder?
    private let rig: StorageRig?

    init(_ backend: StorageBackend) throws {
        switch backend {
        case .memory, .realFiles:
            let scratch = backend == .memory ? nil : try ScratchFolder()
            let rig = StorageRig(scratch.map { .directory($0.url) } ?? .memory)
            self.scratch = scratch
            self.rig = rig
            files = rig.files
            defaults = rig.defaults
            keychain = rig.keychain
            directory = try files.path(of: .documents)
            link = { path, destination in try rig.storage.plantLink(at: path, to: destination) }
        case .plain:
            let scratch = try ScratchFolder()
            self.scratch = scratch
            rig = nil
            let roots = PosixFileSystem.Roots(
                documents: scratch.path("Documents"), caches: scratch.path("Caches"), applicationSupport: scratch.path("Support"),
                temporary: scratch.path("tmp"), appGroup: { [root = scratch.path("Groups")] in root + "/" + $0 })
            files = PosixFileSystem(roots: roots)
            defaults = FileDefaultsStore(directory: scratch.path("Preferences"), standardName: "com.example.app")
            keychain = FileKeychainStore(file: scratch.path("keychain.plist"))
            directory = scratch.path("Documents")
            link = { path, destination in
                guard symlink(destination, path) == 0 else { throw FileSystemError(errno: errno, operation: "symlink", path: path) }
            }
            try files.createDirectory(at: directory)
        }
    }
}
