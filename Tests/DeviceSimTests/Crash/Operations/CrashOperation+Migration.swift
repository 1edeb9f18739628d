import LocalData

extension CrashOperation {
    private static let value = "the value that moves"

    /// How a migration comes to run.
    private enum Trigger: String, CaseIterable {
        case forced = "forced"
        case get = "by get"
        case sweep = "by the sweep"
    }

    /// `SimpleLegacyMigration` between each two kinds of places, the three triggers by turns; a chain; a migration of one's own; removals.
    static let migrations: [CrashOperation] =
        pairs.enumerated().map { move(from: $1.0, to: $1.1, Trigger.allCases[$0 % Trigger.allCases.count]) }
        + Trigger.allCases.flatMap { trigger in
            [
                move(from: .cachedFile, to: .protectedFile, trigger), chain(trigger), byOwnMigration(trigger), transforming(trigger),
                underCondition(trigger), joining(trigger),
            ]
        } + [removal(at: .file), removal(at: .preferences), removal(at: .keychain), removalUnderOwnMigration]

    private static let pairs: [(CrashPlace, CrashPlace)] = {
        let places: [CrashPlace] = [
            .preferences, .sealedPreferences, .suite, .groupPreferences, .keychain, .sealedKeychain, .file, .sealedFile, .protectedFile,
            .sealedGroupFile,
        ]
        return places.flatMap { from in places.filter { $0.name != from.name }.map { (from, $0) } }
    }()

    private static func run(_ trigger: Trigger, _ key: CrashKey) -> @Sendable (StorageRouter) async throws -> Void {
        switch trigger {
        case .forced: { try await $0.forceMigration(for: key) }
        case .get: { _ = try await $0.get(key) }
        case .sweep:
            { router in
                let catalog = CrashCatalog(allKeys: [.key(key)])
                for outcome in try await router.registerCatalog(catalog, migrateImmediately: true) {
                    if case .failed(let error) = outcome.result { throw error }
                }
            }
        }
    }

    private static func move(from source: CrashPlace, to destination: CrashPlace, _ trigger: Trigger) -> CrashOperation {
        let older = CrashKey("older", at: source)
        let key = CrashKey("newer", at: destination).replacing(older)
        return migration(
            "migrate \(trigger.rawValue): \(source.name) to \(destination.name)", key, trigger, sources: [(older, source)], destination)
    }

    private static func chain(_ trigger: Trigger) -> CrashOperation {
        let oldest = CrashKey("oldest", at: .preferences)
        let older = CrashKey("older", at: .file).replacing(oldest)
        let key = CrashKey("newer", at: .protectedFile).replacing(older)
        return migration(
            "migrate a chain \(trigger.rawValue)", key, trigger, sources: [(oldest, .preferences), (older, .file)], .protectedFile)
    }

    private static func byOwnMigration(_ trigger: Trigger) -> CrashOperation {
        let older = CrashKey("older", at: .file)
        let plain = CrashKey("newer", at: .protectedFile)
        let key = plain.migrating(by: CopyingMigration(destinationKey: plain, source: older))
        return migration("migrate by one's own code \(trigger.rawValue)", key, trigger, sources: [(older, .file)], .protectedFile)
    }

    /// The value comes out as it went in, so that it is known by its text at both places.
    private static func transforming(_ trigger: Trigger) -> CrashOperation {
        let older = CrashKey("older", at: .preferences)
        let plain = CrashKey("newer", at: .protectedFile)
        let key = plain.migrating(by: TransformingMigration(destinationKey: plain, sourceKey: older) { $0 })
        return migration("migrate transforming \(trigger.rawValue)", key, trigger, sources: [(older, .preferences)], .protectedFile)
    }

    private static func underCondition(_ trigger: Trigger) -> CrashOperation {
        let older = CrashKey("older", at: .sealedKeychain)
        let plain = CrashKey("newer", at: .sealedFile)
        let simple = SimpleLegacyMigration(destinationKey: plain, sourceKey: .key(older))
        let key = plain.migrating(by: ConditionalMigration(when: MigrationCondition("always") { _ in true }, simple))
        return migration("migrate under a condition \(trigger.rawValue)", key, trigger, sources: [(older, .sealedKeychain)], .sealedFile)
    }

