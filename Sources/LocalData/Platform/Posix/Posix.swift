import Foundation

/// POSIX calls whose failures are thrown, and which go on where a signal interrupted them.
enum Posix {
    /// Runs a call that returns −1 and sets `errno` on failure, again while a signal interrupts it.
    @discardableResult
    static func call<Result: SignedInteger>(
        _ operation: String, _ path: String, _ body: () -> Result
    ) throws -> Result {
        while true {
            let result = body()
            if result != -1 { return result }
            let code = errno
            if code != EINTR { throw FileSystemError(errno: code, operation: operation, path: path) }
        }
    }

    /// A path that C sees as Swift does: a NUL inside would end it early, and name another file.
    static func checked(_ path: String, for operation: String) throws -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw FileSystemError(errno: EINVAL, operation: operation, path: path) }
        return path
    }

    /// Writes all of `data`, however many calls that takes.
    static func write(all data: Data, to descriptor: Int32, path: String) throws {
        try data.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
                // One call writes less than 2 GiB on every system.
                let count = min(rest.count, 1 << 30)
                offset += try call("write", path) { writeBytes(descriptor, rest.baseAddress, count) }
            }
        }
    }

    /// Reads from the current position to the end, or `limit` bytes, into memory that is not filled with zeros first.
    static func readAll(of descriptor: Int32, sizeHint: Int, limit: Int = .max, path: String) throws -> Data {
        // One byte more than expected, so that the end shows without another allocation.
        var capacity = min(max(0, sizeHint), limit - 1) + 1
        guard var memory = malloc(capacity) else { throw FileSystemError(errno: ENOMEM, operation: "read", path: path) }
        var count = 0
        do {
            while count < limit {
                if count == capacity {
                    capacity = min(max(capacity * 2, 64 * 1_024), limit)
                    guard let larger = realloc(memory, capacity) else {
                        throw FileSystemError(errno: ENOMEM, operation: "read", path: path)
                    }
                    memory = larger
                }
                let room = min(capacity - count, 1 << 30)
                let got = try call("read", path) { read(descriptor, memory + count, room) }
                if got == 0 { break }
                count += got
            }
        } catch {
            free(memory)
            throw error
        }
        guard count > 0 else {
            free(memory)
            return Data()
        }
        return Data(bytesNoCopy: memory, count: count, deallocator: .free)
    }

    /// Makes what was written durable, as far as the system can.
    static func synchronize(_ descriptor: Int32, path: String) throws {
        #if canImport(Darwin)
            // `fsync` alone leaves the bytes in the drive's cache on Apple systems.
            try synchronize(
                path: path, fully: { try call("fsync", path) { fcntl(descriptor, F_FULLFSYNC) } },
                plainly: { try call("fsync", path) { fsync(descriptor) } })
        #else
            try call("fsync", path) { fsync(descriptor) }
        #endif
    }

    /// The stronger call, and the weaker one only where the file system does not have the stronger. That it failed is no reason to believe the weaker:
    /// a system whose write failed once may say of the next that all is well.
    static func synchronize(path: String, fully: () throws -> Void, plainly: () throws -> Void) throws {
        do {
            try fully()
        } catch let error as FileSystemError where error.errno == ENOTSUP || error.errno == EINVAL {
            try plainly()
        }
    }

    /// Closes, once: after an interrupted `close` the descriptor is gone, and may be somebody else's already.
    static func close(descriptor: Int32, path: String) throws {
        guard closeDescriptor(descriptor) == -1 else { return }
        let code = errno
        if code != EINTR { throw FileSystemError(errno: code, operation: "close", path: path) }
    }
}

// The system's calls under names that the functions above do not hide.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }
private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }

extension FileSystemError {
    var isOutOfSpace: Bool { errno == ENOSPC || errno == EDQUOT }
    var isAccessDenied: Bool { errno == EACCES || errno == EPERM || errno == EROFS }
}
