import Foundation

/// A file open for writing by its descriptor.
final class PosixFile: WritableFile, @unchecked Sendable {
    private let lock = NSLock()
    private let path: String
    /// `nil` once closed. Guarded by `lock`.
    private var descriptor: Int32?

    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        if let descriptor { try? Posix.close(descriptor: descriptor, path: path) }
    }

    func write(_ data: Data) throws {
        try lock.withLock { try Posix.write(all: data, to: open("write"), path: path) }
    }

    func synchronize() throws {
        try lock.withLock { try Posix.synchronize(open("fsync"), path: path) }
    }

    #if canImport(Darwin)
        func setExtendedAttribute(_ data: Data, named name: String) throws {
            try lock.withLock {
                let descriptor = try open("setxattr")
                try Posix.call("setxattr", path) {
                    data.withUnsafeBytes { fsetxattr(descriptor, name, $0.baseAddress, $0.count, 0, 0) }
                }
            }
        }
    #else
        func setExtendedAttribute(_ data: Data, named name: String) throws {
            throw FileSystemError(errno: ENOTSUP, operation: "setxattr", path: path)
        }
    #endif

    /// Closing again succeeds and does nothing.
    func close() throws {
        try lock.withLock {
            guard let descriptor else { return }
            self.descriptor = nil
            try Posix.close(descriptor: descriptor, path: path)
        }
    }

    private func open(_ operation: String) throws -> Int32 {
        guard let descriptor else { throw FileSystemError(errno: EBADF, operation: operation, path: path) }
        return descriptor
    }
}
