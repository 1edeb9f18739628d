import Foundation
import Synchronization
import Testing

@testable import LocalData

/// Code of an app that runs within an operation, and what it starts.
@Suite struct CodeOfTheAppTests {
    /// Preferences that tell of a change on the thread that made it, before that returns, as `UserDefaults.didChangeNotification` does.
    private final class ObservedDefaults: DefaultsStore, Sendable {
        private let base = MemoryDefaults()
        let observer = Mutex<(@Sendable (String) -> Void)?>(nil)

        func isReadable(_ suite: DefaultsSuite) -> Bool { base.isReadable(suite) }
        func value(forKey key: String, in suite: DefaultsSuite) throws -> PropertyListValue? { try base.value(forKey: key, in: suite) }
        func set(_ value: PropertyListValue?, forKey key: String, in suite: DefaultsSuite) throws {
            try base.set(value, forKey: key, in: suite)
            observer.withLock { $0 }?(key)
        }
        func keys(in suite: DefaultsSuite) throws -> [String] { try base.keys(in: suite) }
        func synchronize(_ suite: DefaultsSuite) throws { try base.synchronize(suite) }
    }

    private struct Catalog: StorageKeyCatalog {
        let name = "Keys"
        let allKeys: [AnyStorageKey]
    }

    private let device = TestDevice()

    private func environment(_ defaults: any DefaultsStore) -> StorageEnvironment {
        StorageEnvironment(
            fileSystem: device.files, defaults: defaults, keychain: device.keychain, clock: device.clock, entropy: device.entropy,
            device: device.description)
    }

    /// An observer of preferences asks for a policy while one is being written.
    @Test func anObserverMayAskForAPolicy() async throws {
        let defaults = ObservedDefaults()
        let router = StorageRouter(environment: environment(defaults))
        var key = ValueKey<String>("theme")
        key.syncPolicy = .automaticSmall
        try await router.set("dark", for: key)
        let heard = Mutex<[SyncPolicy]>([])
        defaults.observer.withLock {
            $0 = { [key] name in
                guard name.hasPrefix("com.localdata.") else { return }
                let policy = router.syncPolicy(of: key)
                heard.withLock { $0.append(policy) }
            }
        }
        try await router.setSyncPolicyOverride(.never, for: key)
        #expect(heard.withLock { $0 }.last == .never)
        defaults.observer.withLock { $0 = nil }
        #expect(StorageRouter(environment: environment(defaults)).syncPolicy(of: key) == .never)
    }

    /// A task that an observer starts in the middle of a set, and that would migrate the old value, comes after the set.
    @Test func whatAnObserverStartsComesAfterTheSet() async throws {
        let old = ValueKey<String>("old", in: .fileSystem(directory: .documents))
        var theme = ValueKey<String>("theme").replacing(old)
        theme.syncPolicy = .automaticSmall
        let defaults = ObservedDefaults()
        try await StorageRouter(environment: environment(defaults)).set("old", for: old)
        let router = StorageRouter(environment: environment(defaults))
        let started = Mutex<[Task<String, any Error>]>([])
        defaults.observer.withLock {
            $0 = { [theme] name in
                guard name.contains("theme"), started.withLock({ $0.isEmpty }) else { return }
                started.withLock { $0.append(Task { try await router.get(theme) }) }
            }
        }
        try await router.set("new", for: theme)
        for task in started.withLock({ $0 }) { #expect(try await task.value == "new") }
        #expect(!started.withLock { $0.isEmpty })
        #expect(try await router.get(theme) == "new")
    }

    /// What a migration's transformation starts, and nobody awaits, is no migration: what it sets is an edit.
    @Test func whatATransformationStartsIsNoMigration() async throws {
        var other = ValueKey<String>("other", in: .fileSystem(directory: .documents))
        other.syncPolicy = .automaticSmall
        let router = device.router()
        let old = ValueKey<String>("old", in: .fileSystem(directory: .documents))
        let started = Mutex<Task<Void, any Error>?>(nil)
        let key = ValueKey<String>("new", in: .fileSystem(directory: .documents)) { [other] key in
            AnyStorageMigration(
                TransformingMigration(destinationKey: key, sourceKey: old) { value in
                    started.withLock { $0 = Task { try await router.set("edited", for: other) } }
                    return value
                })
        }
        try await router.set("a", for: old)
        #expect(try await router.get(key) == "a")
        try await started.withLock { $0 }?.value
        let stamp = try #require(try await router.syncSnapshot().entries["other"]?.stamp)
        #expect(stamp.counter > 0)
    }

    /// What was asked for in spite of a removal ends with the call, also for what the transformation of it has started.
    @Test func aForcedMigrationBringsBackNothingAfterwards() async throws {
        let place = StorageDomain.fileSystem(directory: .documents)
        let (first, last, old) = (
            ValueKey<String>("first", in: place), ValueKey<String>("last", in: place), ValueKey<String>("o", in: place)
        )
        let full = ValueKey<String>("full", in: place).replacing(first)
        let joined = ValueKey<String>("full", in: place) { key in
            AnyStorageMigration(
                AggregatingMigration(destinationKey: key, sourceKeys: [.key(first), .key(last)]) { sources in
                    "\(try sources.value(of: first) ?? "-") \(try sources.value(of: last) ?? "-")"
                })
        }
        let before = device.router()
        try await before.set("Ada", for: first)
        try await before.set("Lovelace", for: last)
        try await before.set("x", for: old)
        let second = device.router()
        try await second.registerCatalog(Catalog(allKeys: [.key(first), .key(full)]))
        #expect(try await second.get(full) == "Ada")
        try await second.remove(full)
        let router = device.router()
        let barrier = Barrier()
        let started = Mutex<Task<String, any Error>?>(nil)
        let forced = ValueKey<String>("other", in: place) { key in
            AnyStorageMigration(
                TransformingMigration(destinationKey: key, sourceKey: old) { value in
                    let task = Task {
                        await barrier.pass()
                        return try await router.get(joined)
                    }
                    started.withLock { $0 = task }
                    return value
                })
        }
        _ = try await router.forceMigration(for: forced)
        barrier.open()
        #expect(try await started.withLock { $0 }?.value == "- Lovelace")
    }

    /// A launch whose migrations are cancelled is one that has seen the preferences.
    @Test func aCancelledRegistrationLeavesItsWitnesses() async throws {
        let key = ValueKey<String>("theme")
        let moved = ValueKey<String>("new", in: .fileSystem(directory: .documents)).replacing(ValueKey<String>("old"))
        let catalog = Catalog(allKeys: [.key(key), .key(moved)])
        device.description.bootIdentifier = "boot"
        let router = device.router()
        let launch = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await router.registerCatalog(catalog, migrateImmediately: true)
        }
        await #expect(throws: CancellationError.self) { try await launch.value }
        try await router.set("dark", for: key)
        device.description.wasPrewarmed = true
        #expect(try await device.router().get(key) == "dark")
    }

