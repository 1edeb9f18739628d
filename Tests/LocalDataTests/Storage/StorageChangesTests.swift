import Foundation
import Testing

@testable import LocalData

@Suite struct StorageChangesTests {
    private let router = TestDevice().router()
    private let key = ValueKey("value", of: String.self)

    @Test func theCurrentValueComesFirstThenEachChange() async throws {
        try await router.set("first", for: key)
        var changes = router.changes(of: key).makeAsyncIterator()
        #expect(try await changes.next() == StorageChange(value: "first", origin: nil))
        try await router.set("second", for: key)
        #expect(try await changes.next() == StorageChange(value: "second", origin: .local))
        try await router.remove(key)
        #expect(try await changes.next() == StorageChange(value: nil, origin: .local))
        let stamp = SyncStamp(counter: 4, device: "b")
        _ = try await router.engines.turns.run(at: StorageLocation(of: key)) { [router, key] in
            try await router.engines.values.store(Data("\"third\"".utf8), for: key, origin: .sync(stamp))
        }
        #expect(try await changes.next() == StorageChange(value: "third", origin: .sync(stamp)))
    }

    /// A place may be named in two ways; changes are told under one.
    @Test(arguments: [StorageDomain.keychain(service: nil), .userDefaults(suite: nil)])
    func aRemovalIsToldAtThePlaceOfTheValue(_ domain: StorageDomain) async throws {
        let key = ValueKey("value", of: String.self, in: domain)
        try await router.set("x", for: key)
        var changes = router.changes(of: key).makeAsyncIterator()
        #expect(try await changes.next()?.value == "x")
        try await router.remove(key)
        #expect(try await changes.next() == StorageChange(value: nil, origin: .local))
    }

    @Test func anAbsentValueIsAnElementToo() async throws {
        var changes = router.changes(of: key).makeAsyncIterator()
        #expect(try await changes.next() == StorageChange(value: nil, origin: nil))
    }

    @Test func whoIsSlowSkipsToTheLatest() async throws {
        var changes = router.changes(of: key).makeAsyncIterator()
        _ = try await changes.next()
        for number in 1...100 { try await router.set("\(number)", for: key) }
        #expect(try await changes.next() == StorageChange(value: "100", origin: .local))
    }

    @Test func otherKeysAreNotHeard() async throws {
        var changes = router.changes(of: key).makeAsyncIterator()
        _ = try await changes.next()
        try await router.set("x", for: ValueKey("other"))
        try await router.set("y", for: ValueKey("value", in: .userDefaults(suite: "other")))
        try await router.set("z", for: key)
        #expect(try await changes.next()?.value == "z")
    }

    /// Two keys of one place show the same values, each in its own way.
    @Test func keysOfOnePlaceHearEachOther() async throws {
        let sealed = ValueKey("value", of: String.self, in: .documents, security: .recommended)
        let protected = ValueKey("value", of: String.self, in: .encryptedFileSystem(directory: .documents), security: .recommended)
        var changes = router.changes(of: sealed).makeAsyncIterator()
        _ = try await changes.next()
        try await router.set("x", for: protected)
        #expect(try await changes.next()?.value == "x")
    }

    @Test func aWaitingObserverIsWoken() {
        let executor = ManualExecutor()
        let log = Log()
        let task = executor.start { [router, key] in
            for try await change in router.changes(of: key) { log.add(change.value ?? "nothing") }
            log.add("over")
        }
        executor.drain()
        executor.start { [router, key] in try await router.set("a", for: key) }
        executor.drain()
        executor.start { [router, key] in try await router.set("b", for: key) }
        executor.drain()
        #expect(log.entries == ["nothing", "a", "b"])
        #expect(router.engines.values.observers.count == 1)
        task.cancel()
        executor.drain()
        #expect(log.entries == ["nothing", "a", "b", "over"])
        #expect(router.engines.values.observers.count == 0)
    }

    @Test func anObserverThatIsDroppedIsForgotten() async throws {
        do {
            var changes = router.changes(of: key).makeAsyncIterator()
            _ = try await changes.next()
            #expect(router.engines.values.observers.count == 1)
        }
        try await router.set("x", for: key)
        #expect(router.engines.values.observers.count == 0)
    }

    @Test func whatCannotBeReadEndsTheSequenceWithItsReason() async throws {
        let device = TestDevice()
        let router = device.router()
        let key = ValueKey("value", of: String.self, in: .keychain(service: nil))
        try await router.set("x", for: key)
        device.lockState = .locked
        var changes = router.changes(of: key).makeAsyncIterator()
        let error = await storageError { _ = try await changes.next() }
        #expect(error?.code == .locked)
        #expect(error?.operation == "changes")
        #expect(try await changes.next() == nil)
        device.lockState = .unlocked
        var again = router.changes(of: key).makeAsyncIterator()
        #expect(try await again.next()?.value == "x")
    }

    @Test func aFailedWriteIsNoChange() async throws {
        let device = TestDevice()
        let router = device.router()
        let key = ValueKey("value", of: String.self, in: .documents)
        try await router.set("old", for: key)
        var changes = router.changes(of: key).makeAsyncIterator()
        _ = try await changes.next()
        device.files.plan = .fail(operation: device.files.operationCount + 1, errno: ENOSPC)
        _ = await storageError { try await router.set("failed", for: key) }
        try await router.set("new", for: key)
        #expect(try await changes.next()?.value == "new")
    }
}
