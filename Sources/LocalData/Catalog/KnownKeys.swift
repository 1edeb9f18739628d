/// The names that registered keys account for: their own, and those of the places that they migrate from.
struct KnownKeys {
    private struct Place: Hashable {
        let identity: String
        let name: String
    }

    private var named: Set<Place> = []
    private var patterns: [(identity: String, pattern: KeyNamePattern)] = []
    private(set) var names: Set<String> = []
    private(set) var locations: Set<String> = []
    /// Where registered keys and their sources lie.
    private(set) var places: Set<AuditPlace> = []

    private let environment: StorageEnvironment
    /// The same for all spellings of one place.
    private let identity: (AuditPlace) -> String

    init(_ entries: [CatalogRegistry.Entry], in environment: StorageEnvironment, identity: @escaping (AuditPlace) -> String) {
        self.environment = environment
        self.identity = identity
        for entry in entries {
            add(name: entry.descriptor.name, domain: entry.descriptor.domain, security: entry.descriptor.security)
            if let key = entry.key?.base { addSources(of: key, depth: 0) }
        }
    }

    private mutating func addSources(of key: any StorageKey, depth: Int) {
        // Chains of migrations are short, and may be circles.
        guard depth < 16 else { return }
        for source in key.migration?.base.sourceKeys.map(\.base) ?? [] {
            add(name: source.name, domain: source.domain, security: source.security)
            addSources(of: source, depth: depth + 1)
        }
    }

    private mutating func add(name: String, domain: StorageDomain, security: SecurityPolicy) {
        let place = AuditPlace(domain)
        places.insert(place)
        let identity = identity(place)
        named.insert(Place(identity: identity, name: name))
        names.insert(name)
        if let pattern = KeyNamePattern(name) { patterns.append((identity, pattern)) }
        guard let location = try? StorageLocation(name: name, domain: domain, security: security) else { return }
        locations.insert(location.identity)
        if let exact = try? location.recordIdentity(in: environment).exact { locations.insert(exact) }
    }

    /// Whether a value of that name in that place belongs to one of the keys.
    func accountFor(_ name: String, in place: AuditPlace) -> Bool {
        let identity = identity(place)
        return named.contains(Place(identity: identity, name: name))
            || patterns.contains { $0.identity == identity && $0.pattern.matches(name) }
    }

    /// Whether one of the keys is called so, wherever it lies.
    func include(_ name: String) -> Bool { names.contains(name) || patterns.contains { $0.pattern.matches(name) } }

    /// Whether one of the keys lies there, by the location's identity.
    func include(location: String) -> Bool {
        locations.contains(location) || patterns.contains { $0.pattern.matches(String(location.split(separator: "/").last ?? "")) }
    }
}

/// A place that holds values of several keys and can be listed.
enum AuditPlace: Hashable {
    case directory(FileDirectory, group: String?)
    case service(String?)
    case suite(DefaultsSuite)

    init(_ domain: StorageDomain) {
        switch domain {
        case .fileSystem(let directory), .encryptedFileSystem(let directory): self = .directory(directory, group: nil)
        case .appGroupFileSystem(let group, let directory): self = .directory(directory, group: group)
        case .keychain(let service): self = .service(service)
        case .userDefaults(let suite): self = .suite(suite.map { .named($0) } ?? .standard)
        case .appGroupUserDefaults(let group): self = .suite(.appGroup(group))
        }
    }

    var auditText: String {
        switch self {
        case .directory(let directory, nil): StorageDomain.fileSystem(directory: directory).auditText
        case .directory(let directory, let group?): StorageDomain.appGroupFileSystem(identifier: group, directory: directory).auditText
        case .service(let service): StorageDomain.keychain(service: service).auditText
        case .suite(let suite): suite.domain.auditText
        }
    }
}
