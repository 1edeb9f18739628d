import Foundation
import LocalData

/// The property lists of a device's preferences, as real files in its containers.
struct PreferencesFiles {
    let folder: RealFolder
    /// The path of the folder `Library/Preferences` of a part of the app (`nil`) or of a group, on the simulated disk.
    let directory: (_ group: String?, AppPart) -> String
    /// The groups that have a container.
    let groups: () throws -> [String]

    private static let suffix = ".plist"

    private func path(of place: SimulatedPreferences.Place) -> String {
        directory(place.group, place.part) + "/" + place.name + Self.suffix
    }

    func read(_ place: SimulatedPreferences.Place) throws -> Data? {
        let path = path(of: place)
        switch try folder.kind(of: path) {
        case nil: return nil
        case .file: return try translating(path) { try folder.files.contents(of: folder.real(path)) }
        case .directory: throw FileSystemError(errno: EISDIR, operation: "read", path: path)
        case .link: throw FileSystemError(errno: ELOOP, operation: "open", path: path)
        case .other: throw FileSystemError(errno: EINVAL, operation: "read", path: path)
        }
    }

    func decode(_ bytes: Data, of place: SimulatedPreferences.Place) throws -> [String: PropertyListValue] {
        guard case .dictionary(let values)? = try? PropertyListValue(encoded: bytes) else {
            throw StorageError(.corrupt, facts: ["the property list of suite '\(place.name)' is damaged (\(bytes.count) bytes)"])
        }
        return values
    }

    /// - Returns: the bytes that were written.
    func write(_ values: [String: PropertyListValue], to place: SimulatedPreferences.Place) throws -> Data {
        let bytes = try PropertyListValue.dictionary(values).encoded()
        let path = path(of: place)
        try translating(path) { try folder.replace(String(path.dropFirst()), with: bytes) }
        return bytes
    }

    /// The suites that have a file.
    func places() throws -> [SimulatedPreferences.Place] {
        let owners: [(String?, AppPart)] = try AppPart.allCases.map { (nil, $0) } + groups().map { ($0, .app) }
        return try owners.flatMap { group, part in
            let directory = directory(group, part)
            guard case .directory? = try folder.kind(of: directory) else { return [SimulatedPreferences.Place]() }
            return try folder.files.list(folder.real(directory)).filter { $0.hasSuffix(Self.suffix) }.map {
                SimulatedPreferences.Place(group: group, name: String($0.dropLast(Self.suffix.count)), part: part)
            }
        }
    }

    private func translating<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as FileSystemError {
            throw FileSystemError(errno: error.errno, operation: error.operation, path: path)
        }
    }
}
