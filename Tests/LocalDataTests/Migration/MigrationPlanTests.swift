import Foundation
import Testing

@testable import LocalData

@Suite struct MigrationPlanTests {
    private let device = CrashableDevice()
    private let legacy = ValueKey("old", of: String.self)
    private var key: ValueKey<String> { ValueKey("new", of: String.self, in: .documents).replacing(legacy) }

    /// The state of a step, having made sure that looking changed nothing.
    private func state(of key: ValueKey<String>) async throws -> String {
        device.crash.arm(before: nil)
        let state = try await device.router().migrationPlan(for: key).state
        #expect(device.crash.operations == 0)
        return "\(state)"
    }

    @Test func aSimpleStepFromBeginningToEnd() async throws {
        #expect(try await state(of: ValueKey("plain")) == "nothing")
        #expect(try await state(of: key) == "nothing")
        try await device.router().set("value", for: legacy)
        #expect(try await state(of: key) == "ready")
        try await device.router().set("newer", for: key)
        #expect(try await state(of: key) == "interrupted")
        try await device.router().forceMigration(for: key)
        #expect(try await state(of: key) == "nothing")
    }

    @Test func aLockedSourceIsDeferred() async throws {
        let source = ValueKey("sealed", of: String.self, in: .encryptedFileSystem(directory: .documents), security: .recommended)
        let key = ValueKey("new", of: String.self).replacing(source)
        try await device.router().set("value", for: source)
        device.storage.lockState = .locked
        #expect(try await state(of: key) == "deferred locked")
        device.storage.lockState = .unlocked
        #expect(try await state(of: key) == "ready")
        device.storage.files.put(Data([1, 2, 3]), at: "/app/Documents/sealed")
        #expect(try await state(of: key) == "blocked corrupt")
    }

    /// What the plan says is what happens then, wherever the value is to go, and in every state of the lock.
    @Test(arguments: DeviceLockState.allCases, 0..<13)
    func thePlanIsKept(lockState: DeviceLockState, destination: Int) async throws {
        var destinations: [ValueKey<String>] = [
            ValueKey("new", of: String.self), ValueKey("new", of: String.self, security: .recommended),
            ValueKey("new", of: String.self, in: .documents), ValueKey("new", of: String.self, in: .documents, security: .recommended),
            ValueKey("new", of: String.self, in: .encryptedFileSystem(directory: .documents), security: .recommended),
            ValueKey("new", of: String.self, in: .keychain(service: nil), security: .recommended),
        ]
        destinations += KeychainAccessibility.allCases.map {
            ValueKey("new", of: String.self, in: .keychain(service: nil), security: .keychain(accessibility: $0, accessControl: nil))
        }
        let source = ValueKey(
            "old", of: String.self, in: .keychain(service: "earlier"), security: .keychain(accessibility: .always, accessControl: nil))
        let key = destinations[destination].replacing(source)
        try await device.router().set("value", for: source)
        device.storage.lockState = lockState
        let planned = try await state(of: key)
        do {
            try await device.router().forceMigration(for: key)
            #expect(planned == "ready")
        } catch MigrationError.deferred(let error) {
            #expect(planned == "deferred \(error.code.rawValue)")
        }
        device.storage.lockState = .unlocked
        try await device.router().forceMigration(for: key)
        #expect(try await device.router().get(key) == "value")
    }

    @Test func aPersonIsNotAsked() async throws {
        let source = ValueKey(
            "token", of: String.self, in: .keychain(service: nil),
            security: .keychain(accessibility: .afterFirstUnlock, accessControl: .userPresence))
        try await device.router().set("value", for: source)
        device.storage.keychain.answer = .fails
        #expect(try await state(of: ValueKey("new", of: String.self).replacing(source)) == "ready")
    }

    @Test func chainsAreFollowed() async throws {
        let third = ValueKey("v3", of: String.self, in: .documents).replacing(key)
        #expect(try await state(of: third) == "nothing")
        try await device.router().set("value", for: legacy)
        #expect(try await state(of: third) == "ready")
        #expect(device.storage.files.paths == [])
    }

    /// Reading a value clears away what crashed writes left beside it. A plan does not.
    @Test func whatCrashedWritesLeftStays() async throws {
        let source = ValueKey("source", of: String.self, in: .documents)
        let key = ValueKey("k", of: String.self).replacing(source)
        try await device.router().set("value", for: source)
        let leftover = "/app/Documents/.localdata-0123456789abcdef0123456789abcdef.tmp"
        device.storage.files.put(Data([1]), at: leftover)
        #expect(try await state(of: key) == "ready")
        #expect(device.storage.files.peek(leftover) != nil)
        #expect(try await device.router().get(key) == "value")
        #expect(device.storage.files.peek(leftover) == nil)
    }

