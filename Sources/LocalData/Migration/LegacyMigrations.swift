import Foundation

/// Moves the value of one legacy key to its new key: another name, domain, security or serializer.
///
/// The value is opened by the source's policy, secured by the destination's, read back and compared; only then is the source deleted. A value that the
/// destination has already is not overwritten, unless it is known to be older than the source's, and a source that is the destination's own file, reached
/// under another name, is not deleted: such a value is given the destination's form where it lies. A source with a ``StorageKey/migration`` of its own is first filled by that, so chains of versions work.
public struct SimpleLegacyMigration<DestinationKey: StorageKey>: StorageMigration {
    public let destinationKey: DestinationKey
    /// The key as the earlier version of the app declared it.
    public let sourceKey: AnyStorageKey

    /// - Parameter destinationKey: The key that carries the migration.
    /// - Parameter sourceKey: The key as the earlier version of the app declared it. It need not be in a catalog. Its values must be of the
    ///   destination's type, or serialized in a way that the destination's serializer reads.
    public init(destinationKey: DestinationKey, sourceKey: AnyStorageKey) {
        self.destinationKey = destinationKey
        self.sourceKey = sourceKey
    }

    public var sourceKeys: [AnyStorageKey] { [sourceKey] }

    public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        try await router.engines.migration.holdsLegacyValue(sourceKeys, for: destinationKey, context: context, using: router)
    }

    public func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        try await router.engines.migration.transfer(
            from: sourceKeys, to: destinationKey, isConverting: keepsValues, context: context, using: router
        ) {
            sources in
            try sources.converted(sourceKey.base, to: destinationKey)
        }
    }
}

extension SimpleLegacyMigration: PlannedMigration {
    var keepsValues: Bool { true }

    func clearableSources(in context: MigrationContext) -> [AnyStorageKey] { sourceKeys }

    func converted(_ sources: MigrationSources, in context: MigrationContext) throws -> Data? {
        try sources.converted(sourceKey.base, to: destinationKey).map { try destinationKey.encoded($0, width: sources.integerBitWidth) }
    }

    func plannedState(using router: StorageRouter, context: MigrationContext) async throws -> MigrationStep.State {
        try await router.engines.migration.plannedTransfer(
            from: sourceKeys, to: destinationKey, isConverting: keepsValues, context: context, using: router)
    }
}

/// Moves the value of one key to another key of another type, or in another form.
///
/// ```swift
/// var migration: AnyStorageMigration? {
///     AnyStorageMigration(
///         TransformingMigration(destinationKey: self, sourceKey: AgeInYearsKey()) { age in BirthYear(yearsAgo: age) })
/// }
/// ```
///
/// The order is that of ``SimpleLegacyMigration``. A transformation that throws loses nothing: the source stays, the read fails with `wrongType`, and
/// the migration with ``MigrationError/transformFailed(key:reason:)``.
public struct TransformingMigration<SourceKey: StorageKey, DestinationKey: StorageKey>: StorageMigration {
    public let destinationKey: DestinationKey
    /// The key as the earlier version of the app declared it.
    public let sourceKey: SourceKey
    private let transform: @Sendable (SourceKey.Value) throws -> DestinationKey.Value

    /// - Parameters:
    ///   - destinationKey: The key that carries the migration.
    ///   - sourceKey: The key as the earlier version of the app declared it. It need not be in a catalog.
    ///   - transform: Makes the new value of the old one, and the same each time: after a crash it may run again. Of an error that it throws only the
    ///     type is reported, since its text might contain the value; a ``StorageError`` and a ``MigrationError`` as they are.
    public init(
        destinationKey: DestinationKey, sourceKey: SourceKey,
        transform: @escaping @Sendable (SourceKey.Value) throws -> DestinationKey.Value
    ) {
        self.destinationKey = destinationKey
        self.sourceKey = sourceKey
        self.transform = transform
    }

    public var sourceKeys: [AnyStorageKey] { [.key(sourceKey)] }

    public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        try await router.engines.migration.holdsLegacyValue(sourceKeys, for: destinationKey, context: context, using: router)
    }

    public func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        try await router.engines.migration.transfer(from: sourceKeys, to: destinationKey, context: context, using: router) { sources in
            guard let value = try sources.value(of: sourceKey) else { return nil }
            return try transform(value)
        }
    }
}

extension TransformingMigration: PlannedMigration {
    func clearableSources(in context: MigrationContext) -> [AnyStorageKey] { sourceKeys }

    func converted(_ sources: MigrationSources, in context: MigrationContext) throws -> Data? {
        try sources.value(of: sourceKey).map { try destinationKey.encoded(transform($0), width: sources.integerBitWidth) }
    }

    func plannedState(using router: StorageRouter, context: MigrationContext) async throws -> MigrationStep.State {
        try await router.engines.migration.plannedTransfer(from: sourceKeys, to: destinationKey, context: context, using: router)
    }
}

