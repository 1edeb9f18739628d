import Foundation

/// A list of an app's or module's keys, for registration, discovery and audits.
///
/// List the keys themselves in the instance property, to register and migrate them, or descriptors in the static one, to audit
/// them without instances; either may be left out.
public protocol StorageKeyCatalog: Sendable {
    /// The keys, for ``StorageRouter/registerCatalog(_:migrateImmediately:)``.
    var allKeys: [AnyStorageKey] { get }
    /// Descriptions of the keys, for `StorageAuditReport.renderText(for:)`.
    static var allKeys: [StorageKeyDescriptor] { get }
    /// Names the catalog in reports. Defaults to the type's name, without what it is nested in. Registering another list of the same type under the same name
    /// replaces the first: give each list its name.
    var name: String { get }
}

extension StorageKeyCatalog {
    public var allKeys: [AnyStorageKey] { [] }
    public static var allKeys: [StorageKeyDescriptor] { [] }
    public var name: String { String(describing: Self.self) }
}

/// What a key declares, for audits. Holds no value.
public struct StorageKeyDescriptor: Sendable, Hashable {
    /// Where an earlier version of the app left a key's value.
    public struct Source: Sendable, Hashable {
        /// The stored name, or a placeholder, as of the key itself.
        public var name: String
        /// Where the value was stored.
        public var domain: StorageDomain
        /// How it was secured.
        public var security: SecurityPolicy

        /// A place, for a description without a key.
        public init(name: String, domain: StorageDomain, security: SecurityPolicy = .recommended) {
            self.name = name
            self.domain = domain
            self.security = security
        }
    }

    /// The stored name. For names that are made at run time a placeholder, such as `draft_<id>`: each part in angle brackets stands for any text.
    public var name: String
    /// Where the value is stored: ``StorageKey/domain``.
    public var domain: StorageDomain
    /// How the value is secured today: ``StorageKey/security``.
    public var security: SecurityPolicy
    /// What earlier versions of the app declared, and what they stored is still read.
    public var formerSecurity: [SecurityPolicy]
    /// The serializer's name, such as `json`.
    public var serializer: String
    /// Who answers for the data: ``StorageKey/owner``.
    public var owner: String
    /// What the data is for, in words: ``StorageKey/description``.
    public var description: String
    /// The devices that the data exists on: ``StorageKey/availability``.
    public var availability: PlatformAvailability
    /// Whether the value travels to the counterpart: ``StorageKey/syncPolicy``, as declared; a choice at run time is not in it.
    public var syncPolicy: SyncPolicy
    /// What becomes of a sealed value whose master key is gone: ``StorageKey/missingKeyPolicy``.
    public var missingKeyPolicy: MissingKeyPolicy
    /// See ``StorageKey/accessGroup``.
    public var accessGroup: String?
    /// The Swift type of the values, such as `String`.
    public var valueType: String
    /// Whether the key says where earlier versions of the app left its value.
    public var hasMigration: Bool
    /// Where that is: the sources of its migration, and those that they are brought over from. What lies there is no orphan.
    public var sources: [Source]
    /// What else there is to say, such as how a name is generated.
    public var notes: String?

    /// A description without a key, for a static catalog. Where there is an instance of the key, ``from(_:serializer:notes:)`` repeats
    /// nothing.
    public init(
        name: String, domain: StorageDomain, security: SecurityPolicy = .recommended, formerSecurity: [SecurityPolicy] = [],
        serializer: String, owner: String, description: String, availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never,
        missingKeyPolicy: MissingKeyPolicy = .report, accessGroup: String? = nil, valueType: String, hasMigration: Bool = false,
        sources: [Source] = [], notes: String? = nil
    ) {
        self.name = name
        self.domain = domain
        self.security = security
        self.formerSecurity = formerSecurity
        self.serializer = serializer
        self.owner = owner
        self.description = description
        self.availability = availability
        self.syncPolicy = syncPolicy
        self.missingKeyPolicy = missingKeyPolicy
        self.accessGroup = accessGroup
        self.valueType = valueType
        self.hasMigration = hasMigration || !sources.isEmpty
        self.sources = sources
        self.notes = notes
    }
}

