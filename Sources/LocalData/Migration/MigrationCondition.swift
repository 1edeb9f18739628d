import Foundation

/// When a ``ConditionalMigration`` is to run: a fact about the app, the device or the system, in words and as a function.
///
/// Versions are compared number by number (`2.10` is later than `2.9`); one that does not begin with a number meets no condition.
public struct MigrationCondition: Sendable, CustomStringConvertible {
    /// For plans and reports, such as `app version 2.0 or later`.
    public let description: String
    private let predicate: @Sendable (MigrationContext) -> Bool

    /// A condition of one's own.
    /// - Parameters:
    ///   - description: What must be so, in words. Plans show it.
    ///   - predicate: Must follow from the context alone.
    public init(_ description: String, _ predicate: @escaping @Sendable (MigrationContext) -> Bool) {
        self.description = description
        self.predicate = predicate
    }

    /// Whether the condition holds in these circumstances. Calls the predicate, which must have no effects.
    public func isMet(in context: MigrationContext) -> Bool { predicate(context) }
}

extension MigrationCondition {
    /// The running app has this version or a later one.
    public static func appVersion(atLeast version: String) -> MigrationCondition {
        MigrationCondition("app version \(version) or later") { isVersion($0.appVersion, atLeast: version) }
    }

    /// The running app has an earlier version than this.
    public static func appVersion(below version: String) -> MigrationCondition {
        MigrationCondition("app version below \(version)") { isVersion($0.appVersion, below: version) }
    }

    /// The device is of this family, such as `iPhone` or `Apple Watch` (see ``DeviceInfo/family``).
    public static func deviceFamily(_ family: String) -> MigrationCondition {
        MigrationCondition("device family \(family)") { $0.deviceInfo.family == family }
    }

    /// The system has this name, such as `iOS`, and this version or a later one.
    public static func system(_ name: String, atLeast version: String) -> MigrationCondition {
        MigrationCondition("\(name) \(version) or later") { context in
            context.systemInfo.name == name && isVersion(context.systemInfo.version, atLeast: version)
        }
    }

    /// Both conditions.
    public static func && (left: MigrationCondition, right: MigrationCondition) -> MigrationCondition {
        MigrationCondition("\(left) and \(right)") { left.isMet(in: $0) && right.isMet(in: $0) }
    }

    /// Either condition, or both.
    public static func || (left: MigrationCondition, right: MigrationCondition) -> MigrationCondition {
        MigrationCondition("(\(left) or \(right))") { left.isMet(in: $0) || right.isMet(in: $0) }
    }

    private static func isVersion(_ text: String, atLeast limit: String) -> Bool {
        guard let version = VersionNumber(text), let limit = VersionNumber(limit) else { return false }
        return version >= limit
    }

    private static func isVersion(_ text: String, below limit: String) -> Bool {
        guard let version = VersionNumber(text), let limit = VersionNumber(limit) else { return false }
        return version < limit
    }
}

/// Runs another migration where a condition holds: from a version of the app on, on one kind of device, on a system, or by a predicate of one's own.
///
/// Where it does not hold, the key is as if it had no migration: the old value stays where it is, untouched, and an absent new one is `notFound`. A
/// removal then leaves a durable mark instead of clearing the old value, which is still somebody's: this key's it never becomes. Where the condition holds, another
/// removal clears it.
public struct ConditionalMigration<Wrapped: StorageMigration>: StorageMigration {
    /// What must hold. Asked anew at each attempt.
    public let condition: MigrationCondition
    /// What runs where the condition holds.
    public let wrapped: Wrapped

    /// A migration that waits for a condition, such as `.appVersion(atLeast: "2.0")`.
    public init(when condition: MigrationCondition, _ wrapped: Wrapped) {
        self.condition = condition
        self.wrapped = wrapped
    }

    public var destinationKey: Wrapped.DestinationKey { wrapped.destinationKey }
    public var sourceKeys: [AnyStorageKey] { wrapped.sourceKeys }

    public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        guard condition.isMet(in: context) else { return false }
        return try await wrapped.shouldMigrate(using: router, context: context)
    }

    public func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        guard condition.isMet(in: context) else { return MigrationResult(success: true) }
        return try await wrapped.migrate(using: router, context: context)
    }
}

extension ConditionalMigration: PlannedMigration {
    var hasFixedSources: Bool { (wrapped as? any PlannedMigration)?.hasFixedSources ?? false }
    var keepsValues: Bool { (wrapped as? any PlannedMigration)?.keepsValues ?? false }

    func converted(_ sources: MigrationSources, in context: MigrationContext) throws -> Data? {
        guard condition.isMet(in: context) else { return nil }
        return try (wrapped as? any PlannedMigration)?.converted(sources, in: context)
    }

    func made(of sources: MigrationSources, in context: MigrationContext) throws -> Data? {
        guard condition.isMet(in: context) else { return nil }
        return try (wrapped as? any PlannedMigration)?.made(of: sources, in: context)
    }

    func plannedState(using router: StorageRouter, context: MigrationContext) async throws -> MigrationStep.State {
        guard condition.isMet(in: context) else { return .waiting(for: condition.description) }
        return try await router.engines.migration.plannedState(of: wrapped, context: context, using: router)
    }

    func clearableSources(in context: MigrationContext) -> [AnyStorageKey] {
        guard condition.isMet(in: context) else { return [] }
        return (wrapped as? any PlannedMigration)?.clearableSources(in: context) ?? sourceKeys
    }
}
