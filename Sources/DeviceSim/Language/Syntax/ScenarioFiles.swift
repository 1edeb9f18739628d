import Foundation

/// Where the compiler reads files from: the disk, or what a test supplies.
public struct ScenarioFiles: Sendable {
    /// The bytes of a file by its path, or why there are none.
    public let read: @Sendable (String) throws(ScenarioDiagnostic) -> [UInt8]

    /// - Parameter read: Gives a file's bytes, or throws a diagnostic that says why it cannot.
    public init(read: @escaping @Sendable (String) throws(ScenarioDiagnostic) -> [UInt8]) {
        self.read = read
    }

    /// Regular files on disk. A file beyond ``SourceText/maximumByteCount`` is refused by its size, without reading it.
    public static let disk = ScenarioFiles { path throws(ScenarioDiagnostic) in
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .file(path, kind: .unreadable, "this is a folder, not a scenario file")
        default: throw .file(path, kind: .unreadable, "this is not a regular file")
        }
        guard status.st_size <= SourceText.maximumByteCount else {
            throw SourceText.tooLarge(path: path, byteCount: Int(status.st_size))
        }
        return try readAll(descriptor, path: path, byteCount: Int(status.st_size))
    }

    /// Files held in memory, by path.
    public static func memory(_ files: [String: String]) -> ScenarioFiles {
        ScenarioFiles { path throws(ScenarioDiagnostic) in
            guard let text = files[path] else { throw unreadable(path, ENOENT) }
            return Array(text.utf8)
        }
    }

    /// Reads what is there, also if the file grows or shrinks meanwhile.
    private static func readAll(_ descriptor: Int32, path: String, byteCount: Int) throws(ScenarioDiagnostic) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount + 1)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= SourceText.maximumByteCount {
            let count = unsafeRead(descriptor, &buffer)
            if count < 0 {
                if errno == EINTR { continue }
                throw unreadable(path, errno)
            }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: buffer[..<count])
        }
        throw SourceText.tooLarge(path: path, byteCount: bytes.count)
    }

    private static func unsafeRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        buffer.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
    }

    private static func unreadable(_ path: String, _ number: Int32) -> ScenarioDiagnostic {
        let reason =
            switch number {
            case ENOENT: "there is no such file"
            case EACCES, EPERM: "the file may not be read"
            case ELOOP: "the file is a symbolic link that leads to itself"
            case ENOTDIR: "a part of the path is not a folder"
            default: String(cString: strerror(number))
            }
        return .file(path, kind: .unreadable, "\(reason) (errno \(number))")
    }
}
