import Foundation

/// A way to bring a key's value from where earlier versions of the app left it.
///
/// Attach one to a key with ``StorageKey/migration``. It runs alone among all operations on the key: when ``StorageRouter/get(_:)`` finds nothing, in
/// the sweep of ``StorageRouter/registerCatalog(_:migrateImmediately:)``, and by ``StorageRouter/forceMigration(for:)``. It may use the router, also for
/// the key itself; what it sets counts as migrated (``ChangeOrigin/migration``), and the keys that it reads need not be registered.
///
/// An extension of the app runs none. What LocalData's own migrations would make of the sources it reads; what one of the app's own would bring is absent there until
/// the app has run.
public protocol StorageMigration: Sendable {
    /// The key that carries the migration.
    associatedtype DestinationKey: StorageKey

    /// Where values are brought to: the key that carries the migration, usually `self`.
    var destinationKey: DestinationKey { get }
    /// The places that this migration brings values from. ``StorageRouter/remove(_:)`` clears them too, so that a removed value does not come back.
    /// What a registered key has there, or is yet to get from there, stays; the removal then leaves a durable mark.
    ///
    /// Defaults to none. A removal then leaves a durable mark instead, and only ``StorageRouter/forceMigration(for:)`` runs the migration again, since nobody
    /// knows whether it would bring what was removed.
    var sourceKeys: [AnyStorageKey] { get }
    /// Whether there is anything to do. Runs before every ``migrate(using:context:)``; must write nothing.
    func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool
    /// Does it: copy, read back, then delete the source. Must converge when it is run again after a crash at any point.
    func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult
}

extension StorageMigration {
    public var sourceKeys: [AnyStorageKey] { [] }
}

/// A migration without its static type, as keys carry it.
public struct AnyStorageMigration: Sendable {
    /// The migration itself. Open it with a generic function.
    public let base: any StorageMigration

    /// Wraps a migration, as a key's ``StorageKey/migration`` returns it.
    public init(_ migration: some StorageMigration) {
        base = migration
    }
}

/// What LocalData's own kinds of migration can say beyond ``StorageMigration``.
protocol PlannedMigration: StorageMigration {
    /// The state of an absent or present destination. Writes nothing. Runs in the key's turn.
    func plannedState(using router: StorageRouter, context: MigrationContext) async throws -> MigrationStep.State
    /// Whether ``StorageMigration/sourceKeys`` are the same whenever they are asked for.
    var hasFixedSources: Bool { get }
    /// The sources that a removal of the destination clears. Where there are none, it leaves a mark.
    func clearableSources(in context: MigrationContext) -> [AnyStorageKey]
    /// What the migration makes of values that lie nowhere, such as those that the counterpart's older app sent, as the destination serializes it;
    /// `nil` where it makes nothing of them.
    func converted(_ sources: MigrationSources, in context: MigrationContext) throws -> Data?
    /// What the migration makes of the values at its sources, as the destination serializes it; `nil` where it makes nothing of them.
    func made(of sources: MigrationSources, in context: MigrationContext) throws -> Data?
    /// Whether the new value is the old one, in another form at most.
    var keepsValues: Bool { get }
}

extension StorageMigration {
    /// Whether code of the app runs in it that may use the router, from tasks of its own as well.
    var isOfApp: Bool { (self as? any PlannedMigration)?.hasFixedSources != true }
}

extension PlannedMigration {
    var hasFixedSources: Bool { true }
    var keepsValues: Bool { false }

    func made(of sources: MigrationSources, in context: MigrationContext) throws -> Data? { try converted(sources, in: context) }
}

/// The circumstances of a migration, for conditions on them.
public struct MigrationContext: Sendable, Hashable {
    /// The version of the running app.
    public let appVersion: String
    /// The device that the migration runs on.
    public let deviceInfo: DeviceInfo
    /// The operating system that the migration runs on.
    public let systemInfo: SystemInfo
    /// The wall-clock time at which the migration began.
    public let date: Date

    /// Circumstances made up for a test of a condition or of a migration; LocalData makes its own.
    public init(appVersion: String, deviceInfo: DeviceInfo, systemInfo: SystemInfo, date: Date) {
        self.appVersion = appVersion
        self.deviceInfo = deviceInfo
        self.systemInfo = systemInfo
        self.date = date
    }
}

/// A version such as `2.0.1`, for comparing. What follows the numbers, such as a build, does not count, and missing numbers count as 0. Numbers have 64 bits
/// on every device, also where an `Int` has 32; a greater one counts as the greatest.
struct VersionNumber: Sendable, Comparable {
    private let components: [UInt64]

    /// - Returns: `nil` for what does not begin with a number.
    init?(_ text: String) {
        var components: [UInt64] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            let digits = part.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !digits.isEmpty else { break }
            components.append(UInt64(String(decoding: digits, as: UTF8.self)) ?? .max)
            if digits.count < part.utf8.count { break }
        }
        guard !components.isEmpty else { return nil }
        while components.last == 0 { components.removeLast() }
        self.components = components
    }

    static func < (lhs: VersionNumber, rhs: VersionNumber) -> Bool { lhs.components.lexicographicallyPrecedes(rhs.components) }
}