    /// A source that nobody can open any more counts as absent where it says so, and goes when the migration runs.
    @Test func whatNobodyCanOpenStays() async throws {
        var source = ValueKey("source", of: String.self, in: .documents, security: .recommended)
        source.missingKeyPolicy = .discard
        let key = ValueKey("k", of: String.self).replacing(source)
        try await device.router().set("value", for: source)
        let ring = MasterKeyRing(environment: device.storage.environment)
        for id in try ring.keyIDs() { try ring.delete(id) }
        #expect(try await state(of: key) == "nothing")
        #expect(device.storage.files.peek("/app/Documents/source") != nil)
        #expect(await migrationError { try await device.router().forceMigration(for: key) }?.summary == "deferred inputOutput")
        #expect(device.storage.files.peek("/app/Documents/source") == nil)
        #expect(try await state(of: key) == "nothing")
    }

    @Test func aggregatesSayWhatIsMissing() async throws {
        let key = NameKeys.person(missing: .awaited)
        try await device.router().set("Ada", for: NameKeys.first)
        #expect(try await state(of: key) == "incomplete")
        #expect(
            try await device.router().migrationPlan(for: key).description == "person from first, year, nick: incomplete, missing year, nick"
        )
        #expect(try await state(of: NameKeys.person()) == "ready")
        try await NameKeys.plant(with: device.router())
        #expect(try await state(of: key) == "ready")
    }

    @Test func anInterruptedAggregateIsSeenAsOne() async throws {
        try await NameKeys.plant(with: device.router())
        device.storage.keychain.fail("delete", with: .inputOutput)
        _ = try? await device.router().forceMigration(for: NameKeys.person())
        device.storage.keychain.fail("delete", with: nil)
        #expect(device.storage.defaults.peek("first") == nil)
        #expect(try await state(of: NameKeys.person()) == "interrupted")
    }

    @Test func migrationsOfOnesOwnSayIt() async throws {
        let key = ValueKey("k", of: String.self) { AnyStorageMigration(RemovalTests.Always(destinationKey: $0)) }
        #expect(try await state(of: key) == "ready")
        try await device.router().remove(key)
        #expect(try await state(of: key) == "removed")
        #expect(try await device.router().migrationPlan(for: key).description == "k: removed")
    }

    @Test func aCircleComesToAnEnd() async throws {
        #expect("\(try await device.router().migrationPlan(for: Ring(name: "a")).state)" == "nothing")
    }

    @Test func allRegisteredKeysInTheOrderOfTheSweep() async throws {
        struct Catalog: StorageKeyCatalog {
            let allKeys: [AnyStorageKey]
        }
        let router = device.router()
        let other = ValueKey("a", of: String.self, in: .documents).replacing(ValueKey("old a", of: String.self))
        var watch = ValueKey("w", of: String.self).replacing(ValueKey("old w", of: String.self))
        watch.availability = .watchOnly
        try await router.set("value", for: legacy)
        try await router.registerCatalog(Catalog(allKeys: [.key(key), .key(watch), .key(other), .key(ValueKey<Int>("plain"))]))
        device.crash.arm(before: nil)
        #expect(try await router.migrationPlan().map(\.description) == ["a from old a: nothing", "new from old: ready"])
        #expect(device.crash.operations == 0)

        var seen: [String] = []
        for try await progress in router.migrations() {
            seen.append("\(progress.completed)/\(progress.total) \(progress.outcome.summary)")
        }
        #expect(seen == ["1/2 a: nothing to do", "2/2 new: migrated 1"])
    }

    @Test func aSweepThatIsLeftIsResumed() async throws {
        let router = device.router()
        let keys: [AnyStorageKey] = ["a", "b", "c"].map {
            .key(ValueKey($0, of: String.self, in: .documents).replacing(ValueKey("old \($0)", of: String.self)))
        }
        for name in ["a", "b", "c"] { try await router.set(name, for: ValueKey("old \(name)")) }
        for try await progress in router.migrations(of: keys) where progress.completed == 2 { break }
        #expect(device.storage.defaults.peek("old b") == nil)
        #expect(device.storage.defaults.peek("old c") == .string("c"))
        let task = Task { () -> Int in
            withUnsafeCurrentTask { $0?.cancel() }
            var count = 0
            for try await _ in router.migrations(of: keys) { count += 1 }
            return count
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(device.storage.defaults.peek("old c") == .string("c"))
        let outcomes = try await router.sweepMigrations(of: keys).map(\.summary)
        #expect(outcomes == ["a: nothing to do", "b: nothing to do", "c: migrated 1"])
    }
}