extension StorageKeyDescriptor {
    /// Describes a key.
    /// - Parameters:
    ///   - key: The key whose declaration is described.
    ///   - serializer: The name to show; `nil` is the one the serializer has.
    ///   - notes: What else there is to say, such as how a name is generated.
    public static func from<Key: StorageKey>(_ key: Key, serializer: String? = nil, notes: String? = nil) -> StorageKeyDescriptor {
        let migration = key.migration?.base
        let sources = migration?.sourceKeys.withTheirSources ?? []
        return StorageKeyDescriptor(
            name: key.name, domain: key.domain, security: key.security, formerSecurity: key.formerSecurity,
            serializer: serializer ?? key.serializer.name, owner: key.owner, description: key.description, availability: key.availability,
            syncPolicy: key.syncPolicy, missingKeyPolicy: key.missingKeyPolicy, accessGroup: key.accessGroup,
            valueType: TypeNames.name(of: Key.Value.self), hasMigration: migration != nil,
            sources: sources.map { Source(name: $0.name, domain: $0.domain, security: $0.security) }, notes: notes)
    }

    /// Describes a key as catalogs list it.
    public init(_ key: AnyStorageKey) {
        self = .from(key.base)
    }

    /// Whether the name stands for names that are made at run time.
    public var isPlaceholder: Bool { KeyNamePattern(name) != nil }
}

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
            if let key = entry.key?.base {
                addSources(of: key, depth: 0)
            } else {
                for source in entry.descriptor.sources { add(name: source.name, domain: source.domain, security: source.security) }
            }
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
        if let identity = try? location.recordIdentity(in: environment) { locations.formUnion(identity.allExact) }
    }

    /// Whether a value of that name in that place belongs to one of the keys.
    func accountFor(_ name: String, in place: AuditPlace) -> Bool {
        let identity = identity(place)
        return named.contains(Place(identity: identity, name: name))
            || patterns.contains { $0.identity == identity && $0.pattern.matches(name) }
    }

    /// Whether a key whose names are made at run time may have that name there: nobody has looked at it by its name.
    func mayBeMade(_ name: String, in place: AuditPlace) -> Bool {
        guard patterns.contains(where: { $0.pattern.matches(name) }) else { return false }
        let identity = identity(place)
        return patterns.contains { $0.identity == identity && $0.pattern.matches(name) }
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

    /// Tells it from every other place. Written out: what the runtime makes of a case by looking into it costs a thousand times as much.
    var spelling: String {
        switch self {
        case .directory(let directory, let group): "directory \(directory.spelling) \(group ?? "")"
        case .service(let service): "service \(service.map { "of \($0)" } ?? "")"
        case .suite(.standard): "suite"
        case .suite(.named(let name)): "suite named \(name)"
        case .suite(.appGroup(let group)): "suite of group \(group)"
        }
    }
}

extension FileDirectory {
    fileprivate var spelling: String {
        if case .custom(let url) = self { url.absoluteString } else { kind }
    }
}

/// The names of types, kept: the runtime takes a demangler to each, and catalogs ask for them at every launch.
///
/// A type is named the same as long as the program runs, so nothing of it depends on the device.
enum TypeNames {
    private static let lock = NSLock()
    /// Only touched under the lock. As many as the program has types of values.
    nonisolated(unsafe) private static var names: [ObjectIdentifier: String] = [:]

    static func name(of type: Any.Type) -> String {
        lock.withLock {
            let identifier = ObjectIdentifier(type)
            if let known = names[identifier] { return known }
            let name = String(describing: type)
            names[identifier] = name
            return name
        }
    }

    /// Names that tell two types apart: with their modules, and what they are nested in, only where the plain names are the same.
    static func distinct(_ one: Any.Type, _ other: Any.Type) -> (String, String) {
        let plain = (name(of: one), name(of: other))
        return plain.0 == plain.1 ? (fullName(of: one), fullName(of: other)) : plain
    }

    /// Without the address by which the runtime names the file or the function that a type is private to: that is another in each process.
    private static func fullName(of type: Any.Type) -> String {
        String(reflecting: type).replacing(#/\(unknown context at \$[0-9a-f]+\)\./#, with: "")
    }
}
