import Foundation
import LocalData

/// A device's preferences: what the system's preferences daemon holds for the app, and what of it a power loss leaves.
///
/// A set is visible and handed over at once, so a crash of the app keeps it. It reaches the disk some seconds later by itself, with the next
/// ``synchronize(_:)`` (`Knobs.synchronizedPreferencesAreDurable`) or an orderly shutdown; until then a power loss may keep any prefix of a suite's recent sets, never a hole.
/// With ``files``, each suite is also a property list there, showing what is visible.
///
/// Confined to the simulation's thread.
final class SimulatedPreferences {
    /// Where a suite is: in the app's own container or in a group's.
    struct Place: Hashable, Comparable {
        /// `nil` for the app's own.
        let group: String?
        let name: String
        /// Of a suite that is no group's: whose it is.
        var part = AppPart.app

        static func < (lhs: Place, rhs: Place) -> Bool {
            (lhs.group ?? "", lhs.part.rawValue, lhs.name) < (rhs.group ?? "", rhs.part.rawValue, rhs.name)
        }
    }

    /// By place. A list, for there are few, and to compare two places costs less than to hash one.
    private struct Suites {
        private(set) var all: [(place: Place, suite: Suite)] = []

        var places: [Place] { all.map(\.place) }

        subscript(place: Place) -> Suite? {
            get { all.first { $0.place == place }?.suite }
            set {
                all.removeAll { $0.place == place }
                if let newValue { all.append((place, newValue)) }
            }
        }
    }

    private final class Suite {
        var values: [String: PropertyListValue] = [:]
        /// What can be lost: each key with what it was before and when it was set, oldest first.
        var recent: [(key: String, before: PropertyListValue?, time: VirtualTime)] = []
        /// With files: the bytes as they were last read or written.
        var savedBytes: Data?
    }

    private var suites = Suites()
    /// With real files: reads and writes a suite's property list.
    var files: PreferencesFiles?

    func value(forKey key: String, in place: Place) throws -> PropertyListValue? {
        try suite(place)?.values[key]
    }

    func set(_ value: PropertyListValue?, forKey key: String, in place: Place, at time: VirtualTime = .start) throws {
        let suite: Suite
        if let known = try self.suite(place) {
            suite = known
        } else {
            guard value != nil else { return }
            suite = Suite()
            suites[place] = suite
        }
        let before = suite.values[key]
        guard before != value else { return }
        suite.values[key] = value
        do {
            try save(suite, place)
        } catch {
            suite.values[key] = before
            throw error
        }
        suite.recent.append((key, before, time))
    }

    /// The system has written what was set until `time`, or before. Not called while there is no room.
    func writeOut(until time: VirtualTime) {
        for (_, suite) in suites.all {
            // In the order of their times: clocks of simulations do not go back.
            guard let first = suite.recent.first, first.time <= time else { continue }
            suite.recent.removeFirst(suite.recent.firstIndex { $0.time > time } ?? suite.recent.count)
        }
    }

    /// Sorted by UTF-8 bytes.
    func keys(in place: Place) throws -> [String] {
        try suite(place)?.values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } ?? []
    }

    /// Makes the recent sets of a suite durable.
    func synchronize(_ place: Place) throws {
        try suite(place)?.recent.removeAll(keepingCapacity: true)
    }

    func hasRecentSets(in place: Place) -> Bool { !(suites[place]?.recent.isEmpty ?? true) }

    /// Makes everything durable.
    func synchronizeAll() {
        for (_, suite) in suites.all { suite.recent.removeAll() }
    }

    func losePower(_ policy: PowerLossPolicy) throws {
        for place in suites.places.sorted() {
            guard let suite = try suite(place), !suite.recent.isEmpty else { continue }
            let count = suite.recent.count
            let kept: Int
            switch policy.decide(.preferences(suite: place.name, count: count)) {
            case .kept: kept = count
            case .dropped, .garbage: kept = 0
            case .torn(let first): kept = max(0, min(first, count))
            }
            for change in suite.recent[kept...].reversed() { suite.values[change.key] = change.before }
            suite.recent.removeAll()
            try save(suite, place)
        }
    }

    /// Removes the app's own suites, and those of `groups`.
    func removeAll(includingGroups groups: (String) -> Bool) {
        for place in suites.places.sorted() where place.group.map(groups) ?? true { suites[place] = nil }
    }

    /// The suites there are, each with its values, in order.
    func contents() throws -> [(place: Place, values: [String: PropertyListValue])] {
        let places = Set(suites.places).union(try files?.places() ?? [])
        return try places.sorted().compactMap { place in try suite(place).map { (place, $0.values) } }
    }

    // MARK: Files

    /// The suite, if there is one; with files, as somebody may have changed it.
    private func suite(_ place: Place) throws -> Suite? {
        guard let files else { return suites[place] }
        let known = suites[place]
        let bytes = try files.read(place)
        if bytes == known?.savedBytes, known != nil || bytes == nil { return known }
        guard let bytes else {
            suites[place] = nil
            return nil
        }
        let suite = Suite()
        suite.values = try files.decode(bytes, of: place)
        suite.savedBytes = bytes
        suites[place] = suite
        return suite
    }

    private func save(_ suite: Suite, _ place: Place) throws {
        guard let files else { return }
        suite.savedBytes = try files.write(suite.values, to: place)
    }
}

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
        case .file: return try folder.translating(path) { try folder.files.contents(of: folder.real(path)) }
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
        try folder.translating(path) { try folder.replace(String(path.dropFirst()), with: bytes) }
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
}
