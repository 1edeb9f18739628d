import Foundation
import Testing

@testable import LocalData

@Suite struct ExclusiveAccessTests {
    private let access = ExclusiveAccess()
    private let executor = ManualExecutor()
    private let log = Log()

    private func hold(_ name: String, at location: String, behind barrier: Barrier? = nil) -> Task<Void, any Error> {
        executor.start { [access, log] in
            try await access.run(at: location) {
                log.add("\(name) begins")
                await barrier?.pass()
                log.add("\(name) ends")
            }
        }
    }

    @Test func turnsComeInOrderAndOneAtATime() {
        let barrier = Barrier()
        for name in ["a", "b", "c"] { _ = hold(name, at: "x", behind: barrier) }
        executor.drain()
        #expect(log.entries == ["a begins"])
        #expect(access.waitersCount == 2)
        barrier.open()
        executor.drain()
        #expect(log.entries == ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"])
        #expect(access.locationsInUse == 0)
    }

    @Test func otherLocationsAreNotDelayed() {
        let barrier = Barrier()
        _ = hold("a", at: "x", behind: barrier)
        _ = hold("b", at: "y")
        executor.drain()
        #expect(log.entries == ["a begins", "b begins", "b ends"])
        #expect(access.locationsInUse == 1)
        barrier.open()
        executor.drain()
        #expect(access.locationsInUse == 0)
    }

    @Test func aCancelledWaiterGivesUpAndTheOthersGoOn() async {
        let barrier = Barrier()
        _ = hold("a", at: "x", behind: barrier)
        let cancelled = hold("b", at: "x")
        let last = hold("c", at: "x")
        executor.drain()
        cancelled.cancel()
        executor.drain()
        #expect(access.waitersCount == 1)
        barrier.open()
        executor.drain()
        #expect(log.entries == ["a begins", "a ends", "c begins", "c ends"])
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        await #expect(throws: Never.self) { try await last.value }
        #expect(access.locationsInUse == 0)
    }

    @Test func whoHasATurnKeepsItWhenCancelled() async {
        let barrier = Barrier()
        let first = hold("a", at: "x", behind: barrier)
        let second = hold("b", at: "x")
        executor.drain()
        first.cancel()
        executor.drain()
        #expect(log.entries == ["a begins"])
        barrier.open()
        // Given its turn, and cancelled before it runs.
        second.cancel()
        executor.drain()
        #expect(log.entries.prefix(2) == ["a begins", "a ends"])
        #expect(access.locationsInUse == 0)
        await #expect(throws: Never.self) { try await first.value }
    }

    @Test func aTaskThatIsCancelledAlreadyStillGetsAFreeTurn() async {
        let task = hold("a", at: "x")
        task.cancel()
        executor.drain()
        #expect(log.entries == ["a begins", "a ends"])
        await #expect(throws: Never.self) { try await task.value }
    }

    @Test func aFailureEndsTheTurn() async {
        struct Failure: Error {}
        let task = executor.start { [access] in try await access.run(at: "x") { throw Failure() } }
        executor.drain()
        await #expect(throws: Failure.self) { try await task.value }
        #expect(access.locationsInUse == 0)
    }

    @Test func turnsWithinATurnAreGivenAtOnce() async throws {
        let depth = try await access.run(at: "x") { [access] in
            try await access.run(at: "x") {
                try await access.run(at: "y") { try await access.run(at: "x") { access.locationsInUse } }
            }
        }
        #expect(depth == 2)
        #expect(access.locationsInUse == 0)
    }