/// Makes one value of those of several keys, of whatever types.
///
/// ```swift
/// AggregatingMigration(destinationKey: self, sourceKeys: [.key(FirstNameKey()), .key(LastNameKey())]) { sources in
///     Name(first: try sources.value(of: FirstNameKey()) ?? "", last: try sources.value(of: LastNameKey()) ?? "")
/// }
/// ```
///
/// All sources are read before anything is written. They are deleted, all of them, after the new value has been read back and compared and a durable
/// mark says that it is complete: a crash between the deletions is finished by deleting the rest, never by making the value again of what is left.
public struct AggregatingMigration<DestinationKey: StorageKey>: StorageMigration {
    public let destinationKey: DestinationKey
    public let sourceKeys: [AnyStorageKey]
    /// What it does where only some sources hold a value.
    public let missing: MissingSources
    private let combine: @Sendable (MigrationSources) throws -> DestinationKey.Value

    /// - Parameters:
    ///   - destinationKey: The key that carries the migration.
    ///   - sourceKeys: The keys as earlier versions of the app declared them, at different places. They need not be in a catalog.
    ///   - missing: What to do where only some sources hold a value.
    ///   - combine: Makes the value, and the same each time: after a crash it may run again. Where the sources contradict each other in a way that
    ///     only the app can resolve, throw ``MigrationSources/conflict()``; then nothing is changed.
    public init(
        destinationKey: DestinationKey, sourceKeys: [AnyStorageKey], missing: MissingSources = .allowed,
        combine: @escaping @Sendable (MigrationSources) throws -> DestinationKey.Value
    ) {
        self.destinationKey = destinationKey
        self.sourceKeys = sourceKeys
        self.missing = missing
        self.combine = combine
    }

    public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        try await router.engines.migration.holdsLegacyValue(sourceKeys, for: destinationKey, context: context, using: router)
    }

    public func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        try await router.engines.migration.transfer(from: sourceKeys, to: destinationKey, missing: missing, context: context, using: router)
        {
            try combine($0)
        }
    }
}

extension AggregatingMigration: PlannedMigration {
    func clearableSources(in context: MigrationContext) -> [AnyStorageKey] { sourceKeys }

    /// Of several values, of which the counterpart's older app sent one, nothing is made.
    func converted(_ sources: MigrationSources, in context: MigrationContext) throws -> Data? { nil }

    func made(of sources: MigrationSources, in context: MigrationContext) throws -> Data? {
        guard missing == .allowed || sources.present.count == sourceKeys.count else { return nil }
        return try destinationKey.encoded(combine(sources), width: sources.integerBitWidth)
    }

    func plannedState(using router: StorageRouter, context: MigrationContext) async throws -> MigrationStep.State {
        try await router.engines.migration.plannedTransfer(
            from: sourceKeys, to: destinationKey, missing: missing, context: context, using: router)
    }
}

/// What the migration of one key would do now.
public struct MigrationStep: Sendable {
    /// The name of the key that the value is brought to.
    public let key: String
    /// The ``StorageDomain/kind`` of the key.
    public let domain: String
    /// The names of the keys that it brings the value from; empty for a migration that does not say.
    public let sources: [String]
    /// What running the migration now would do.
    public let state: State

    /// What a migration that is run now would do.
    public enum State: Sendable {
        /// There is nothing to bring over.
        case nothingToDo
        /// There is a value to bring over.
        case ready
        /// The key has its value, and old ones wait to be deleted: a migration was interrupted, or the value was set anew.
        case interrupted
        /// Not possible for now, such as on a locked device.
        case deferred(StorageError)
        /// The condition of a ``ConditionalMigration`` does not hold.
        case waiting(for: String)
        /// Some sources hold a value, and the migration awaits these (see ``MissingSources/awaited``).
        case incomplete(missing: [String])
        /// The value was removed on purpose, and does not come back. Of a migration of the app's own that names no sources nobody knows what it would bring:
        /// ``StorageRouter/forceMigration(for:)`` runs it.
        case removed
        /// A newer version of the app has moved the value on.
        case superseded(StorageError)
        /// It would fail, for good.
        case blocked(StorageError)
    }
}

extension MigrationStep.State: CustomStringConvertible {
    /// Such as `ready` or `deferred locked`. Also what scenario files write.
    public var description: String {
        switch self {
        case .nothingToDo: "nothing"
        case .ready: "ready"
        case .interrupted: "interrupted"
        case .deferred(let error): "deferred \(error.code.rawValue)"
        case .waiting: "waiting"
        case .incomplete: "incomplete"
        case .removed: "removed"
        case .superseded: "superseded"
        case .blocked(let error): "blocked \(error.code.rawValue)"
        }
    }
}