    /// Of two sweeps that overlap the one that ends last ends its own rotation, and not one that began since.
    @Test func aSweepEndsItsOwnRotationAlone() async throws {
        let keys = ["a", "b"].map {
            ValueKey<String>($0, in: .encryptedFileSystem(directory: .documents), security: .recommended)
        }
        let catalog = Catalog(allKeys: keys.map { .key($0) })
        let router = device.router()
        try await router.registerCatalog(catalog)
        for key in keys { try await router.set("v", for: key) }
        var shown = router.keyRotation().makeAsyncIterator()
        _ = try await shown.next()
        #expect(try await router.rotateKeys().isComplete)
        var second = router.keyRotation().makeAsyncIterator()
        _ = try await second.next()
        while try await shown.next() != nil {}
        let next = device.router()
        try await next.registerCatalog(catalog)
        #expect(try await !next.rotateKeys().isNew)
    }

    /// Marks of one place that two tasks write at once lead to both.
    @Test func marksThatTwoWriteAtOnceLeadToBoth() async throws {
        let router = device.router()
        let moves = router.engines.moves
        let source = try StorageLocation(of: ValueKey<String>("s"))
        for round in 0..<50 {
            let places = try ["a", "b"].map {
                try StorageLocation(of: ValueKey<String>("\($0)\(round)", in: .fileSystem(directory: .documents)))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for place in places { group.addTask { try moves.markMoved(source, to: place) } }
                try await group.waitForAll()
            }
            for place in places { #expect(try moves.isMarkedMoved(source, to: place)) }
        }
    }

    /// A migration of the app's own whose question uses tasks of its own, at the key itself and at one that no catalog lists.
    private struct OwnMigration: StorageMigration {
        let destinationKey: ValueKey<String>
        let unlisted: ValueKey<String>

        func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
            async let isThere = router.exists(destinationKey)
            async let isLeft = router.exists(unlisted)
            let (there, left) = try await (isThere, isLeft)
            return !there && left
        }

        func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
            async let value = router.get(unlisted)
            try await router.set(value, for: destinationKey)
            return MigrationResult(success: true, migratedCount: 1)
        }
    }

    /// Also behind another key's migration, and where it is only asked what there is to do.
    @Test func tasksOfAnOwnMigrationAreServed() async throws {
        let place = StorageDomain.fileSystem(directory: .documents)
        let unlisted = ValueKey<String>("unlisted", in: place)
        let middle = ValueKey<String>("middle", in: place) { AnyStorageMigration(OwnMigration(destinationKey: $0, unlisted: unlisted)) }
        let last = ValueKey<String>("last", in: place).replacing(middle)
        try await device.router().set("a", for: unlisted)
        let router = device.router()
        try await router.registerCatalog(Catalog(allKeys: [.key(last)]))
        guard case .ready = try await router.migrationPlan(for: last).state else {
            Issue.record("not ready")
            return
        }
        #expect(try await router.get(last) == "a")
    }
}
