import Foundation
import LocalData

// Stores that refuse every change, so that an audit of files that lie there cannot be one.

struct ReadOnlyFileSystem: FileSystem {
    let base: PosixFileSystem

    func path(of directory: ContainerDirectory) throws -> String { try base.path(of: directory) }
    func contents(of path: String) throws -> Data { try base.contents(of: path) }
    func contents(of path: String, upTo count: Int) throws -> Data { try base.contents(of: path, upTo: count) }
    func list(_ path: String) throws -> [String] { try base.list(path) }
    func attributes(of path: String) throws -> FileAttributes? { try base.attributes(of: path) }
    func extendedAttribute(_ name: String, of path: String) throws -> Data? { try base.extendedAttribute(name, of: path) }
    func canonicalDirectory(at path: String) throws -> CanonicalDirectory { try base.canonicalDirectory(at: path) }

    func createFile(at path: String, protection: FileProtection) throws -> any WritableFile { throw refusal("open", path) }
    func rename(_ source: String, to destination: String) throws { throw refusal("rename", source) }
    func rename(_ source: String, toNew destination: String) throws { throw refusal("rename", source) }
    func removeFile(at path: String) throws { throw refusal("unlink", path) }
    func synchronizeDirectory(at path: String) throws { throw refusal("fsync", path) }
    func createDirectory(at path: String) throws { throw refusal("mkdir", path) }
    func setExcludedFromBackup(_ excluded: Bool, at path: String) throws { throw refusal("setxattr", path) }

    private func refusal(_ operation: String, _ path: String) -> FileSystemError {
        FileSystemError(errno: EROFS, operation: operation, path: path)
    }
}

struct ReadOnlyDefaults: DefaultsStore {
    let base: FileDefaultsStore

    func isReadable(_ suite: DefaultsSuite) -> Bool { true }
    func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue? {
        try base.value(forKey: key, in: resolved(suite))
    }
    func keys(in suite: DefaultsSuite) throws -> [String] { try base.keys(in: resolved(suite)) }
    func synchronize(_ suite: DefaultsSuite) throws {}

    func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws {
        throw FileSystemError(errno: EROFS, operation: "write", path: "")
    }

    /// A suite that is named like a group is the group's.
    private func resolved(_ suite: DefaultsSuite) -> DefaultsSuite {
        if case .named(let name) = suite, name.hasPrefix("group.") { .appGroup(name) } else { suite }
    }
}

struct ReadOnlyKeychain: KeychainStore {
    let base: FileKeychainStore

    var ownAccessGroup: String? { base.ownAccessGroup }
    func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) { base.copyMatching(query) }
    func add(_ item: KeychainItem) -> KeychainStatus { .inputOutput }
    func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus { .inputOutput }
    func delete(_ query: KeychainQuery) -> KeychainStatus { .inputOutput }
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