    /// Children of a turn that admits them share it, and still come one after the other.
    @Test func childTasksWithinATurnTakeTurns() {
        let barrier = Barrier()
        executor.start { [access, log] in
            try await access.run(at: "x", admitsTasks: true) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for name in ["a", "b"] {
                        group.addTask {
                            try await access.run(at: "x") {
                                log.add("\(name) begins")
                                await barrier.pass()
                                log.add("\(name) ends")
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
        _ = hold("outside", at: "x")
        executor.drain()
        #expect(log.entries == ["a begins"])
        barrier.open()
        executor.drain()
        #expect(log.entries == ["a begins", "a ends", "b begins", "b ends", "outside begins", "outside ends"])
        #expect(access.locationsInUse == 0)
    }

    /// A task that a turn admits acts for the one that took it, also in the turns around that, which admit nobody themselves.
    @Test func aTaskThatIsAdmittedHasPartInTheTurnsAround() {
        executor.start { [access, log] in
            try await access.run(at: "x") {
                try await access.run(at: "y", admitsTasks: true) {
                    async let child: Void = access.run(at: "x") { log.add("child") }
                    try await child
                }
                log.add("outer")
            }
        }
        executor.drain()
        #expect(log.entries == ["child", "outer"])
        #expect(access.locationsInUse == 0)
    }

    /// Where it admits nobody, what code within it starts waits like everybody else, and is not taken for one that waits for itself.
    @Test func aTaskStartedWithinATurnHasNoPartInIt() async {
        let barrier = Barrier()
        var started: Task<Void, any Error>?
        let outer = executor.start { [access, log, executor] in
            try await access.run(at: "x", migrating: ValueKey<String>("k")) {
                let started = executor.start {
                    #expect(!access.isMigrating())
                    #expect(access.keysMigrating(into: "x").isEmpty)
                    await access.afterTurn { log.add("deferred to no turn of the other") }
                    try await access.run(at: "x") { log.add("started") }
                }
                #expect(access.isMigrating(into: "x"))
                await barrier.pass()
                log.add("outer")
                return started
            }
        }
        executor.drain()
        #expect(log.entries == ["deferred to no turn of the other"])
        barrier.open()
        executor.drain()
        started = try? await outer.value
        await #expect(throws: Never.self) { try await started?.value }
        #expect(log.entries == ["deferred to no turn of the other", "outer", "started"])
        #expect(access.locationsInUse == 0)
    }

    /// A task that outlives the turn it was started in must not share a turn that is somebody else's by then.
    @Test func aTaskThatOutlivesItsTurnQueuesLikeAnyOther() {
        let (early, late) = (Barrier(), Barrier())
        executor.start { [access, log, executor] in
            try await access.run(at: "x") {
                _ = executor.start {
                    await early.pass()
                    try await access.run(at: "x") { log.add("outliving") }
                }
            }
        }
        executor.drain()
        _ = hold("other", at: "x", behind: late)
        executor.drain()
        early.open()
        executor.drain()
        #expect(log.entries == ["other begins"])
        late.open()
        executor.drain()
        #expect(log.entries == ["other begins", "other ends", "outliving"])
        #expect(access.locationsInUse == 0)
    }

    /// One that is inside already when the body returns keeps the turn from ending.
    @Test func aTurnEndsWhenNobodyIsInside() {
        let barrier = Barrier()
        let body = Barrier()
        executor.start { [access, log, executor] in
            try await access.run(at: "x", admitsTasks: true) {
                _ = executor.start {
                    try await access.run(at: "x") {
                        log.add("inner begins")
                        await barrier.pass()
                        log.add("inner ends")
                    }
                }
                await body.pass()
            }
        }
        executor.drain()
        body.open()
        _ = hold("next", at: "x")
        executor.drain()
        #expect(log.entries == ["inner begins"])
        barrier.open()
        executor.drain()
        #expect(log.entries == ["inner begins", "inner ends", "next begins", "next ends"])
        #expect(access.locationsInUse == 0)
    }

    @Test func tasksThatWaitForEachOtherAreRefused() async {
        let barrier = Barrier()
        func cross(_ first: String, _ second: String) -> Task<Void, any Error> {
            executor.start { [access, log] in
                try await access.run(at: first) {
                    await barrier.pass()
                    try await access.run(at: second) { log.add("\(first) has \(second)") }
                }
            }
        }
        let tasks = [cross("x", "y"), cross("y", "z"), cross("z", "x")]
        executor.drain()
        barrier.open()
        executor.drain()
        var refusals = 0
        for task in tasks {
            let error = await storageError { try await task.value }
            if error?.code == .invalidKey { refusals += 1 }
        }
        #expect(refusals == 1)
        #expect(log.entries.count == 2)
        #expect(access.locationsInUse == 0)
    }

    @Test func twoDevicesKnowNothingOfEachOther() async throws {
        let other = ExclusiveAccess()
        let count = try await access.run(at: "x") { [access] in
            try await other.run(at: "x") { access.locationsInUse + other.locationsInUse }
        }
        #expect(count == 2)
    }

    @Test func whatIsDeferredWaitsForTheOutermostTurn() async throws {
        try await access.run(at: "x") { [access, log] in
            try await access.run(at: "y") {
                await access.afterTurn { log.add("deferred, \(access.locationsInUse) in use") }
                log.add("inner")
            }
            log.add("outer")
        }
        await access.afterTurn { [log] in log.add("at once") }
        #expect(log.entries == ["inner", "outer", "deferred, 0 in use", "at once"])
    }

    /// Thousands of tasks on real threads: what one turn does is never seen half done by another.
    @Test func turnsAreExclusiveOnManyThreads() async throws {
        final class Counter: @unchecked Sendable { var value = 0 }
        let counters = (0..<4).map { _ in Counter() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4000 {
                group.addTask { [access] in
                    let counter = counters[number % 4]
                    try await access.run(at: "\(number % 4)") {
                        let before = counter.value
                        try await access.run(at: "\(number % 4)") { counter.value = before + 1 }
                    }
                }
            }
            for number in 0..<500 where number.isMultiple(of: 7) {
                group.addTask { [access] in try await access.run(at: "\(number % 4)") {} }
            }
            try await group.waitForAll()
        }
        #expect(counters.map(\.value) == [1000, 1000, 1000, 1000])
        #expect(access.locationsInUse == 0)
    }

    @Test func cancellationOnManyThreadsLosesNobody() async {
        await withTaskGroup(of: Void.self) { group in
            for round in 0..<300 {
                group.addTask { [access] in
                    let task = Task { try await access.run(at: "x") {} }
                    if round.isMultiple(of: 2) { task.cancel() }
                    _ = await task.result
                }
            }
        }
        #expect(access.locationsInUse == 0)
        #expect(access.waitersCount == 0)
    }
}
