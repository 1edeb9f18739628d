import Foundation

/// A place in a snapshot that is being read, so that an error can name it.
struct SnapshotReading {
    let value: PropertyListValue
    let path: String

    init(value: PropertyListValue, path: String) {
        self.value = value
        self.path = path
    }

    /// - Throws: ``StorageError/Code/invalidSnapshot`` for what is no property list, naming the place.
    init(validating any: Any, path: String) throws {
        do {
            self.init(value: try PropertyListValue(validating: any), path: path)
        } catch let error as PropertyListValueError {
            let place = error.keyPath.isEmpty ? path : "\(path).\(error.keyPath)"
            throw StorageError(.invalidSnapshot, operation: "sync", facts: ["\(place): \(error.problem)"])
        }
    }

    func problem(_ key: String?, _ problem: String) -> StorageError {
        let place = key.map { "\(path).\($0)" } ?? path
        return StorageError(.invalidSnapshot, operation: "sync", facts: ["\(place): \(problem)"])
    }

    func optional(_ key: String) throws -> SnapshotReading? {
        guard case .dictionary(let members) = value else { throw problem(nil, "not a dictionary") }
        return members[key].map { SnapshotReading(value: $0, path: "\(path).\(key)") }
    }

    func member(_ key: String) throws -> SnapshotReading {
        guard let member = try optional(key) else { throw problem(key, "missing") }
        return member
    }

    /// All members, sorted, so that of several malformed ones the same one is always named.
    func members() throws -> [(name: String, reading: SnapshotReading)] {
        guard case .dictionary(let members) = value else { throw problem(nil, "not a dictionary") }
        return members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { ($0.key, SnapshotReading(value: $0.value, path: "\(path).\($0.key)")) }
    }

    func text(_ key: String) throws -> String {
        let member = try member(key)
        guard case .string(let text) = member.value else { throw member.problem(nil, "not a string") }
        return text
    }

    func counter(_ key: String) throws -> UInt64 {
        let member = try member(key)
        guard case .integer(let integer) = member.value, let counter = UInt64(exactly: integer) else {
            throw member.problem(nil, "not a whole number from 0")
        }
        return counter
    }

    /// The version of a form: 1 where it is missing, as in what earlier versions of LocalData sent.
    func schemaVersion() throws -> Int {
        guard let member = try optional("schema") else { return 1 }
        guard case .integer(let integer) = member.value, let version = Int(exactly: integer), StorageRouter.schemaVersions ~= version else {
            throw member.problem(nil, "not the version of a form")
        }
        return version
    }

    /// A flag, false where it is missing.
    func flag(_ key: String) throws -> Bool {
        guard let member = try optional(key) else { return false }
        guard case .bool(let flag) = member.value else { throw member.problem(nil, "not a Boolean") }
        return flag
    }

    func data() throws -> Data {
        guard case .data(let data) = value else { throw problem(nil, "not data") }
        return data
    }

    func texts() throws -> [String] {
        guard case .array(let values) = value else { throw problem(nil, "not an array") }
        return try values.enumerated().map { index, element in
            guard case .string(let text) = element else { throw problem("[\(index)]", "not a string") }
            return text
        }
    }
}
