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
