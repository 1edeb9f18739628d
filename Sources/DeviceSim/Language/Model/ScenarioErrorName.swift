import LocalData
import WatchConnectivity

/// An error as scenario files name it: LocalData's or the session's. The names of the three groups do not overlap.
public enum ScenarioErrorName: Sendable, Hashable {
    /// A `StorageError`, by its code.
    case storage(StorageError.Code)
    /// A `MigrationError`, by its case.
    case migration(MigrationErrorName)
    /// A `WCError`, by its code.
    case session(WCError.Code)

    /// The cases of `MigrationError`, by name.
    public enum MigrationErrorName: String, Sendable, Hashable, CaseIterable {
        /// Not possible for now.
        case deferred
        /// What was written did not read back.
        case verificationFailed
        /// The old value does not convert.
        case transformFailed
        /// The sources contradict each other.
        case conflictingSources
    }

    /// All of them, in the order in which lists show them.
    public static let allCases: [ScenarioErrorName] =
        StorageError.Code.allCases.map(Self.storage) + MigrationErrorName.allCases.map(Self.migration)
        + WCError.Code.allCases.map(Self.session)

    /// As a scenario file writes it.
    public var name: String {
        switch self {
        case .storage(let code): code.rawValue
        case .migration(let name): name.rawValue
        case .session(let code): code.name
        }
    }

    /// The error of that name; `nil` where there is none.
    public init?(name: String) {
        guard let found = Self.byName[name] else { return nil }
        self = found
    }

    private static let byName = Dictionary(allCases.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}

extension ScenarioErrorName {
    /// The name of an error that was thrown; `nil` for one that scenarios have no name for.
    public init?(_ error: any Error) {
        switch error {
        case let error as StorageError: self = .storage(error.code)
        case let error as WCError: self = .session(error.code)
        case let error as MigrationError:
            switch error {
            case .deferred: self = .migration(.deferred)
            case .verificationFailed: self = .migration(.verificationFailed)
            case .transformFailed: self = .migration(.transformFailed)
            case .conflictingSources: self = .migration(.conflictingSources)
            case .storage(let error): self = .storage(error.code)
            }
        default: return nil
        }
    }
}
