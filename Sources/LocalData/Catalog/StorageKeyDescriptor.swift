/// What a key declares, for audits. Holds no value.
public struct StorageKeyDescriptor: Sendable, Hashable {
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
    /// What else there is to say, such as how a name is generated.
    public var notes: String?

    /// A description without a key, for a static catalog. Where there is an instance of the key, ``from(_:serializer:notes:)`` repeats
    /// nothing.
    public init(
        name: String, domain: StorageDomain, security: SecurityPolicy = .recommended, formerSecurity: [SecurityPolicy] = [],
        serializer: String, owner: String, description: String, availability: PlatformAvailability = .all, syncPolicy: SyncPolicy = .never,
        missingKeyPolicy: MissingKeyPolicy = .report, accessGroup: String? = nil, valueType: String, hasMigration: Bool = false,
        notes: String? = nil
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
        self.hasMigration = hasMigration
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
        StorageKeyDescriptor(
            name: key.name, domain: key.domain, security: key.security, formerSecurity: key.formerSecurity,
            serializer: serializer ?? key.serializer.name, owner: key.owner, description: key.description, availability: key.availability,
            syncPolicy: key.syncPolicy, missingKeyPolicy: key.missingKeyPolicy, accessGroup: key.accessGroup,
            valueType: TypeNames.name(of: Key.Value.self), hasMigration: key.migration != nil,
            notes: notes)
    }

    /// Describes a key as catalogs list it.
    public init(_ key: AnyStorageKey) {
        self = .from(key.base)
    }

    /// Whether the name stands for names that are made at run time.
    public var isPlaceholder: Bool { KeyNamePattern(name) != nil }
}