    /// Two sources become one value. What is left of them after a crash between their deletions must not make up another.
    private static func joining(_ trigger: Trigger) -> CrashOperation {
        let (left, right) = (CrashKey("left", at: .file), CrashKey("right", at: .keychain))
        let plain = CrashKey("newer", at: .protectedFile)
        let key = plain.migrating(
            by: AggregatingMigration(destinationKey: plain, sourceKeys: [.key(left), .key(right)]) { sources in
                try [sources.value(of: left), sources.value(of: right)].compactMap { $0 }.joined(separator: " and ")
            })
        return CrashOperation(
            name: "migrate two into one \(trigger.rawValue)", keys: [key],
            prepare: { router in
                try await CrashPlanting.set("the left value", for: left, with: router)
                try await CrashPlanting.set("the right value", for: right, with: router)
            },
            act: run(trigger, key), facts: [Fact(key, is: "the left value and the right value")])
    }

    /// The value lies at the first source.
    private static func migration(
        _ name: String, _ key: CrashKey, _ trigger: Trigger, sources: [(key: CrashKey, place: CrashPlace)], _ destination: CrashPlace
    ) -> CrashOperation {
        // The launch sweeps, so what is to be migrated comes after it.
        let act = run(trigger, key)
        let bare = sources[0].key.bare
        var secrets = Secret.at(destination, value)
        let earlier = sources.flatMap { Secret.at($0.place, value).first.map(\.places) ?? [""] }
        for index in secrets.indices { secrets[index].earlier = earlier }
        return CrashOperation(
            name: name, keys: [key], prepare: { router in try await CrashPlanting.set(value, for: bare, with: router) }, act: act,
            facts: [Fact(key, is: value)], secrets: secrets, movingValues: [(value, sources.map(\.key) + [key])],
            settlesLater: settlesLater(at: destination, from: sources.map(\.place)))
    }

    /// Within one suite the system writes in the order of the sets, so nothing has to wait.
    private static func settlesLater(at destination: CrashPlace, from sources: [CrashPlace]) -> Bool {
        destination.isPreference && sources.map(\.domain) != [destination.domain]
    }

    /// A value and the older one that its migration would bring back: removing clears both, the older one first.
    private static func removal(at place: CrashPlace) -> CrashOperation {
        let older = CrashKey("older", at: .file)
        let key = CrashKey("newer", at: place).replacing(older)
        return CrashOperation(
            name: "remove with its source: \(place.name)", keys: [key],
            prepare: { router in
                try await router.set("current value", for: key)
                try await CrashPlanting.set("outdated value", for: older, with: router)
            },
            act: { try await $0.remove(key) }, facts: [Fact(key, at: place, from: "current value", to: nil)],
            settlesLater: settlesLater(at: place, from: [.file]))
    }

    /// A value whose migration does not say where it brings values from: a mark keeps the older one from coming back.
    private static var removalUnderOwnMigration: CrashOperation {
        let older = CrashKey("older", at: .file)
        let plain = CrashKey("newer", at: .protectedFile)
        let key = plain.migrating(by: CopyingMigration(destinationKey: plain, source: older))
        return CrashOperation(
            name: "remove under a migration of one's own", keys: [key],
            prepare: { router in
                try await router.set("current value", for: key)
                try await CrashPlanting.set("outdated value", for: older, with: router)
            },
            act: { try await $0.remove(key) }, facts: [Fact(key: key, old: "current value", new: nil)])
    }
}

/// Puts values where an earlier version of the app left them.
enum CrashPlanting {
    /// The key is in no catalog of this version; a router of its own has none.
    static func set(_ value: String, for key: CrashKey, with router: StorageRouter) async throws {
        let earlier = StorageRouter(environment: router.environment)
        await earlier.encryption.registerKeyMaterialProvider(CrashKeyMaterial(), for: CrashPlace.external)
        try await earlier.set(value, for: key)
    }
}

/// A migration as apps write one themselves: copy, read back, delete the source. It does not say where it brings values from.
struct CopyingMigration: StorageMigration {
    let destinationKey: CrashKey
    let source: CrashKey

    func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        try await router.exists(source)
    }

    func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        let value = try await router.get(source)
        if try await !router.exists(destinationKey) {
            try await router.set(value, for: destinationKey)
            guard try await router.get(destinationKey) == value else {
                throw MigrationError.verificationFailed(key: destinationKey.name)
            }
        }
        try await router.remove(source)
        return MigrationResult(success: true, migratedCount: 1)
    }
}
