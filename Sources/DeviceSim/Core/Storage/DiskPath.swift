import Foundation
import LocalData

/// Absolute paths of a simulated disk, taken apart: names between slashes, `.` and `..` resolved, in normalization form C.
///
/// Names differ by case, not by Unicode normalization, as on Apple's file system.
package enum DiskPath {
    /// Bytes of a name, and of a path.
    static let nameLimit = 255
    static let pathLimit = 1_024

    static func components(of path: String, operation: String) throws(FileSystemError) -> [String] {
        if let components = plainComponents(of: path) { return components }
        let bytes = path.utf8
        guard bytes.first == UInt8(ascii: "/"), !bytes.contains(0) else {
            throw FileSystemError(errno: EINVAL, operation: operation, path: path)
        }
        guard bytes.count <= pathLimit else { throw FileSystemError(errno: ENAMETOOLONG, operation: operation, path: path) }
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        let normalized = isASCII ? path : path.precomposedStringWithCanonicalMapping
        var components: [String] = []
        for component in normalized.utf8.split(separator: UInt8(ascii: "/")) {
            let name = String(Substring(component))
            switch name {
            case ".": continue
            case "..": _ = components.popLast()
            default:
                guard component.count <= nameLimit else { throw FileSystemError(errno: ENAMETOOLONG, operation: operation, path: path) }
                components.append(name)
            }
        }
        return components
    }

    /// The components of a path that is normalized already and ASCII throughout; `nil` for any other. Apps make hardly any others, and this takes one pass.
    static func plainComponents(of path: String) -> [String]? {
        path.utf8.withContiguousStorageIfAvailable { bytes -> [String]? in
            guard bytes.count <= pathLimit, bytes.first == UInt8(ascii: "/") else { return nil }
            return plainNames(in: UnsafeBufferPointer(rebasing: bytes[1...]))
        } ?? nil
    }

    /// Names with one slash between them; `nil` where one of them needs more looking at.
    static func plainNames(in bytes: UnsafeBufferPointer<UInt8>) -> [String]? {
        var names: [String] = []
        names.reserveCapacity(12)
        var start = 0
        for index in 0...bytes.count where index == bytes.count || bytes[index] == UInt8(ascii: "/") {
            let name = UnsafeBufferPointer(rebasing: bytes[start..<index])
            guard isPlainName(name) else { return nil }
            names.append(String(decoding: name, as: UTF8.self))
            start = index + 1
        }
        return names
    }

    package static func joined(_ components: some Collection<String>) -> String {
        guard !components.isEmpty else { return "/" }
        // Written at once: to append to a text costs three times as much.
        return String(unsafeUninitializedCapacity: components.reduce(0) { $0 + 1 + $1.utf8.count }) { bytes in
            var end = 0
            for component in components {
                bytes.initializeElement(at: end, to: UInt8(ascii: "/"))
                end = bytes[(end + 1)...].initialize(fromContentsOf: component.utf8)
            }
            return end
        }
    }

    /// Whether the bytes are one name that needs no more looking at.
    @inline(__always)
    static func isPlainName(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !bytes.isEmpty, bytes.count <= nameLimit else { return false }
        for byte in bytes where byte == UInt8(ascii: "/") || byte == 0 || byte >= 0x80 { return false }
        // `.` and `..`
        if bytes[0] == UInt8(ascii: ".") {
            return !(bytes.count == 1 || (bytes.count == 2 && bytes[1] == UInt8(ascii: ".")))
        }
        return true
    }

    /// Whether a name is one folder below its parent, and not a way out of it.
    static func isFolderName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && name.utf8.count <= nameLimit - 8
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }
}
