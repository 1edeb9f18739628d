import DeviceSim
import Foundation
import LocalData

@testable import DeviceSimCore

extension StorageEnvironment {
    /// What lies on a device, to look at with LocalData and without changing it: not even leftovers are collected.
    static func looking(at device: Device) -> StorageEnvironment {
        let life = ProcessLife(device: device.id, number: 0, startedBeforeFirstUnlock: false)
        var environment = device.options.adaptEnvironment(device.id, device.environment(for: life))
        environment.fileSystem = LookingFileSystem(base: environment.fileSystem)
        environment.defaults = LookingDefaults(base: environment.defaults)
        environment.keychain = LookingKeychain(base: environment.keychain)
        return environment
    }
}

private func refusal(_ operation: String, _ path: String) -> FileSystemError {
    FileSystemError(errno: EROFS, operation: operation, path: path)
}

private struct LookingFileSystem: FileSystem {
    let base: any FileSystem

    func path(of directory: ContainerDirectory) throws -> String { try base.path(of: directory) }
    func contents(of path: String) throws -> Data { try base.contents(of: path) }
    func contents(of path: String, upTo count: Int) throws -> Data { try base.contents(of: path, upTo: count) }
    func list(_ path: String) throws -> [String] { try base.list(path) }
    func attributes(of path: String) throws -> FileAttributes? { try base.attributes(of: path) }
    func extendedAttribute(_ name: String, of path: String) throws -> Data? { try base.extendedAttribute(name, of: path) }
    func canonicalDirectory(at path: String) throws -> CanonicalDirectory { try base.canonicalDirectory(at: path) }
    func createFile(at path: String, protection: FileProtection) throws -> any WritableFile { throw refusal("open", path) }
    func rename(_ source: String, to destination: String) throws { throw refusal("rename", destination) }
    func rename(_ source: String, toNew destination: String) throws { throw refusal("rename", destination) }
    func removeFile(at path: String) throws { throw refusal("unlink", path) }
    func synchronizeDirectory(at path: String) throws { throw refusal("fsync", path) }
    func createDirectory(at path: String) throws { throw refusal("mkdir", path) }
    func setExcludedFromBackup(_ excluded: Bool, at path: String) throws { throw refusal("setxattr", path) }
}

private struct LookingDefaults: DefaultsStore {
    let base: any DefaultsStore

    func isReadable(_ suite: DefaultsSuite) -> Bool { base.isReadable(suite) }
    func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue? { try base.value(forKey: key, in: suite) }
    func keys(in suite: DefaultsSuite) throws -> [String] { try base.keys(in: suite) }
    func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws { throw refusal("set", key) }
    func synchronize(_ suite: DefaultsSuite) throws { throw refusal("synchronize", "") }
}

private struct LookingKeychain: KeychainStore {
    let base: any KeychainStore

    var ownAccessGroup: String? { base.ownAccessGroup }
    func copyMatching(_ query: KeychainQuery) -> (status: KeychainStatus, items: [KeychainItem]) { base.copyMatching(query) }
    func add(_ item: KeychainItem) -> KeychainStatus { .inputOutput }
    func update(_ query: KeychainQuery, to change: KeychainChange) -> KeychainStatus { .inputOutput }
    func delete(_ query: KeychainQuery) -> KeychainStatus { .inputOutput }
}