extension MigrationStep: CustomStringConvertible {
    /// One line, without values.
    public var description: String {
        let from = sources.isEmpty ? "" : " from \(sources.joined(separator: ", "))"
        switch state {
        case .waiting(let condition): return "\(key)\(from): waiting for \(condition)"
        case .incomplete(let missing): return "\(key)\(from): incomplete, missing \(missing.joined(separator: ", "))"
        default: return "\(key)\(from): \(state)"
        }
    }
}

/// The values that a migration found at its sources, opened, for making the new value of them.
public struct MigrationSources: Sendable {
    struct Entry: Sendable {
        let key: any StorageKey
        let location: StorageLocation
        /// The serialized value, or `nil` where there is none.
        let plain: Data?
    }

    let destination: String
    let entries: [Entry]
    /// ``DeviceDescribing/integerBitWidth`` of this device.
    let integerBitWidth: Int

    /// The names of the sources that hold a value, in the order in which the migration lists them.
    public var present: [String] { entries.filter { $0.plain != nil }.map(\.key.name) }

    /// The value of one of the sources, or `nil` where it holds none.
    /// - Throws: ``StorageError/Code/wrongType`` where the value is of another type, ``StorageError/Code/invalidKey`` for a key that is no source.
    public func value<Key: StorageKey>(of key: Key) throws -> Key.Value? {
        let location = try StorageLocation(of: key)
        guard let entry = entries.first(where: { $0.location.physical == location.physical }) else {
            throw StorageError(
                .invalidKey, key: key.name, domain: key.domain.kind, facts: ["it is no source of the migration of '\(destination)'"])
        }
        return try entry.plain.map { try key.decoded($0, width: integerBitWidth) }
    }

    /// The error to throw where the sources contradict each other. It names them.
    public func conflict() -> MigrationError { .conflictingSources(key: destination, sources: present) }

    /// The value of a source as one of the destination's type: the same type, or bytes that both serializers read.
    func converted<Source: StorageKey, Destination: StorageKey>(_ source: Source, to destination: Destination) throws -> Destination.Value?
    {
        let location = try StorageLocation(of: source)
        guard let plain = entries.first(where: { $0.location.physical == location.physical })?.plain else { return nil }
        if Source.Value.self == Destination.Value.self, let value = try source.decoded(plain, width: integerBitWidth) as? Destination.Value
        {
            return value
        }
        if source.serializer.format == destination.serializer.format, source.serializer.name == destination.serializer.name,
            let value = try? destination.decoded(plain, width: integerBitWidth)
        {
            return value
        }
        throw MigrationError.transformFailed(
            key: destination.name, reason: "'\(source.name)' holds \(Source.Value.self), which is not read as \(Destination.Value.self)")
    }
}

/// What an ``AggregatingMigration`` does where only some of its sources hold a value.
public enum MissingSources: String, Sendable, Hashable, CaseIterable {
    /// The value is made of those that are there; the others are `nil`.
    case allowed
    /// It waits for all of them: nothing is moved, and an absent destination is `notFound`. For all on one device: where each of two devices has a part, and both apps are updated
    /// before they meet, no value is made until one is set.
    case awaited
}

extension StorageKey {
    /// The keys that its migration takes values from, and theirs, each place once: migrations may form circles.
    var allSources: [any StorageKey] { (migration?.base.sourceKeys ?? []).withTheirSources }

    /// What its migration takes the value from, if that is one key.
    var onlySource: (any StorageKey)? {
        guard let sources = migration?.base.sourceKeys, sources.count == 1 else { return nil }
        return sources[0].base
    }
}

extension StorageKey {
    /// Where the key's migration takes values from, and as what it is declared there: a chain may pass a place under another declaration.
    var placesOfSources: [String] {
        get throws { try (migration?.base.sourceKeys ?? []).flatMap { [try StorageLocation(of: $0.base).physical, $0.domain.kind] } }
    }

    /// The key's place, and those that its migration takes values from: what a chain of migrations does not lead through twice.
    var linkOfChain: [String] {
        get throws { try [StorageLocation(of: self).physical, domain.kind] + placesOfSources }
    }
}

extension [AnyStorageKey] {
    /// These keys, those that their migrations take values from, and so on, each place once. A chain may lead through a place more than once.
    var withTheirSources: [any StorageKey] {
        var found: [any StorageKey] = []
        // A list: chains are short, and to hash a link is dearer than to compare it with those before.
        var visited: [[String]] = []
        var open = map(\.base)
        while let key = open.popLast() {
            guard let link = try? key.linkOfChain, !visited.contains(link) else { continue }
            if !visited.contains(where: { $0[0] == link[0] }) { found.append(key) }
            visited.append(link)
            open += key.migration?.base.sourceKeys.map(\.base) ?? []
        }
        return found
    }
}
