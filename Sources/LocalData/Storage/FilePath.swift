/// The path of a file, in the parts that durable writing needs.
struct FilePath: Sendable, Hashable {
    let directory: String
    let name: String
    let path: String

    init(directory: String, name: String) {
        self.directory = directory
        self.name = name
        path = Self.joined(directory, name)
    }

    /// - Parameter path: Absolute, of something in a directory.
    init(path: String) {
        self.path = path
        let slash = Self.lastSlash(in: path) ?? path.startIndex
        directory = String(path[..<slash])
        name = String(path[slash...].utf8.dropFirst()) ?? ""
    }

    /// Both with a slash between them, written at once: to append to a text costs three times as much.
    static func joined(_ directory: String, _ name: String) -> String {
        String(unsafeUninitializedCapacity: directory.utf8.count + 1 + name.utf8.count) { bytes in
            let slash = bytes.initialize(fromContentsOf: directory.utf8)
            bytes.initializeElement(at: slash, to: UInt8(ascii: "/"))
            return bytes[(slash + 1)...].initialize(fromContentsOf: name.utf8)
        }
    }

    private static func lastSlash(in path: String) -> String.Index? {
        let found = path.utf8.withContiguousStorageIfAvailable { $0.lastIndex(of: UInt8(ascii: "/")) }
        guard let found else { return path.utf8.lastIndex(of: UInt8(ascii: "/")) }
        return found.map { path.utf8.index(path.startIndex, offsetBy: $0) }
    }

    static func parent(of path: String) -> String {
        // By bytes, as the file system looks at it; by characters it would cost ten times that.
        guard let slash = lastSlash(in: path), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}

/// Names of files under construction. They begin with a dot, which no key's name does.
enum TemporaryFile {
    static let prefix = ".localdata-"
    private static let suffix = ".tmp"
    private static let randomLength = 16

    static func name(from entropy: any EntropySource) throws -> String {
        prefix + (try entropy.bytes(randomLength).hexadecimal) + suffix
    }

    static func isName(_ name: String) -> Bool {
        name.hasPrefix(prefix) && name.hasSuffix(suffix) && name.utf8.count == prefix.utf8.count + 2 * randomLength + suffix.utf8.count
            && name.dropFirst(prefix.count).dropLast(suffix.count).utf8.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
