import Foundation

/// The places where LocalData has kept values and to which no listing leads: suites of preferences, App Groups, custom directories, keychain services.
/// An audit looks into them also when no registered key lies there any more.
///
/// A place is noted, durably, when a catalog that has a key there is registered and before a value is first stored there. Noting never stands in the way of
/// a value: where the list cannot be written, as on a full disk, the next occasion does it.
/// - Note: `@unchecked Sendable`: the state is only touched under the lock.
final class PlaceRecord: @unchecked Sendable {
    /// In LocalData's folder. Backed up with it, as what lies in those places may be.
    static let file = "places.json"
    static let version: Int64 = 1

    private let environment: StorageEnvironment
    private let files: FileStorageHelper
    private let isNoting: Bool
    private let lock = NSLock()
    /// What the list says.
    private var known: (places: Set<NotedPlace>, lacksSome: Bool)?

    /// - Parameter isNoting: Whether places are noted: not by what plants values as an earlier version of LocalData left them.
    init(environment: StorageEnvironment, files: FileStorageHelper, isNoting: Bool) {
        self.environment = environment
        self.files = files
        self.isNoting = isNoting
    }

    /// Adds the places of some domains to the list, unless they are always looked into.
    func note(_ domains: [StorageDomain]) {
        let new = Set(domains.compactMap { NotedPlace(AuditPlace($0), in: environment) })
        guard isNoting, !new.isEmpty else { return }
        lock.lock()
        defer { lock.unlock() }
        // What cannot be read for now must not be replaced by less.
        guard var list = known ?? (try? stored()) else { return }
        known = list
        guard !new.isSubset(of: list.places) else { return }
        list.places.formUnion(new)
        do {
            try files.writeInternal(Self.encoded(list.places, lacksSome: list.lacksSome), name: Self.file)
            known = list
        } catch {}
    }

    /// The noted places, in a fixed order.
    /// - Throws: ``StorageError`` if the list cannot be read for now, is damaged, or is of a newer format.
    func places() throws -> [AuditPlace] { try list().places }

    /// The noted places, in a fixed order, and whether there were others: in a list that was damaged, and had to begin anew.
    /// - Throws: As ``places()``.
    func list() throws -> (places: [AuditPlace], lacksSome: Bool) {
        guard let data = try files.readInternal(name: Self.file) else { return ([], false) }
        let list = try Self.decoded(data)
        return (list.places.sorted(by: NotedPlace.isBefore).compactMap { $0.auditPlace(in: environment) }, list.lacksSome == true)
    }

    /// What is stored; a damaged list begins anew, and says so for good: what is decided by where values may lie must not take it for all of them.
    private func stored() throws -> (Set<NotedPlace>, lacksSome: Bool) {
        guard let data = try files.readInternal(name: Self.file) else { return ([], false) }
        do {
            let list = try Self.decoded(data)
            return (Set(list.places), list.lacksSome == true)
        } catch let error as StorageError where error.code == .corrupt {
            return ([], true)
        }
    }

    private struct List: SyncFileContent {
        var version = PlaceRecord.version
        var places: [NotedPlace]
        /// Whether it took the place of a damaged one. Earlier versions of LocalData know nothing of it.
        var lacksSome: Bool?

        init?(canonical reader: inout CanonicalJSONReader) {
            places = []
            guard reader.skip("{\"places\":[") else { return nil }
            while !reader.skip("]") {
                guard places.isEmpty || reader.skip(","), let place = NotedPlace(canonical: &reader) else { return nil }
                places.append(place)
            }
            guard reader.skip(",\"version\":"), let version = reader.number(), reader.skip("}") else { return nil }
            self.version = Int64(clamping: version)
        }
    }

    /// One line of JSON with sorted keys.
    private static func encoded(_ places: Set<NotedPlace>, lacksSome: Bool) -> Data {
        let list = places.sorted(by: NotedPlace.isBefore).map(\.encoded).joined(separator: ",")
        return Data("{\(lacksSome ? "\"lacksSome\":true," : "")\"places\":[\(list)],\"version\":\(version)}".utf8)
    }

    /// Whether the bytes are a list of places that this version of LocalData reads.
    static func isList(_ data: Data) -> Bool { (try? decoded(data)) != nil }

    private static func decoded(_ data: Data) throws -> List {
        try SyncFile.decode(List.self, from: data, version: version, what: "list of places")
    }
}

/// A place as it is stored. Paths are relative to the container, which is another one after a restore.
struct NotedPlace: Decodable, Hashable {
    enum Kind: String, Decodable {
        case suite, group, service, directory, groupDirectory
    }

