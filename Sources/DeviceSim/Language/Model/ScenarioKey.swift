import LocalData

/// A key that a scenario's steps speak of: declared in the file, or of a catalog that an embedding test registered.
public struct ScenarioKey: Sendable {
    /// What the file calls it.
    public let identifier: String
    /// The type of its values.
    public let type: ScenarioType
    /// Where the key comes from.
    public let origin: Origin
    /// Where the file declares or names it.
    public let range: SourceRange

    /// Where a key comes from. Indirect: keys are passed around far more often than looked into, and a declaration is large.
    public indirect enum Origin: Sendable {
        /// A `key` block of the file.
        case declared(KeyDeclaration)
        /// A catalog that an embedding test registered.
        case registered(catalog: String, AnyStorageKey)
    }

    /// A key under the name that steps use.
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

    /// As its declaration says.
    public var availability: PlatformAvailability {
        switch origin {
        case .declared(let declaration): declaration.availability
        case .registered(_, let key): key.availability
        }
    }

    /// As its declaration says.
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
    /// The name that the file uses.
    public let identifier: String

    /// A reference to the key at that place of ``Scenario/keys``.
    public init(index: Int, identifier: String) {
        self.index = index
        self.identifier = identifier
    }
}
