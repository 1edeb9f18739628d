import Foundation
import LocalData

/// What a device with real files remembers beside them: the app's container, and what its files have beyond the host's attributes.
///
/// A property list, `device.plist`, so that ordinary tools and a later audit can read it. Version 1.
package struct DeviceRecord: Equatable {
    package static let path = "device.plist"

    package struct File: Equatable {
        package var protection: FileProtection
        package var isExcludedFromBackup: Bool
        /// Left out where there are none, and by earlier versions.
        var extendedAttributes: [String: Data] = [:]
    }

    /// The name of the folder in `Containers/Data/Application`; `nil` before the first installation.
    package var applicationContainer: String?
    /// How often the app was installed.
    package var installations = 0
    /// By path, those that differ from the default.
    package var files: [String: File] = [:]

    init() {}

    /// - Throws: ``StorageError`` (`corrupt` or `unsupportedFormat`).
    package init(encoded data: Data) throws {
        let damaged = StorageError(.corrupt, facts: ["\(Self.path) of the simulated device is damaged; remove the folder to start anew"])
        guard case .dictionary(let fields)? = try? PropertyListValue(encoded: data), case .integer(let version)? = fields["version"] else {
            throw damaged
        }
        guard version == 1 else {
            throw StorageError(.unsupportedFormat, facts: ["\(Self.path) of the simulated device has the unknown version \(version)"])
        }
        guard case .integer(let installations)? = fields["installations"], case .dictionary(let files)? = fields["files"],
            (0...1_000_000).contains(installations)
        else { throw damaged }
        self.installations = Int(installations)
        if let value = fields["applicationContainer"] {
            guard case .string(let container) = value, DiskPath.isFolderName(container) else { throw damaged }
            applicationContainer = container
        }
        for (path, value) in files {
            guard case .dictionary(let file) = value, case .string(let name)? = file["protection"],
                let protection = FileProtection(rawValue: name), case .bool(let isExcluded)? = file["isExcludedFromBackup"]
            else { throw damaged }
            var attributes: [String: Data] = [:]
            if let value = file["extendedAttributes"] {
                guard case .dictionary(let values) = value else { throw damaged }
                for (name, value) in values {
                    guard case .data(let bytes) = value else { throw damaged }
                    attributes[name] = bytes
                }
            }
            self.files[path] = File(protection: protection, isExcludedFromBackup: isExcluded, extendedAttributes: attributes)
        }
    }

    func encoded() throws -> Data {
        var fields: [String: PropertyListValue] = [
            "version": .integer(1),
            "installations": .integer(Int64(installations)),
            "files": .dictionary(
                files.mapValues { file in
                    var fields: [String: PropertyListValue] = [
                        "protection": .string(file.protection.rawValue), "isExcludedFromBackup": .bool(file.isExcludedFromBackup),
                    ]
                    if !file.extendedAttributes.isEmpty {
                        fields["extendedAttributes"] = .dictionary(file.extendedAttributes.mapValues { .data($0) })
                    }
                    return .dictionary(fields)
                }),
        ]
        if let applicationContainer { fields["applicationContainer"] = .string(applicationContainer) }
        return try PropertyListValue.dictionary(fields).encoded(as: .xml)
    }
}

/// The bytes that lie on a device at one moment, gathered once so that many byte strings can be looked for.
///
/// Nothing is decoded: what is stored as text is found as UTF-8.
package struct StoredContents {
    /// Where the bytes are, such as `file Documents/x`, `preference com.example.app key`, `keychain service/account`.
    private(set) var entries: [(place: String, bytes: Data)] = []
    /// All of them after each other: what is not in there is in none, and most of what is looked for is in none.
    private var all = Data()

    mutating func add(_ bytes: Data, at place: String) {
        guard !bytes.isEmpty else { return }
        entries.append((place, bytes))
        all.append(bytes)
    }

    package func adding(_ bytes: Data, at place: String) -> StoredContents {
        var contents = self
        contents.add(bytes, at: place)
        return contents
    }

    /// Each place that holds the byte string, once, in the order in which they were added.
    package func places(containing needle: Data) -> [String] {
        guard !needle.isEmpty, all.holds(needle) else { return [] }
        var places: [String] = []
        for (place, bytes) in entries where places.last != place && bytes.holds(needle) { places.append(place) }
        return places
    }
}

extension Data {
    /// Whether a byte string occurs in it. Searches are where checked runs spent a quarter of their time with Foundation's `range(of:)`.
    package func holds(_ needle: Data) -> Bool {
        guard needle.count <= count else { return false }
        return withUnsafeBytes { bytes in
            needle.withUnsafeBytes { needle in
                guard var place = bytes.baseAddress, let wanted = needle.baseAddress, let first = needle.first, let end = needle.last else {
                    return true
                }
                let last = place + (bytes.count - needle.count)
                while place <= last, let next = memchr(place, Int32(first), place.distance(to: last) + 1) {
                    // Where one byte is found, the other end mostly tells without more comparing.
                    if next.load(fromByteOffset: needle.count - 1, as: UInt8.self) == end, memcmp(next, wanted, needle.count) == 0 {
                        return true
                    }
                    place = UnsafeRawPointer(next) + 1
                }
                return false
            }
        }
    }
}
