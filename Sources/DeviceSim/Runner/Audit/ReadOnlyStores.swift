import Foundation
import LocalData

// Stores that refuse every change, so that looking at what a device stores cannot be one.

package struct ReadOnlyFileSystem: FileSystem {
    let base: any FileSystem
    /// The folder of the host that is the root of all paths: a key may name any directory, and means the device's.
    let root: String

    package init(base: any FileSystem, root: String = "") { (self.base, self.root) = (base, root) }

    package func path(of directory: ContainerDirectory) throws -> String { try base.path(of: directory) }
    package func contents(of path: String) throws -> Data { try base.contents(of: root + path) }
    package func contents(of path: String, upTo count: Int) throws -> Data { try base.contents(of: root + path, upTo: count) }
    package func list(_ path: String) throws -> [String] { try base.list(root + path) }
    package func attributes(of path: String) throws -> FileAttributes? { try base.attributes(of: root + path) }
    package func extendedAttribute(_ name: String, of path: String) throws -> Data? { try base.extendedAttribute(name, of: root + path) }

    package func canonicalDirectory(at path: String) throws -> CanonicalDirectory {
        var canonical = try base.canonicalDirectory(at: root + path)
        guard !root.isEmpty else { return canonical }
        let folder = try base.canonicalDirectory(at: root).path
        if canonical.path == folder || canonical.path.hasPrefix(folder + "/") {
            canonical.path = String(canonical.path.dropFirst(folder.count))
        }
        return canonical
    }

    package func createFile(at path: String, protection: FileProtection) throws -> any WritableFile { throw refusal("open", path) }
    package func rename(_ source: String, to destination: String) throws { throw refusal("rename", source) }
    package func rename(_ source: String, toNew destination: String) throws { throw refusal("rename", source) }
    package func removeFile(at path: String) throws { throw refusal("unlink", path) }
    package func synchronizeDirectory(at path: String) throws { throw refusal("fsync", path) }
    package func createDirectory(at path: String) throws { throw refusal("mkdir", path) }
    package func setExcludedFromBackup(_ excluded: Bool, at path: String) throws { throw refusal("setxattr", path) }

    private func refusal(_ operation: String, _ path: String) -> FileSystemError {
        FileSystemError(errno: EROFS, operation: operation, path: path)
    }
}

package struct ReadOnlyDefaults: DefaultsStore {
    let base: any DefaultsStore

    package init(base: any DefaultsStore) { self.base = base }

    package func isReadable(_ suite: DefaultsSuite) -> Bool { base.isReadable(resolved(suite)) }
    package func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue? {
        try base.value(forKey: key, in: resolved(suite))
    }
    package func keys(in suite: DefaultsSuite) throws -> [String] { try base.keys(in: resolved(suite)) }
    package func synchronize(_ suite: DefaultsSuite) throws {}

    package func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws {
        throw FileSystemError(errno: EROFS, operation: "write", path: "")
    }

    /// A suite that is named like a group is the group's.
    private func resolved(_ suite: DefaultsSuite) -> DefaultsSuite {
        if case .named(let name) = suite, name.hasPrefix("group.") { .appGroup(name) } else { suite }
    }
}

package struct ReadOnlyKeychain: KeychainStore {
    let base: any KeychainStore

    package init(base: any KeychainStore) { self.base = base }

    package var ownAccessGroup: String? { base.ownAccessGroup }
    package func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) { base.copyMatching(query) }
    package func add(_ item: KeychainItem) -> KeychainStatus { .inputOutput }
    package func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus { .inputOutput }
    package func delete(_ query: KeychainQuery) -> KeychainStatus { .inputOutput }
}

/// An audit asks for no time and draws nothing.
struct NoClock: WallClock {
    var now: Date { .distantPast }
    var uptime: Double? { nil }
}

struct NoEntropy: EntropySource {
    func bytes(_ count: Int) throws -> Data { throw StorageError(.unsupported, facts: ["a stored device draws no random bytes"]) }
}

struct StoredDescription: DeviceDescribing {
    let role: DeviceRole
    let identifier: String
    let bundleIdentifier: String
    let appVersion = "0"
    let deviceInfo = DeviceInfo(model: "", family: "")
    let systemInfo = SystemInfo(name: "", version: "")
    let lockState = DeviceLockState.unlocked
    let biometryEnrolment = BiometryEnrolment.unknown
    let isAppExtension = false
    let integerBitWidth = Int.bitWidth
    let wasPrewarmed = false
    let bootIdentifier: String? = nil
}
