import LocalData

/// A key that a scenario's steps speak of: declared in the file, or of a catalog that an embedding test registered.
public struct ScenarioKey: Sendable {
    /// What the file calls it.
    public let identifier: String
    public let type: ScenarioType
    public let origin: Origin
    public let range: SourceRange

    public enum Origin: Sendable {
        case declared(KeyDeclaration)
        case registered(catalog: String, AnyStorageKey)
    }

    public init(identifier: String, type: ScenarioType, origin: Origin, range: SourceRange) {
        self.identifier = identifier
        self.type = type
        self.origin = origin
        self.range = range
    }

    /// The stored name.
    public var name: String {
        switch origin {
        case .declared(let declaration): declaration.name
        case .registered(_, let key): key.name
        }
    }

    public var availability: PlatformAvailability {
        switch origin {
        case .declared(let declaration): declaration.availability
        case .registered(_, let key): key.availability
        }
    }

    public var syncPolicy: SyncPolicy {
        switch origin {
        case .declared(let declaration): declaration.syncPolicy
        case .registered(_, let key): key.syncPolicy
        }
    }

    /// The declaration, if the file has it.
    public var declaration: KeyDeclaration? {
        if case .declared(let declaration) = origin { declaration } else { nil }
    }
}

extension ScenarioKey: Hashable {
    /// Registered keys are equal if their catalogs and names are.
    public static func == (lhs: ScenarioKey, rhs: ScenarioKey) -> Bool {
        guard lhs.identifier == rhs.identifier, lhs.type == rhs.type else { return false }
        switch (lhs.origin, rhs.origin) {
        case (.declared(let first), .declared(let second)): return first == second
        case (.registered(let first, let key), .registered(let second, let other)): return first == second && key.name == other.name
        default: return false
        }
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// A key as the steps of one scenario refer to it.
public struct KeyReference: Sendable, Hashable {
    /// Its place in ``Scenario/keys``.
    public let index: Int
    public let identifier: String

    public init(index: Int, identifier: String) {
        self.index = index
        self.identifier = identifier
    }
}

/// What a `key` block of a scenario file declares.
public struct KeyDeclaration: Sendable, Hashable {
    public var name: String
    public var domain: StorageDomain
    public var security: SecurityPolicy
    public var serializer: SerializerKind
    public var owner: String
    public var description: String
    public var availability: PlatformAvailability
    public var syncPolicy: SyncPolicy
    public var migration: MigrationSource?
    /// The catalog that lists it; `nil`: none, so that its use is unregistered.
    public var catalog: String?
    /// The app versions whose catalogs have it, from and up to and including these.
    public var since: AppVersion?
    public var until: AppVersion?

    public init(name: String) {
        self.name = name
        domain = .userDefaults(suite: nil)
        security = .recommended
        serializer = .json
        owner = "Scenario"
        description = name
        availability = .all
        syncPolicy = .never
        catalog = KeyDeclaration.defaultCatalog
    }

    public static let defaultCatalog = "Scenario"

    /// Whether the catalogs of that version of the app list the key.
    public func exists(in version: AppVersion) -> Bool {
        (since.map { version >= $0 } ?? true) && (until.map { version <= $0 } ?? true)
    }

    public enum SerializerKind: Sendable, Hashable {
        case json
        case plist
        case data
        /// Encodes as JSON, under a name of its own.
        case custom(String)
    }

    /// Where the value of an earlier version lies: a `SimpleLegacyMigration`.
    public enum MigrationSource: Sendable, Hashable {
        case key(KeyReference)
        /// A place nobody declares any more. Unsecured and serialized like the key itself.
        case place(name: String, domain: StorageDomain)
    }
}

/// The type of a key's values.
public indirect enum ScenarioType: Sendable, Hashable {
    case string, int, double, bool, data, date
    case array(ScenarioType)
    /// Anything JSON can say: `AnyCodable`.
    case any
    /// The type of a registered key that is none of these. Values are JSON that the type decodes from.
    case codable(String)
}

extension ScenarioType: CustomStringConvertible {
    /// As the file writes it.
    public var description: String {
        switch self {
        case .string: "String"
        case .int: "Int"
        case .double: "Double"
        case .bool: "Bool"
        case .data: "Data"
        case .date: "Date"
        case .array(let element): "[\(element)]"
        case .any: "Any"
        case .codable(let name): name
        }
    }
}