    private enum Base: String, Decodable {
        case documents, caches
        /// The folder that Documents lies in.
        case container
        case support
        case absolute
    }

    var kind: Kind
    /// Of a suite, a group or a service.
    var name: String?
    private var base: Base?
    private var path: String?

    /// `nil` for a place that is always looked into.
    init?(_ place: AuditPlace, in environment: StorageEnvironment) {
        switch place {
        case .suite(.standard), .service(nil), .directory(.documents, group: nil), .directory(.caches, group: nil): return nil
        case .suite(.named(let suite)):
            guard suite != environment.device.bundleIdentifier else { return nil }
            (kind, name) = (.suite, suite)
        case .suite(.appGroup(let group)): (kind, name) = (.group, group)
        case .service(let service?):
            guard service != environment.device.bundleIdentifier else { return nil }
            (kind, name) = (.service, service)
        case .directory(let directory, let group):
            kind = group == nil ? .directory : .groupDirectory
            name = group
            switch directory {
            case .documents: base = .documents
            case .caches: base = .caches
            case .custom:
                guard let custom = directory.customPath, let place = Self.relative(custom, group: group, in: environment) else {
                    return nil
                }
                (base, path) = place
            }
        }
    }

    /// A place as ``PlaceRecord`` writes it; `nil` for everything else, which `Decodable` then judges.
    init?(canonical reader: inout CanonicalJSONReader) {
        var isFirst = true
        /// - Returns: `.some(nil)` for a member that is not there.
        func member(_ name: StaticString, _ nameAfterComma: StaticString) -> String?? {
            guard reader.skip(isFirst ? name : nameAfterComma) else { return .some(nil) }
            isFirst = false
            return reader.text().map { .some($0) }
        }
        guard reader.skip("{"), let base = member("\"base\":", ",\"base\":"), let kind = member("\"kind\":", ",\"kind\":"),
            let name = member("\"name\":", ",\"name\":"), let path = member("\"path\":", ",\"path\":"), reader.skip("}"),
            let kind = kind.flatMap(Kind.init(rawValue:)), base == nil || base.flatMap(Base.init(rawValue:)) != nil
        else { return nil }
        self.kind = kind
        (self.name, self.base, self.path) = (name, base.flatMap(Base.init(rawValue:)), path)
    }

    var encoded: String {
        let members = [("base", base?.rawValue), ("kind", kind.rawValue), ("name", name), ("path", path)]
        return "{" + members.compactMap { name, text in text.map { "\"\(name)\":\(JSONText.quoted($0))" } }.joined(separator: ",") + "}"
    }

    func auditPlace(in environment: StorageEnvironment) -> AuditPlace? {
        switch kind {
        case .suite: return name.map { .suite(.named($0)) }
        case .group: return name.map { .suite(.appGroup($0)) }
        case .service: return name.map { .service($0) }
        case .directory, .groupDirectory:
            guard (kind == .directory) == (name == nil) else { return nil }
            switch base {
            case .documents?: return .directory(.documents, group: name)
            case .caches?: return .directory(.caches, group: name)
            case let base?:
                guard let path, let root = Self.path(of: base, group: name, in: environment) else { return nil }
                return .directory(.custom(URL(fileURLWithPath: root + path, isDirectory: true)), group: name)
            case nil: return nil
            }
        }
    }

    private static func relative(_ path: String, group: String?, in environment: StorageEnvironment) -> (Base, String)? {
        for base in group == nil ? [Base.support, .container, .absolute] : [.container] {
            guard let root = Self.path(of: base, group: group, in: environment) else { continue }
            if path == root || path.hasPrefix(root + "/") { return (base, String(path.dropFirst(root.count))) }
        }
        return nil
    }

    private static func path(of base: Base, group: String?, in environment: StorageEnvironment) -> String? {
        let files = environment.fileSystem
        if let group { return base == .container ? try? files.path(of: .appGroup(group)) : nil }
        switch base {
        case .support: return try? files.path(of: .applicationSupport)
        case .container: return (try? files.path(of: .documents)).map(FilePath.parent(of:))
        case .absolute: return ""
        case .documents, .caches: return nil
        }
    }

    static func isBefore(_ one: NotedPlace, _ other: NotedPlace) -> Bool {
        func text(_ place: NotedPlace) -> String {
            [place.kind.rawValue, place.name ?? "", place.base?.rawValue ?? "", place.path ?? ""].joined(separator: "\n")
        }
        return text(one).utf8.lexicographicallyPrecedes(text(other).utf8)
    }
}
