import Foundation
import LocalData

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// LocalData's `set` and `get` in each domain, against the bare system calls for the same bytes.
enum StorageBenchmark {
    struct Note: StorageKey {
        typealias Value = Data

        let name: String
        let domain: StorageDomain
        var security = SecurityPolicy.none
        var syncPolicy = SyncPolicy.never
        let serializer = Serializer<Data>.data
        let owner = "Benchmark"
    }

    static func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("localdata-benchmark-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let router = StorageRouter(environment: try HostEnvironment.make(in: folder))
        let keys: [(String, Note)] = [
            ("fileSystem", Note(name: "plain", domain: .fileSystem(directory: .documents))),
            ("encryptedFileSystem", Note(name: "sealed", domain: .encryptedFileSystem(directory: .documents), security: .recommended)),
            ("appGroupFileSystem", Note(name: "group", domain: .appGroupFileSystem(identifier: "group", directory: .documents))),
            ("userDefaults (portable)", Note(name: "setting", domain: .userDefaults(suite: nil))),
            ("appGroupUserDefaults (portable)", Note(name: "setting", domain: .appGroupUserDefaults(identifier: "group"))),
            ("keychain (portable)", Note(name: "token", domain: .keychain(service: nil))),
        ]
        var table = Table(["domain, 4 KiB", "set", "against write+fsync+rename+fsync dir", "get", "against read"])
        let bytes = Data(repeating: 0x5A, count: 4_096)
        for (name, key) in keys {
            Progress.say("storage: \(name)")
            do {
                let path = folder.appendingPathComponent("Documents/bare").path
                try await router.set(bytes, for: key)
                let set = try await Measurement.pair(
                    batch: 8, { try await router.set(bytes, for: key) }, { try Bare.write(bytes, to: path) })
                let get = try await Measurement.pair(
                    batch: 200, { _ = try await router.get(key) }, { _ = try Bare.read(path) })
                table.add(
                    name, Figure.time(set.first), Figure.ratio(set.ratio), Figure.time(get.first), Figure.ratio(get.ratio))
            } catch let error as StorageError where error.code == .unsupported {
                continue
            }
        }
        table.print()
    }
}

/// The system calls alone.
enum Bare {
    static func write(_ data: Data, to path: String) throws {
        let temporary = path + ".tmp"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw BenchmarkError(message: "open: errno \(errno)") }
        let count = data.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
        guard count == data.count, fsync(file) == 0, close(file) == 0, rename(temporary, path) == 0 else {
            throw BenchmarkError(message: "write: errno \(errno)")
        }
        let directory = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0, fsync(directory) == 0, close(directory) == 0 else {
            throw BenchmarkError(message: "fsync: errno \(errno)")
        }
    }

    static func read(_ path: String) throws -> Data {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BenchmarkError(message: "open: errno \(errno)") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw BenchmarkError(message: "fstat: errno \(errno)") }
        var data = Data(count: Int(status.st_size))
        let count = data.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
        guard count == data.count else { throw BenchmarkError(message: "read: errno \(errno)") }
        return data
    }
}
